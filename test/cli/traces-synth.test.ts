import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { GENERATORS } from '../../traces/index.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { heshare } from './program.ts';

const folder = temporaryFolder();

async function done(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await heshare('traces', ...args);
  assert.equal(code, 0, stderr);
  return stdout;
}

async function refused(pattern: RegExp, ...args: readonly string[]): Promise<void> {
  const { code, stderr } = await heshare('traces', ...args);
  assert.equal(code, 2, stderr);
  assert.match(stderr, pattern);
}

describe('heshare traces synth', () => {
  it('makes a trace with each generator', async () => {
    for (const name of GENERATORS.keys()) {
      const out = folder.file(name);
      const text = await done('synth', name, '--jobs', '20', '--out', out);
      assert.match(text, new RegExp(`^format +synth-${name}$`, 'm'));
      assert.equal(readFileSync(`${out}/trace.csv`, 'utf8').trimEnd().split('\n').length, 21);
    }
  });

  it('takes options of the generator, and names the one that is wrong', async () => {
    const args = ['--jobs', '5', '--out', folder.file('o')];
    const text = await done('synth', 'poisson:law=deterministic,meanS=60', ...args);
    assert.match(text, /^duration +60 \/ 60 \/ 60 s/m);
    await refused(
      /'poisson:meanS=x' generator poisson: meanS: expected a number/,
      'synth',
      'poisson:meanS=x',
    );
    await refused(/generator expected option=value behind 'poisson:'/, 'synth', 'poisson:x');
  });
});

describe('heshare traces fidelity', () => {
  it('compares a generator with a file, seed by seed', async () => {
    const out = folder.file('real');
    await done('synth', 'poisson:meanS=600', '--jobs', '400', '--seed', '9', '--out', out);
    const file = `${out}/trace.csv`;
    const args = ['fidelity', 'poisson:meanS=600', '--against', file, '--seeds', '2'];
    const text = await done(...args);
    assert.match(text, /^poisson against .*trace\.csv: 400 jobs each$/m);
    assert.match(text, /^seed +log run time \(KS\) +gang size \(KS\)/m);
    assert.match(text, /time 0 of both is taken as 00:00:00/);
    const document = JSON.parse(await done(...args, '--json')) as {
      generator: string;
      jobs: number;
      seeds: { seed: number; durationDistance: number; gangDistance: number }[];
    };
    assert.deepEqual([document.generator, document.jobs], ['poisson', 400]);
    assert.deepEqual(
      document.seeds.map(({ seed }) => seed),
      [1, 2],
    );
    for (const { durationDistance, gangDistance } of document.seeds) {
      // Two samples of 400 from one distribution are within 0.115 in 99 of 100 cases.
      assert.ok(durationDistance > 0 && durationDistance < 0.115);
      assert.equal(gangDistance, 0);
    }
  });

  it('needs the file, and says what is wrong with it', async () => {
    const { code, stderr } = await heshare('traces', 'fidelity', 'philly');
    assert.equal(code, 2);
    assert.match(stderr, /--against/);
    await refused(/none\.csv no such file/, 'fidelity', 'philly', '--against', 'none.csv');
    await refused(/generator 'phily' is unknown/, 'fidelity', 'phily', '--against', 'none.csv');
  });
});
