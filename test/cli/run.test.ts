import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { FIXTURES, heshare } from './program.ts';

const folder = temporaryFolder();
const HERE = ['--workers', '0'];

describe('heshare run', () => {
  const experiment = `profiles: ['${FIXTURES}flat.yaml']
workload: { trace: jobs.csv, referenceGpu: flat, assign: { rule: fixed, options: { workload: unit } } }
cluster: { name: two, groups: [{ gpuType: flat, gpusPerNode: 2, nodes: 1 }] }
policies: [fifo, { name: heshare, label: mine, options: { dvfs: false } }]
seeds: [4]
reference: mine
output: here
`;

  beforeEach(() => {
    writeFileSync(folder.file('exp.yaml'), experiment);
    writeFileSync(folder.file('jobs.csv'), readFileSync(`${FIXTURES}three-jobs.csv`));
  });

  it('runs a file whose paths start from its own folder', async () => {
    const { code, stdout, stderr } = await heshare('run', folder.file('exp.yaml'), ...HERE);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /experiment 'exp'/);
    const runs = readdirSync(folder.file('here')).filter((name) => name.includes('-s4-'));
    assert.deepEqual(runs.map((name) => name.replace(/-s4-.*/, '')).sort(), ['fifo', 'mine']);
  });

  it('lets options replace what the file says', async () => {
    const args = [
      '--policy',
      'srtf',
      '--cluster',
      '1x1:slow,1x2:flat',
      '--out',
      folder.file('out'),
      '--json',
    ];
    const { code, stdout, stderr } = await heshare(
      'run',
      folder.file('exp.yaml'),
      ...HERE,
      ...args,
    );
    assert.equal(code, 0, stderr);
    const { policies } = JSON.parse(stdout) as { policies: { label: string }[] };
    assert.deepEqual(
      policies.map(({ label }) => label),
      ['srtf'],
    );
  });

  it('takes an empty file, or one of comments, as the default experiment', async () => {
    const ids = async (content: string) => {
      writeFileSync(folder.file('empty.yaml'), content);
      const args = ['--policy', 'fifo', '--jobs', '5', '--seeds', '1', '--json'];
      const file = folder.file('empty.yaml');
      const called = await heshare('run', file, ...HERE, ...args, '--out', folder.file('o'));
      assert.equal(called.code, 0, called.stderr);
      return (JSON.parse(called.stdout) as { runs: { id: string }[] }).runs.map(({ id }) => id);
    };
    const given = await ids('{}\n');
    for (const content of ['', '# nothing yet\n', '---\n']) {
      assert.deepEqual(await ids(content), given);
    }
  });

  it('gives a run the same id wherever its files lie', async () => {
    const ids = async (file: string) => {
      const { stdout } = await heshare('run', file, ...HERE, '--json', '--out', folder.file('o'));
      return (JSON.parse(stdout) as { runs: { id: string }[] }).runs.map(({ id }) => id);
    };
    const before = await ids(folder.file('exp.yaml'));
    writeFileSync(folder.file('other.csv'), readFileSync(`${FIXTURES}three-jobs.csv`));
    writeFileSync(folder.file('exp2.yaml'), experiment.replace('jobs.csv', 'other.csv'));
    assert.deepEqual(await ids(folder.file('exp2.yaml')), before);
  });
});
