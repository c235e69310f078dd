import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { FIXTURES, heshare } from './program.ts';

const folder = temporaryFolder();

/** Three jobs of round numbers under two policies, where nothing says on which GPU they ran. */
function compare(...args: readonly string[]) {
  return heshare(
    ...['compare', '--profiles', `${FIXTURES}flat.yaml`, '--trace', `${FIXTURES}three-jobs.csv`],
    ...['--assign', 'fixed:unit', '--policy', 'fifo,srtf', '--seeds', '1', '--workers', '0'],
    ...['--out', folder.file('out'), ...args],
  );
}

describe('the warning of rejected jobs', () => {
  it('says that nothing ran, why, and how to mend it', async () => {
    const { code, stdout, stderr } = await compare();
    assert.equal(code, 0);
    assert.equal(
      stderr.split('\n').find((line) => line.includes('warning')),
      "heshare: warning: all 6 jobs were rejected (6 no_reference_profile), so nothing ran and the figures mean nothing; job 'a', for example: no profile of 'unit' on its reference gpu 'V100'; to mend it: a GPU type that has one (--reference-gpu TYPE), or a profile for it (--profiles FILE or --allow-extrapolated)",
    );
    assert.match(stdout, /6 rejected \(6 no_reference_profile\)/);
    const mended = await compare('--reference-gpu', 'flat', '--cluster', '1x2:flat');
    assert.doesNotMatch(mended.stderr, /warning/);
  });

  it('is there for a part of the jobs too, also with --quiet', async () => {
    const { code, stdout, stderr } = await compare('--cluster', '1x1:flat', '--quiet');
    assert.equal(code, 0);
    assert.match(
      stderr,
      /^heshare: warning: 2 of 6 jobs were rejected \(2 too_many_gpus\), the figures leave them out; job 'c', for example: needs 2 gpus, .*--cluster\)\n$/,
    );
    assert.equal(stdout, '');
  });

  it('stands in the JSON document, and an empty list where there is nothing to say', async () => {
    const warnings = async (...args: readonly string[]) => {
      const { stdout } = await compare('--json', ...args);
      const document = JSON.parse(stdout) as { warnings: readonly string[] };
      const kept = readFileSync(folder.file('out/comparison.json'), 'utf8');
      assert.deepEqual((JSON.parse(kept) as typeof document).warnings, document.warnings);
      return document.warnings;
    };
    const [only = '', ...more] = await warnings('--cluster', '1x1:flat');
    assert.match(only, /^2 of 6 jobs were rejected/);
    assert.deepEqual(more, []);
    assert.deepEqual(await warnings('--cluster', '1x2:flat'), []);
  });

  it('is the same when the runs are found finished', async () => {
    const first = await compare('--cluster', '1x1:flat', '--quiet');
    const again = await compare('--cluster', '1x1:flat', '--quiet');
    assert.equal(again.stderr, first.stderr);
    const [run = ''] = readdirSync(folder.file('out')).filter((name) => name.startsWith('fifo-s1'));
    const record = JSON.parse(readFileSync(folder.file(`out/${run}/run.json`), 'utf8')) as {
      firstRejected: { job: string };
    };
    assert.equal(record.firstRejected.job, 'c');
  });
});
