import assert from 'node:assert/strict';
import { importTrace } from '../../../traces/formats.ts';
import { assertReadOrRefused } from '../damage.ts';
import { assertNothingLost, importText, messageOf } from '../support.ts';
import { published, publishedSuite } from './published.ts';

const HEADER =
  'job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue';
// The rows of the README of S-Lab-System-Group/HeliosData.
const README = `${HEADER}
1425511,uXBbc,vcJkd,1,1,1,COMPLETED,2020-06-09 18:41:01,2020-06-09 18:41:01,2020-06-10 04:55:09,36848,0
1425512,uVMrF,vchbv,4,16,1,FAILED,2020-06-09 18:41:27,2020-06-09 18:41:27,2020-06-09 18:45:36,249,0
1425513,uzqls,vcpDC,1,1,1,CANCELLED,2020-06-09 18:41:28,2020-06-09 18:41:28,2020-06-17 14:15:21,675233,0
`;
const row = (id: string, more: Partial<Record<string, string | number>> = {}) => {
  const cells: Record<string, string | number | undefined> = {
    job_id: id,
    user: 'u1',
    vc: 'vc1',
    gpu_num: 1,
    cpu_num: 4,
    node_num: 1,
    state: 'COMPLETED',
    submit_time: '2020-06-09 18:00:00',
    start_time: '2020-06-09 18:00:10',
    end_time: '2020-06-09 18:01:00',
    duration: 50,
    queue: 10,
    ...more,
  };
  return `${HEADER.split(',')
    .map((name) => cells[name] ?? '')
    .join(',')}\n`;
};

describe('helios', () => {
  it('makes the jobs of the README', async () => {
    const trace = await importText(README);
    assert.equal(trace.format, 'helios');
    assert.deepEqual(
      trace.jobs.map((job) => [job.id, job.submitS, job.durationS, job.gpuCount, job.queuedS]),
      [
        // 18:41:01 to 04:55:09: 10 h 14 min 8 s = 36,848 s.
        ['1425511', 0, 36_848, 1, 0],
        ['1425512', 26, 249, 4, 0],
        ['1425513', 27, 675_233, 1, 0],
      ],
    );
    assert.deepEqual(
      trace.jobs.map(({ user, virtualCluster, status }) => [user, virtualCluster, status]),
      [
        ['uXBbc', 'vcJkd', 'COMPLETED'],
        ['uVMrF', 'vchbv', 'FAILED'],
        ['uzqls', 'vcpDC', 'CANCELLED'],
      ],
    );
    assert.deepEqual(trace.report.assumed, [
      // Shanghai is 8 hours ahead of UTC.
      'time 0 is the first submission kept, 2020-06-09 10:41:01 UTC',
      'run time is the column duration',
      '9 stamps state no zone and are read as Asia/Shanghai',
      // 675,233 + 36,848 + 4 x 249.
      'gpu_num x the column duration is 713077 GPU-seconds over the 3 rows with GPUs, left out or ' +
        'not: CANCELLED 675233, COMPLETED 36848, FAILED 996',
    ]);
    assert.equal(trace.report.gpuHours, 713_077 / 3600);
    assertNothingLost(trace);
  });

  it('leaves out what used no GPU, did not start, has not ended or ran for no time', async () => {
    const text =
      README +
      row('a', { gpu_num: 0 }) +
      row('b', { start_time: '', end_time: '', duration: 0 }) +
      row('c', { state: 'RUNNING', end_time: 'None', duration: 'NaN' }) +
      row('d', { end_time: '2020-06-09 18:00:10', duration: 0 }) +
      row('1425512');
    const { report } = await importText(text);
    const dropped = { cpu_only: 1, no_start: 1, no_end: 1, nonpositive_duration: 1 };
    assert.deepEqual(report.dropped, { ...dropped, duplicate_id: 1 });
    const kept = await importText(text, { settings: { zeroDuration: 'one-second' } });
    assert.equal(kept.jobs.find(({ id }) => id === 'd')?.durationS, 1);
  });

  it('takes the duration that the log states, or that of the stamps when asked, and compares', async () => {
    const text =
      HEADER +
      '\n' +
      row('a', { duration: 51 }) +
      // Submission to end; and a wait that is not that of the stamps.
      row('b', { duration: 60, queue: 9 }) +
      row('c', { state: 'SUSPENDED' }) +
      row('d', { state: 'PREEMPTED', queue: '' });
    const raw = await importText(text);
    assert.deepEqual(
      raw.jobs.map(({ durationS }) => durationS),
      [51, 60, 50, 50],
    );
    assert.deepEqual(
      raw.jobs.map(({ queuedS }) => queuedS),
      [10, 9, 10, 10],
    );
    const lines = raw.report.assumed;
    assert.ok(
      lines.includes(
        '2 durations are not end_time - start_time (1 of them are end_time - submit_time)',
      ),
    );
    assert.ok(lines.includes('1 queueing times are not start_time - submit_time'));
    assert.ok(lines.includes('states that are not documented: PREEMPTED 1'));
    const recomputed = await importText(text, { settings: { duration: 'recomputed' } });
    assert.deepEqual(
      recomputed.jobs.map(({ durationS }) => durationS),
      [50, 50, 50, 50],
    );
    assert.equal(recomputed.report.options.duration, 'recomputed');
  });

  it('keeps run times above the limit of the cluster', async () => {
    const { report } = await importText(
      `${HEADER}\n${row('a', { end_time: '2020-06-24 18:00:10', duration: 15 * 86_400 })}`,
    );
    assert.equal(report.durationS?.max, 1_296_000);
  });

  it('points at the cell of a bad row', async () => {
    const message = await messageOf(importText(README + row('a', { submit_time: 'yesterday' })));
    assert.match(message, /^t\.csv:5:\d+ submit_time: expected YYYY-MM-DD HH:MM:SS.*'yesterday'/);
    assert.match(
      await messageOf(importText(README + row('a', { submit_time: '' }))),
      /submit_time: expected a time, found none/,
    );
    assert.match(
      await messageOf(importText(README + row('a', { gpu_num: 'x' }))),
      /gpu_num: expected a number, found 'x'/,
    );
  });

  it('reads damaged files soundly or refuses them', async () => {
    await assertReadOrRefused([README], { format: 'helios' });
  });
});

publishedSuite('the published rows of the Helios job log', () => {
  it('are the jobs above', async () => {
    const trace = await importTrace(published('helios/readme_example_cluster_log.csv'));
    assert.equal(trace.format, 'helios');
    assert.deepEqual([...trace.jobs], [...(await importText(README)).jobs]);
  });
});
