import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { importTrace } from '../../traces/formats.ts';
import { readOpenbNodes } from '../../traces/importers/openb-nodes.ts';
import { synthPhilly } from '../../traces/synth/index.ts';
import type { ImportedTrace } from '../../traces/workload.ts';
import { assertNothingLost, DATA_FOLDER } from './support.ts';

interface Expected {
  readonly rows: number;
  readonly duration_s: { readonly min: number; readonly median: number; readonly max: number };
  readonly num_gpus_hist: Readonly<Record<string, number>>;
  readonly num_gpu_hist: Readonly<Record<string, number>>;
  readonly pct_single_gpu: number;
  readonly gpu_hours: number;
  readonly 'gpu_hours(scheduled rows, milli-weighted)': number;
  readonly pod_phase_gpu_rows: Readonly<Record<string, number>>;
  readonly gpus: number;
  readonly last_submit_s: number;
}

/** Largest distance between two empirical distribution functions (Kolmogorov-Smirnov). */
function distance(a: readonly number[], b: readonly number[]): number {
  const [left, right] = [a.toSorted((x, y) => x - y), b.toSorted((x, y) => x - y)];
  let [i, j, largest] = [0, 0, 0];
  while (i < left.length && j < right.length) {
    const x = Math.min(left[i] ?? 0, right[j] ?? 0);
    while (left[i] === x) i += 1;
    while (right[j] === x) j += 1;
    largest = Math.max(largest, Math.abs(i / left.length - j / right.length));
  }
  return largest;
}

const title = 'imports of published traces';
const suite = DATA_FOLDER === null ? describe.skip : describe;
suite(DATA_FOLDER === null ? `${title} (skipped: HESHARE_DATA is unset)` : title, () => {
  const file = (name: string) => path.join(DATA_FOLDER ?? '', 'traces', name);
  let statistics: Readonly<Record<string, Expected>> = {};
  let philly: ImportedTrace | null = null;

  before(async () => {
    const text = await readFile(file('expected.json'), 'utf8');
    statistics = JSON.parse(text) as Readonly<Record<string, Expected>>;
  });
  const expected = (name: string) => statistics[name] ?? assert.fail(`nothing expected of ${name}`);
  const readPhilly = async () => {
    philly ??= await importTrace(file('philly-derived/pollux_philly.csv'));
    return philly;
  };

  it('give the known figures of Philly', async () => {
    const { report, jobs } = await readPhilly();
    const known = expected('philly-derived/pollux_philly.csv');
    assert.equal(report.jobs, 82_247);
    assert.equal(report.jobs, known.rows);
    assert.deepEqual(report.dropped, {});
    assert.deepEqual(report.gangSizes, known.num_gpus_hist);
    assert.equal(Math.round(report.gpuHours * 10) / 10, known.gpu_hours);
    assert.equal(Math.round(report.singleGpuFraction * 100_000) / 1000, known.pct_single_gpu);
    const { min, median, max } = known.duration_s;
    assert.deepEqual(report.durationS, { min, median, max });
    assert.equal(jobs[0]?.id, 'philly-00001');
    assert.equal(report.submitS?.max, 9_408_690);
  });

  it('move Philly by an hour after the change of clocks when asked', async () => {
    const settings = { timeZone: 'America/Los_Angeles' };
    const { report } = await importTrace(file('philly-derived/pollux_philly.csv'), { settings });
    assert.equal(report.submitS?.max, 9_408_690 + 3600);
    assert.ok(report.assumed.some((line) => line.startsWith('7 submissions in a repeated hour')));
  });

  for (const list of ['default', 'gpushare40', 'gpushare100']) {
    it(`give the known figures of the openb list ${list}`, async () => {
      const name = `alibaba-gpu-v2023/openb_pod_list_${list}.csv`;
      const trace = await importTrace(file(name));
      const known = expected(name);
      assert.deepEqual(trace.report.dropped, {
        cpu_only: known.num_gpu_hist['0'],
        no_start: known.pod_phase_gpu_rows.Pending,
      });
      const hours = known['gpu_hours(scheduled rows, milli-weighted)'];
      assert.equal(Math.round(trace.report.gpuHours * 10) / 10, hours);
      assertNothingLost(trace);
    });
  }

  it('give the known figures of an openb list without times', async () => {
    const name = 'alibaba-gpu-v2023/openb_pod_list_multigpu20.csv';
    const settings = { durationS: 3600, interarrivalS: 60 };
    const { report } = await importTrace(file(name), { settings });
    const { 0: _cpuOnly, ...gangs } = expected(name).num_gpu_hist;
    assert.deepEqual(report.gangSizes, gangs);
    // One hour each, so GPU-hours are the GPUs requested.
    assert.equal(Math.round(report.gpuHours * 10) / 10, 7086.8);
  });

  it('give the known machines of openb', async () => {
    const name = 'alibaba-gpu-v2023/openb_node_list_gpu_node.csv';
    const nodes = await readOpenbNodes(file(name));
    assert.equal(nodes.length, expected(name).rows);
    assert.equal(
      nodes.reduce((sum, { gpus }) => sum + gpus, 0),
      expected(name).gpus,
    );
    const all = 'alibaba-gpu-v2023/openb_node_list_all_node.csv';
    assert.equal((await readOpenbNodes(file(all))).length, expected(all).rows);
  });

  it('give the known figures of the Tiresias file', async () => {
    const { report } = await importTrace(file('tiresias/60_job.csv'));
    const known = expected('tiresias/60_job.csv');
    assert.deepEqual(report.gangSizes, known.num_gpu_hist);
    assert.equal(report.submitS?.max, known.last_submit_s);
    assert.equal(report.durationS?.median, known.duration_s.median);
  });

  it('lie near what the generator makes of the published statistics alone', async () => {
    const real = (await readPhilly()).jobs;
    for (const seed of [1, 2, 3]) {
      const { jobs } = synthPhilly({ jobs: real.length, seed });
      const gangs = distance(
        real.map(({ gpuCount }) => gpuCount),
        jobs.map(({ gpuCount }) => gpuCount),
      );
      assert.ok(gangs <= 0.02, `gang sizes: ${gangs}`);
      // 0.086 is reached: nothing published says that a tenth of Philly's jobs run for 60 to 80 s.
      const durations = distance(
        real.map(({ durationS }) => durationS),
        jobs.map(({ durationS }) => durationS),
      );
      assert.ok(durations <= 0.1, `run times: ${durations}`);
    }
  });
});
