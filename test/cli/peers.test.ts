import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { heshare } from './program.ts';

const CASES = fileURLToPath(new URL('../peers/fixtures/', import.meta.url));
const folder = temporaryFolder();

describe('heshare peers', () => {
  it('replays recorded cases and prints ours beside theirs', async () => {
    const { code, stdout } = await heshare('peers', 'alibaba2020', '--cases', CASES);
    assert.equal(code, 0);
    const lines = stdout.split('\n');
    assert.match(lines[0] ?? '', /^peer +case +rows +figure +ours +theirs +difference +equal$/);
    const line = / {2}56\/56 +avg_jct +1018\.732143 +1018\.732143 +0 +yes$/;
    assert.match(lines[1] ?? '', line);
    assert.match(stdout, /\n13 recorded cases, 13 as they should be\n$/);
  });

  it('ends with 1 when a case that must be equal is not, and with a document when asked', async () => {
    cpSync(`${CASES}tiresias`, folder.file('tiresias'), { recursive: true });
    const file = folder.file('tiresias/hand12.n2g4.count.fifo.job.csv');
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace('2000,1,4,0,0,2000', '2000,1,4,0,0,2001'),
    );
    for (const name of readdirSync(folder.file('tiresias'))) {
      if (name.includes('gittins')) cpSync(file, folder.file(`tiresias/${name}`));
    }
    const { code, stdout } = await heshare('peers', 'tiresias', '--cases', folder.path);
    assert.equal(code, 1);
    assert.match(stdout, /fifo +11\/12 +avgJCT +10431\.6667 +10431\.6667 +0\.05 % +NO/);
    assert.match(stdout, /dlas-gpu-gittins: --set samples=FILE schedule .* needs the GPU times/);
    const json = await heshare('peers', 'tiresias', '--cases', folder.path, '--json');
    assert.equal(json.code, 1);
    const document = JSON.parse(json.stdout) as { policy: string; equal: boolean }[];
    assert.deepEqual(
      document.filter(({ equal }) => !equal).map(({ policy }) => policy),
      ['dlas-gpu-gittins', 'fifo'],
    );
  });

  it('lists what each peer reads', async () => {
    const { code, stdout } = await heshare('peers', '--formats');
    assert.equal(code, 0);
    assert.match(stdout, /^tiresias: .*\nSymbioticLab\/Tiresias/);
    assert.match(stdout, /\ninput +trace +CSV of jobs: job_id, vc, gpu_num/);
    assert.match(stdout, /\nsetting +compat +.* \(true\)/);
    assert.match(stdout, /\npolicy +dlas-gpu-05 +/);
  });

  it('says what it needs', async () => {
    const none = await heshare('peers');
    assert.equal(none.code, 2);
    assert.match(none.stderr, /give their folder with --cases, or set HESHARE_DATA/);
    const unknown = await heshare('peers', 'lucit', '--cases', CASES);
    assert.match(unknown.stderr, /peer 'lucit' is unknown, did you mean 'lucid'\?/);
  });
});

describe('heshare run --peer', () => {
  const hand12 = [
    '--trace',
    `${CASES}tiresias/hand12.csv`,
    '--cluster',
    `${CASES}tiresias/n2g4.csv`,
  ];

  it('writes the files that the peer would', async () => {
    const out = folder.file('out');
    const args = ['run', '--peer', 'tiresias', ...hand12, '--policy', 'dlas-gpu-1'];
    const { code, stdout } = await heshare(...args, '--out', out);
    assert.equal(code, 0);
    assert.match(stdout, /^Tiresias simulator, .*: 12 rows\nn +12\navgJCT +4338\.166/);
    const theirs = readFileSync(`${CASES}tiresias/hand12.n2g4.count.dlas-gpu-1.job.csv`, 'utf8');
    assert.equal(readFileSync(`${out}/jobs.csv`, 'utf8'), theirs.replaceAll('\r\n', '\n'));
    const summary = JSON.parse(readFileSync(`${out}/summary.json`, 'utf8')) as { preempt: number };
    assert.equal(summary.preempt, 13);
    const record = JSON.parse(readFileSync(`${out}/run.json`, 'utf8')) as {
      inputs: { trace: { sha256: string }; samples: object };
    };
    assert.match(record.inputs.trace.sha256, /^[0-9a-f]{64}$/);
    assert.deepEqual(record.inputs.samples, { given: 'none' });
    const quiet = await heshare(...args, '--out', out, '--quiet');
    assert.deepEqual([quiet.code, quiet.stdout], [0, '']);
    const json = await heshare(...args, '--out', out, '--json');
    const document = JSON.parse(json.stdout) as { policy: string; summary: { n: number } };
    assert.deepEqual([document.policy, document.summary.n], ['dlas-gpu-1', 12]);
  });

  it('refuses options of experiments, several policies and unknown peers', async () => {
    const args = ['run', '--peer', 'tiresias', ...hand12];
    const cases: readonly (readonly [RegExp, readonly string[]])[] = [
      [/--reference-gpu does not go with --peer/, ['--policy', 'fifo', '--reference-gpu', 'V100']],
      [/--policy a replay of 'tiresias' needs one policy, found none/, []],
      [/needs one policy, found fifo, fjf/, ['--policy', 'fifo', '--policy', 'fjf']],
      [/has no policy 'fiffo', did you mean 'fifo'\?/, ['--policy', 'fiffo']],
      [
        /--set peer 'tiresias' has no setting 'quantun'/,
        ['--policy', 'fifo', '--set', 'quantun=1'],
      ],
      [/is an experiment; --peer reads --trace/, ['exp.yaml', '--policy', 'fifo']],
    ];
    for (const [pattern, more] of cases) {
      const { code, stderr } = await heshare(...args, ...more);
      assert.equal(code, 2);
      assert.match(stderr, pattern);
    }
    const others: readonly (readonly [RegExp, readonly string[]])[] = [
      [/peer 'tiresia' is unknown, did you mean 'tiresias'/, ['run', '--peer', 'tiresia']],
      [/run needs an experiment file, or --peer NAME/, ['run']],
      [/--set goes with --peer only/, ['run', 'exp.yaml', '--set', 'a=1']],
    ];
    for (const [pattern, args] of others) assert.match((await heshare(...args)).stderr, pattern);
  });
});
