import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { FLAT, heshare } from './program.ts';

const folder = temporaryFolder();
const ONE_RUN = ['--policy', 'fifo', '--seeds', '1', '--workers', '0', '--quiet'];

/** Ten jobs, ten seconds apart, each ten seconds longer than the one before; the fourth takes 3 GPUs. */
function writeTrace(): string {
  const file = folder.file('ten.csv');
  const rows = Array.from({ length: 10 }, (_, at) => {
    const vc = at % 2 === 0 ? 'even' : 'odd';
    return `j${at},${10 * at},${10 * (at + 1)},${at === 3 ? 3 : 1},${vc},1000`;
  });
  writeFileSync(file, `id,submit_s,duration_s,gpus,vc,requested_s\n${rows.join('\n')}\n`);
  return file;
}

interface Report {
  readonly jobs: number;
  readonly dropped: Readonly<Record<string, number>>;
  readonly assumed: readonly string[];
  readonly durationS: { readonly max: number };
  readonly submitS: { readonly min: number; readonly max: number };
}

async function info(...args: readonly string[]): Promise<Report> {
  const { code, stdout, stderr } = await heshare('traces', 'info', writeTrace(), '--json', ...args);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as Report;
}

async function refused(pattern: RegExp, ...args: readonly string[]): Promise<void> {
  const file = writeTrace();
  for (const command of [
    ['traces', 'info', file],
    ['compare', '--trace', file, ...FLAT, ...ONE_RUN, '--out', folder.file('out')],
  ]) {
    const { code, stdout, stderr } = await heshare(...command, ...args);
    assert.equal(code, 2, `${stdout}${stderr}`);
    assert.match(stderr, pattern);
  }
}

describe('the flags that shape a trace', () => {
  it('choose jobs, each with its reason in the report', async () => {
    const dropped = async (...args: readonly string[]) => (await info(...args)).dropped;
    assert.deepEqual(await dropped(), {});
    assert.deepEqual(await dropped('--virtual-clusters', 'odd'), { other_virtual_cluster: 5 });
    assert.deepEqual(await dropped('--virtual-clusters', 'odd, even'), {});
    assert.deepEqual(await dropped('--window', '10..40'), { outside_window: 7 });
    assert.deepEqual(await dropped('--min-duration', '30'), { too_short: 2 });
    assert.deepEqual(await dropped('--drop-longer', '30'), { too_long: 7 });
    assert.deepEqual(await dropped('--max-gang', '2'), { large_gang: 1 });
    assert.deepEqual(await dropped('--sample', '0.3'), { not_sampled: 7 });
    assert.deepEqual(await dropped('--sample', '4'), { not_sampled: 6 });
    assert.deepEqual(await dropped('--jobs', '4'), { beyond_limit: 6 });
  });

  it('choose run times', async () => {
    assert.equal((await info('--duration', 'actual')).durationS.max, 100);
    assert.equal((await info('--duration', 'requested')).durationS.max, 1000);
    assert.equal((await info('--duration', 'capped:60')).durationS.max, 60);
    assert.equal((await info('--duration', 'requested:capS=600')).durationS.max, 600);
  });

  it('choose when jobs come', async () => {
    assert.equal((await info('--time-scale', '2')).submitS.max, 180);
    const { submitS } = await info('--window', '50..100', '--from-zero');
    assert.deepEqual([submitS.min, submitS.max], [0, 40]);
    // 550 GPU-s and 80 of the two GPUs more of the fourth, over 2 GPUs: 315 s at a load of 1.
    const scaled = await info('--load', '1', '--cluster', '1x2:V100');
    assert.ok(Math.abs(scaled.submitS.max - 315) < 1e-9);
  });

  it('say which of them is wrong, for a report as for a run', async () => {
    await refused(
      /--window expected FROM\.\.TO in seconds, like 0\.\.86400, found '5'/,
      '--window',
      '5',
    );
    await refused(/--window (?:.*)expected a time after fromS \(9\), found 3/, '--window', '9..3');
    await refused(
      /--sample expected a part below 1 or a whole number of jobs, found 1\.5/,
      '--sample',
      '1.5',
    );
    await refused(
      /--duration expected actual, requested or capped:SECONDS, found 'requestd', did you mean/,
      ...['--duration', 'requestd'],
    );
    await refused(/--duration .*expected a number of seconds above 0/, '--duration', 'capped:x');
    await refused(
      /ten\.csv virtual cluster 'evem': the trace has 'even', 'odd'; did you mean 'even'\?/,
      ...['--virtual-clusters', 'evem'],
    );
    await refused(
      /ten\.csv expected jobs, found none: 10 rows read \(10 too_short\)/,
      '--min-duration',
      '1e9',
    );
    const both = ['--time-scale', '2', '--load', '1', '--cluster', '2x2:flat'];
    await refused(/--load load and timeScale exclude each other/, ...both);
  });

  it('need a trace', async () => {
    for (const flag of [
      ['--virtual-clusters', 'a'],
      ['--window', '0..1'],
      ['--duration', 'actual'],
      ['--min-duration', '1'],
      ['--drop-longer', '9'],
      ['--max-gang', '2'],
      ['--sample', '2'],
      ['--time-scale', '2'],
    ]) {
      const { code, stderr } = await heshare('compare', ...FLAT, ...ONE_RUN, ...flag);
      assert.equal(code, 2);
      assert.match(stderr, new RegExp(`^heshare: ${flag[0] ?? ''} .* needs a trace`), flag[0]);
    }
  });

  it('shape a run as they shape a report', async () => {
    const out = folder.file('run');
    const args = ['--virtual-clusters', 'odd', '--sample', '3', '--cluster-scale', '0.5'];
    const { code, stdout, stderr } = await heshare(
      ...['compare', '--trace', writeTrace(), ...FLAT, ...ONE_RUN, '--json', '--out', out, ...args],
    );
    assert.equal(code, 0, stderr);
    const { jobs } = JSON.parse(stdout) as { jobs: { submitted: number } };
    assert.equal(jobs.submitted, 3);
  });
});

