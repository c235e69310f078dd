import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { clusterDemand } from '../../traces/cluster-demand.ts';
import { importTrace } from '../../traces/formats.ts';
import { readMachines } from '../../traces/importers/machine-lists.ts';
import { nodeGroups } from '../../traces/importers/node-list.ts';
import { readOpenbNodes } from '../../traces/importers/openb-nodes.ts';
import { formatReport } from '../../traces/report-text.ts';
import type { ImportedTrace } from '../../traces/workload.ts';
import { assertNothingLost, DATA_FOLDER } from './support.ts';

interface Distribution {
  readonly min: number;
  readonly median: number;
  readonly mean: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
}

interface Expected {
  readonly rows: number;
  readonly duration_s: Distribution;
  readonly creation_time_range: readonly [number, number];
  readonly num_gpus_hist: Readonly<Record<string, number>>;
  readonly num_gpu_hist: Readonly<Record<string, number>>;
  readonly pct_single_gpu: number;
  readonly gpu_hours: number;
  readonly 'gpu_hours(scheduled rows, milli-weighted)': number;
  readonly pod_phase_gpu_rows: Readonly<Record<string, number>>;
  readonly gpus: number;
  readonly vcs: number;
  readonly last_submit_s: number;
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
    const { min, median, mean, p90, p99, max } = known.duration_s;
    assert.ok(report.durationS !== null);
    const rounded = { ...report.durationS, mean: Number(report.durationS.mean.toFixed(4)) };
    assert.deepEqual(rounded, { min, median, mean, p90, p99, max });
    assert.equal(report.virtualClusters.distinct, known.vcs);
    // No start is recorded; nothing here says more than that.
    assert.equal(report.concurrency?.startsRecorded, 0);
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
      const [min, max] = known.creation_time_range;
      assert.deepEqual([trace.report.submitS?.min, trace.report.submitS?.max], [min, max]);
      const { Pending: _neverRan, ...phases } = known.pod_phase_gpu_rows;
      assert.deepEqual({ ...trace.report.statuses.most }, phases);
      assert.equal(trace.report.concurrency?.startsRecorded, trace.jobs.length);
      assertNothingLost(trace);
    });
  }

  it('show that the openb cluster idles on its own clock', async () => {
    const folder = 'alibaba-gpu-v2023';
    const { jobs, report } = await importTrace(file(`${folder}/openb_pod_list_default.csv`));
    const nodes = await readMachines(file(`${folder}/openb_node_list_gpu_node.csv`));
    const cluster = { name: 'openb', groups: nodeGroups(nodes) };
    const { load, findings } = clusterDemand(jobs, report.concurrency, cluster);
    assert.equal(load.gpus, 6212);
    assert.equal(report.concurrency?.peakGpus.toFixed(1), '65.6');
    assert.equal(findings.length, 1);
    assert.match(findings[0] ?? '', /^the cluster is idle: at most 65\.59 of 6,212 GPUs/);
    assert.match(formatReport(report), /^GPU-hours {12}51,470\.67$/m);
    // Nearly all pods come in the last fifth of the span.
    assert.ok((report.coverage?.arrivedBy.p10 ?? 0) > 0.79);
  });

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
});
