import assert from 'node:assert/strict';
import { importTrace } from '../../../traces/formats.ts';
import { assertReadOrRefused } from '../damage.ts';
import { assertNothingLost, importText, messageOf } from '../support.ts';
import { expectedOf, published, publishedSuite } from './published.ts';

const HEADER =
  'instance_sn,role,app_name,cpu_request,cpu_limit,gpu_request,gpu_limit,rdma_request,rdma_limit,' +
  'memory_request,memory_limit,disk_request,disk_limit,max_instance_per_node,creation_time,' +
  'scheduled_time,deletion_time\n';
/** An instance with the times that matter. */
const row = (name: string, role: string, gpus: number, times: string) =>
  `${name},${role},app_0,12,12,${gpus},${gpus},25,25,120.0,120.0,640.0,800.0,8,${times}\n`;
const TEXT =
  HEADER +
  // As the file starts: there before and after.
  row('instance_0', 'HN', 1, ',,') +
  row('instance_1', 'HN', 1, '100.0,475.00000000000006,1475.0') +
  row('instance_2', 'CN', 0, '100.0,100.0,200.0') +
  row('instance_3', 'HN', 1, ',,300.0') +
  row('instance_4', 'HN', 1, '500.0,500.0,') +
  row('instance_5', 'HN', 1, '600.0,600.0,600.0') +
  row('instance_6', 'CN', 0, '100.0,100.0,2000.0');

describe('dlrm', () => {
  it('makes instances with a GPU jobs that run from scheduling to deletion', async () => {
    const trace = await importText(TEXT);
    assert.equal(trace.format, 'dlrm');
    // 475.00000000000006 is second 475: queued for 375 s, and run for 1475 - 475 = 1000 s.
    assert.deepEqual(
      trace.jobs.map((job) => [
        ...[job.id, job.submitS, job.queuedS, job.durationS, job.gpuCount, job.share, job.user],
      ]),
      [['instance_1', 100, 375, 1000, 1, 1, 'app_0']],
    );
    assert.deepEqual(trace.report.dropped, {
      cpu_only: 2,
      no_start: 2,
      no_end: 1,
      nonpositive_duration: 1,
    });
    assert.match(trace.report.assumed.join('\n'), /1 times within 1e-6 s of a whole second/);
    assertNothingLost(trace);
  });

  it('cuts what reaches beyond the trace at its edges when asked', async () => {
    const trace = await importText(TEXT, { settings: { edges: 'clip' } });
    assert.deepEqual(
      trace.jobs.map((job) => [job.id, job.submitS, job.queuedS, job.durationS]),
      [
        // The last time of all, that of an instance without a GPU too, is second 2000.
        ['instance_0', 0, 0, 2000],
        ['instance_3', 0, 0, 300],
        ['instance_1', 100, 375, 1000],
        ['instance_4', 500, 0, 1500],
      ],
    );
    assert.deepEqual(trace.report.dropped, { cpu_only: 2, nonpositive_duration: 1 });
    const assumed = trace.report.assumed.join('\n');
    assert.match(assumed, /2 instances there before the trace starts are submitted at its start/);
    assert.match(
      assumed,
      /2 instances there after it ends are ended at its last time, second 2000/,
    );
    assertNothingLost(trace);
  });

  it('never starts what was created and not scheduled', async () => {
    const text = HEADER + row('a', 'HN', 1, '5.0,,9.0') + row('b', 'HN', 1, '5.0,6.5,9.0');
    for (const edges of ['drop', 'clip']) {
      const trace = await importText(text, { settings: { edges } });
      assert.deepEqual(trace.report.dropped, { no_start: 1 });
      assert.deepEqual(
        trace.jobs.map(({ queuedS, durationS }) => [queuedS, durationS]),
        [[1.5, 2.5]],
      );
    }
  });

  it('refuses other words for its options', async () => {
    const message = await messageOf(importText(TEXT, { settings: { edges: 'cut' } }));
    assert.match(message, /option edges: expected one of 'drop', 'clip', found 'cut'/);
  });

  it('reads damaged files with every row accounted for, or refuses them', async () => {
    await assertReadOrRefused([TEXT], { format: 'dlrm' });
    await assertReadOrRefused([TEXT], { format: 'dlrm', settings: { edges: 'clip' } }, 100);
  });
});

publishedSuite('dlrm on the published file', () => {
  const name = 'alibaba-gpu-v2025/disaggregated_DLRM_trace.csv';

  it('gives its known figures', async () => {
    const trace = await importTrace(published(name));
    const known = expectedOf(name);
    assert.equal(trace.report.rowsRead, known.rows);
    assert.equal(trace.report.dropped.cpu_only, known.roles.CN);
    // Counted in the file itself: 2,277 + 846 HN without a start, 1,045 without an end only, 16 that
    // ran for no time, and 3,218 - 16 = 3,202 jobs.
    assert.deepEqual(trace.report.dropped, {
      cpu_only: 16_485,
      no_start: 3123,
      no_end: 1045,
      nonpositive_duration: 16,
    });
    assert.equal(trace.report.jobs, 3202);
    assert.equal(trace.report.rowsRead - 16_485, known.gpus_requested);
    assert.ok(trace.jobs.every(({ submitS }) => Number.isInteger(submitS)));
    assert.match(trace.report.assumed.join('\n'), /7902 times within 1e-6 s of a whole second/);
    assertNothingLost(trace);
  });

  it('cut at its edges has a job for every GPU but those that ran for no time', async () => {
    const trace = await importTrace(published(name), { settings: { edges: 'clip' } });
    const { jobs, dropped } = trace.report;
    assert.equal(jobs + (dropped.nonpositive_duration ?? 0), expectedOf(name).gpus_requested);
    assert.equal(trace.report.submitS?.min, 0);
    assertNothingLost(trace);
  });
});