describe('the cluster that a trace is held against', () => {
  it('is a word, a file or a list of machines, and may be scaled', async () => {
    const file = writeTrace();
    const gpus = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await heshare('traces', 'info', file, '--json', ...args);
      assert.equal(code, 0, stderr);
      return (JSON.parse(stdout) as { demand: { load: { gpus: number } } | null }).demand?.load
        .gpus;
    };
    assert.equal(await gpus(), undefined);
    assert.equal(await gpus('--cluster', '2x4:T4,1x8:X'), 16);
    assert.equal(await gpus('--cluster', '2x4:T4,1x8:X', '--cluster-scale', '0.1'), 12);
    const yaml = folder.file('c.yaml');
    writeFileSync(yaml, 'groups:\n  - { gpuType: T4, gpusPerNode: 4, nodes: 5 }\n');
    assert.equal(await gpus('--cluster', yaml), 20);
    const list = folder.file('nodes.csv');
    writeFileSync(list, 'sn,cpu_milli,memory_mib,gpu,model\na,1,1,2,T4\nb,1,1,0,\nc,1,1,8,G2\n');
    assert.equal(await gpus('--cluster', list), 10);
  });

  it('must be there to be scaled, and for a load', async () => {
    const file = writeTrace();
    for (const flag of ['--cluster-scale', '--load']) {
      const { code, stderr } = await heshare('traces', 'info', file, flag, '2');
      assert.equal(code, 2);
      assert.match(stderr, new RegExp(`^heshare: ${flag} needs .*\\(--cluster\\)`));
    }
    const { code, stderr } = await heshare('traces', 'info', file, '--cluster', file);
    assert.equal(code, 2);
    assert.match(stderr, /ten\.csv:1 machine list not recognised by the first line/);
  });
});
