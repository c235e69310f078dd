import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { importTrace } from '../../../traces/formats.ts';
import { readOpenbNodes } from '../../../traces/importers/openb-nodes.ts';
import type { TraceJob } from '../../../traces/workload.ts';
import { assertReadOrRefused } from '../damage.ts';
import { assertNothingLost, fixture, importText, messageOf } from '../support.ts';
import { expectedOf, published, publishedSuite } from './published.ts';

describe('openb', () => {
  it('takes pods that ran on GPUs and counts the others by reason', async () => {
    const trace = await importTrace(fixture('openb-small.csv'));
    assert.equal(trace.format, 'openb');
    assert.deepEqual(
      trace.jobs.map((job) => [job.id, job.submitS, job.durationS, job.gpuCount, job.share]),
      [
        ['pod-0', 0, 990, 1, 1],
        ['pod-1', 5, 3600, 1, 0.46],
        ['pod-5', 12, 12, 8, 1],
      ],
    );
    assert.deepEqual(trace.report.dropped, {
      cpu_only: 1,
      no_start: 1,
      no_end: 1,
      nonpositive_duration: 1,
    });
    assert.equal(trace.jobs[1]?.status, 'Succeeded');
    assert.equal(trace.report.sharedGpuFraction, 1 / 3);
    assertNothingLost(trace);
  });

  it('knows how long each pod waited and its class', async () => {
    const { jobs, report } = await importTrace(fixture('openb-small.csv'));
    assert.deepEqual(
      jobs.map(({ id, queuedS, priority }) => [id, queuedS, priority]),
      [
        ['pod-0', 10, 'guaranteed'],
        ['pod-1', 0, 'guaranteed'],
        ['pod-5', 88, 'opportunistic'],
      ],
    );
    assert.match(report.assumed.join('\n'), /LS and Guaranteed are guaranteed, Burstable and BE/);
    const none = await importTrace(fixture('openb-small.csv'), { settings: { priority: 'none' } });
    assert.ok(none.jobs.every(({ priority }) => priority === null));
    assert.doesNotMatch(none.report.assumed.join('\n'), /guaranteed/);
  });

  it('says what it cannot make sense of', async () => {
    const header =
      'name,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time';
    const trace = await importText(
      `${header}\na,1,500,|T4||T4,Other,Running,50,90,40\nb,1,1000,,BE,Failed,50,60,50\n`,
    );
    assert.deepEqual(
      trace.jobs.map((job) => [job.id, job.durationS, job.queuedS, job.priority, job.gpuTypes]),
      [
        ['a', 50, null, null, ['T4']],
        ['b', 10, 0, 'opportunistic', []],
      ],
    );
    const assumed = trace.report.assumed.join('\n');
    assert.match(assumed, /1 pods are scheduled before they are created: no wait known/);
    assert.match(assumed, /1 pods of no such qos have no priority/);
  });

  it('can keep pods that ran for no time', async () => {
    const settings = { zeroDuration: 'one-second' };
    const trace = await importTrace(fixture('openb-small.csv'), { settings });
    assert.equal(trace.jobs.find(({ id }) => id === 'pod-6')?.durationS, 1);
    assert.equal(trace.report.dropped.nonpositive_duration, undefined);
    assertNothingLost(trace);
  });

  it('reads damaged lists with every row accounted for, or refuses them', async () => {
    const timed = readFileSync(fixture('openb-small.csv'), 'utf8');
    const untimed = readFileSync(fixture('openb-untimed.csv'), 'utf8');
    await assertReadOrRefused([timed], { format: 'openb' });
    const settings = { durationS: 60, interarrivalS: 5 };
    await assertReadOrRefused([untimed], { format: 'openb', settings }, 100);
  });

  it('drops repeated types from a request', async () => {
    const { jobs } = await importTrace(fixture('openb-small.csv'));
    assert.deepEqual(jobs[1]?.gpuTypes, ['V100M16', 'V100M32']);
    assert.deepEqual(jobs[0]?.gpuTypes, []);
  });

  it('says what a list without times needs', async () => {
    const message = await messageOf(importTrace(fixture('openb-untimed.csv')));
    assert.match(message, /pod list without times .* both options durationS and interarrivalS/);
    const one = { settings: { durationS: 600 } };
    assert.match(await messageOf(importTrace(fixture('openb-untimed.csv'), one)), /give both/);
  });

  it('spaces the pods of a list without times evenly', async () => {
    const settings = { durationS: '600', interarrivalS: 10 };
    const trace = await importTrace(fixture('openb-untimed.csv'), { settings });
    assert.deepEqual(
      trace.jobs.map((job) => [job.id, job.submitS, job.durationS, job.share]),
      [
        ['pod-0', 0, 600, 1],
        ['pod-2', 10, 600, 0.46],
        ['pod-3', 20, 600, 1],
      ],
    );
    assert.ok(trace.report.assumed.some((line) => line.includes('one arrives every 10 s')));
    assertNothingLost(trace);
  });

  it('refuses to replace times that a list has', async () => {
    const settings = { durationS: 600, interarrivalS: 10 };
    const message = await messageOf(importTrace(fixture('openb-small.csv'), { settings }));
    assert.match(message, /has times of its own/);
  });

  it('refuses bad values of its options', async () => {
    for (const durationS of [0, -1, 'x', '', Number.NaN]) {
      const settings = { durationS, interarrivalS: 10 };
      const message = await messageOf(importTrace(fixture('openb-untimed.csv'), { settings }));
      assert.match(message, /option durationS: expected a number above 0/);
    }
  });

  it('takes parts of a GPU for single GPUs only', async () => {
    const header = 'name,cpu_milli,memory_mib,num_gpu,gpu_milli';
    const settings = { durationS: 1, interarrivalS: 1 };
    const rows = (row: string) => importText(`${header}\n${row}\n`, { settings });
    assert.match(await messageOf(rows('p,1,1,2,500')), /1000 for more than one GPU, found '500'/);
    assert.match(await messageOf(rows('p,1,1,1,0')), /expected 1 to 1000, found '0'/);
    assert.match(await messageOf(rows('p,1,1,1,1001')), /expected 0 to 1000, found '1001'/);
  });
});

