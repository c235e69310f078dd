import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { FIXTURES, heshare } from './program.ts';

const folder = temporaryFolder();
const WARNING =
  'heshare: warning: all jobs together ask for 202 % of the 1 GPUs: the queue grows for as long as jobs are submitted; to mend it: fewer submissions (--load) or a larger cluster (--cluster)';

/** A job of 10 s every 5 s: twice what one GPU can do. */
function compare(...args: readonly string[]) {
  const file = folder.file('busy.csv');
  const rows = Array.from({ length: 100 }, (_, at) => `j${at},${5 * at},10,1`);
  writeFileSync(file, `id,submit_s,duration_s,gpus\n${rows.join('\n')}\n`);
  return heshare(
    ...['compare', '--profiles', `${FIXTURES}flat.yaml`, '--trace', file, '--assign', 'fixed:unit'],
    ...['--reference-gpu', 'flat', '--cluster', '1x1:flat', '--policy', 'fifo', '--seeds', '2'],
    ...['--out', folder.file('out'), ...args],
  );
}

const warningsIn = (stderr: string) =>
  stderr.split('\n').filter((line) => line.includes('warning'));

describe('the warning of a load that is too high', () => {
  it('comes before anything has run, once, also with --quiet and from threads', async () => {
    for (const workers of ['0', '1']) {
      const { code, stderr } = await compare('--workers', workers, '--force');
      assert.equal(code, 0, stderr);
      assert.deepEqual(warningsIn(stderr), [WARNING]);
      const firstRun = stderr.search(/\d+ of 2|1\/2|2\/2/);
      assert.ok(firstRun < 0 || stderr.indexOf(WARNING) < firstRun, stderr);
    }
    const quiet = await compare('--workers', '0', '--force', '--quiet');
    assert.equal(quiet.stderr, `${WARNING}\n`);
  });

  it('stands in the document, and is there when the runs are found finished', async () => {
    const { stdout, stderr } = await compare('--workers', '0', '--json');
    const { warnings } = JSON.parse(stdout) as { warnings: readonly string[] };
    assert.deepEqual(warnings, [WARNING.replace('heshare: warning: ', '')]);
    assert.deepEqual(warningsIn(stderr), [WARNING]);
  });

  it('is not for a load that was asked for, nor one that the cluster can bear', async () => {
    const asked = await compare('--workers', '0', '--load', '2', '--quiet');
    assert.equal(asked.stderr, '');
    const larger = await compare('--workers', '0', '--cluster', '1x3:flat', '--quiet');
    assert.equal(larger.stderr, '');
  });
});