describe('openb node list', () => {
  it('gives the machines in file order', async () => {
    const nodes = await readOpenbNodes(fixture('openb-nodes.csv'));
    assert.deepEqual(nodes, [
      { name: 'node-0', gpuType: 'P100', gpus: 2, cpuCores: 64, memoryGib: 256 },
      { name: 'node-1', gpuType: 'V100M32', gpus: 8, cpuCores: 96, memoryGib: 768 },
      { name: 'node-2', gpuType: null, gpus: 0, cpuCores: 32, memoryGib: 256 },
    ]);
  });

  it('refuses a file of another kind', async () => {
    const message = await messageOf(readOpenbNodes(fixture('openb-small.csv')));
    assert.match(message, /column 'sn' is missing/);
  });
});

/** Largest GPUs asked for at one time by jobs that run when the trace had them run. */
function peakGpus(jobs: readonly TraceJob[]): number {
  const events = jobs.flatMap(({ submitS, queuedS, durationS, gpuCount, share }) => {
    const startS = submitS + (queuedS ?? Number.NaN);
    const milli = Math.round(1000 * gpuCount * share);
    return [
      { atS: startS, milli },
      { atS: startS + durationS, milli: -milli },
    ];
  });
  // What ends at an instant is gone before what starts at it.
  events.sort((a, b) => a.atS - b.atS || a.milli - b.milli);
  let now = 0;
  let peak = 0;
  for (const { milli } of events) {
    now += milli;
    peak = Math.max(peak, now);
  }
  return peak / 1000;
}

const countsOf = (values: readonly (string | number | null)[]) => {
  const counts: Record<string, number> = {};
  for (const value of values) counts[String(value)] = (counts[String(value)] ?? 0) + 1;
  return counts;
};

publishedSuite('openb on the published lists', () => {
  const folder = 'alibaba-gpu-v2023/openb_pod_list_';

  for (const list of ['default', 'gpushare40', 'gpushare100']) {
    it(`gives the phases, GPU-hours and requests of ${list}`, async () => {
      const trace = await importTrace(published(`${folder}${list}.csv`));
      const known = expectedOf(`${folder}${list}.csv`);
      assert.equal(trace.report.rowsRead, known.rows);
      const { Pending: pending, ...phases } = known.pod_phase_gpu_rows;
      assert.deepEqual(countsOf(trace.jobs.map(({ status }) => status)), phases);
      assert.equal(trace.report.dropped.no_start, pending);
      const hours = known['gpu_hours(scheduled rows, milli-weighted)'];
      assert.equal(Math.round(trace.report.gpuHours * 10) / 10, hours);
      assertNothingLost(trace);
    });
  }

  it('leaves almost all of the cluster idle on its own clock', async () => {
    const { jobs } = await importTrace(published(`${folder}default.csv`));
    // Of 6,212 GPUs.
    assert.equal(Math.round(peakGpus(jobs) * 10) / 10, 65.6);
    // 12 of 8,152 pods are created in the first half of the span, CPU-only and pending ones included.
    assert.ok(jobs.filter(({ submitS }) => submitS < 12_901_761 / 2).length <= 12);
  });

  it('gives the requests of a list without times', async () => {
    const name = `${folder}multigpu20.csv`;
    const settings = { durationS: 3600, interarrivalS: 60 };
    const { jobs, report } = await importTrace(published(name), { settings });
    const known = expectedOf(name);
    const shared = jobs.filter(({ share }) => share < 1).length;
    const multiple = jobs.filter(({ gpuCount }) => gpuCount > 1).length;
    assert.equal(report.rowsRead, known.rows);
    assert.equal(shared, known.gpu_sharing_rows);
    assert.equal(multiple, known.multi_gpu_rows);
    assert.equal(jobs.length - shared - multiple, known.one_full_gpu_rows);
    const milli = countsOf(jobs.map(({ share }) => Math.round(1000 * share)));
    assert.deepEqual(milli, known.gpu_milli_gt0_hist);
    const gpus = jobs.reduce((sum, { gpuCount, share }) => sum + gpuCount * share, 0);
    assert.equal(Math.round(gpus * 100) / 100, known.total_gpu_request);
  });
});
