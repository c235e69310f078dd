import assert from 'node:assert/strict';
import { importTrace } from '../../../traces/formats.ts';
import { assertReadOrRefused } from '../damage.ts';
import { assertNothingLost, importText, messageOf } from '../support.ts';
import { published, publishedSuite } from './published.ts';

// The rows of the README of InternLM/AcmeTrace.
const SEREN = `job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,start_time,end_time,duration,queue,gpu_time
5778432,u5907,1,8,128,Other,FAILED,2023-03-01 00:18:22+08:00,2023-03-01 00:18:54+08:00,2023-03-01 00:20:51+08:00,117,32,936.0
5778469,u5907,1,8,128,Other,COMPLETED,2023-03-01 00:23:58+08:00,2023-03-01 00:24:11+08:00,2023-03-01 01:09:04+08:00,2693,13,21544.0
`;
const KALOS = `job_id,user,node_num,gpu_num,cpu_num,mem_per_pod_GB,shared_mem_per_pod,type,state,submit_time,start_time,end_time,fail_time,stop_time,duration,queue,gpu_time
dlctk696s0jbvitv,uf794,8,64,960,1000,100.0,Other,FAILED,2023-05-17 11:00:58+00:00,2023-05-17 11:01:08+00:00,2023-05-17 11:01:16+00:00,2023-05-17 11:01:16+00:00,,18,10.0,1152.0
dlc1t2ypl09b8qtp,uf794,8,64,960,1000,100.0,Other,CANCELLED,2023-05-17 11:28:42+00:00,2023-05-17 11:28:54+00:00,2023-05-17 11:30:04+00:00,,2023-05-17 11:30:04+00:00,82,12.0,5248.0
`;

describe('acme-seren', () => {
  it('makes the jobs of the README', async () => {
    const trace = await importText(SEREN);
    assert.equal(trace.format, 'acme-seren');
    assert.deepEqual(
      trace.jobs.map((job) => [job.id, job.submitS, job.durationS, job.gpuCount, job.queuedS]),
      [
        // 00:18:54 to 00:20:51, after 32 s.
        ['5778432', 0, 117, 8, 32],
        // 5 min 36 s later; 00:24:11 to 01:09:04, after 13 s.
        ['5778469', 336, 2693, 8, 13],
      ],
    );
    const [job] = trace.jobs;
    assert.deepEqual(
      [job?.user, job?.status, job?.model, job?.memoryGib, job?.virtualCluster],
      ['u5907', 'FAILED', null, null, null],
    );
    assert.deepEqual(trace.report.assumed, [
      // Midnight in Shanghai is 16:00 of the day before in UTC.
      'time 0 is the first submission kept, 2023-02-28 16:18:22 UTC',
      'run time is end_time - start_time',
      'gpu_num x the column duration is 22480 GPU-seconds over the 2 rows with GPUs, left out or ' +
        'not: COMPLETED 21544, FAILED 936',
    ]);
    assertNothingLost(trace);
  });

  it('reads stamps without a zone as Shanghai time, and keeps states that are not documented', async () => {
    const text = SEREN.replaceAll('+08:00', '').replace('FAILED', 'PREEMPTED');
    const { jobs, report } = await importText(text);
    assert.deepEqual(
      [...jobs].map(({ submitS }) => submitS),
      [0, 336],
    );
    assert.equal(jobs[0]?.status, 'PREEMPTED');
    const lines = report.assumed.join('\n');
    assert.match(lines, /2023-02-28 16:18:22 UTC/);
    assert.match(lines, /6 stamps state no zone and are read as \+08:00/);
    assert.match(lines, /states that are not documented: PREEMPTED 1/);
  });

  it('counts where gpu_time is not the product', async () => {
    const { report } = await importText(SEREN.replace('936.0', '937.0'));
    assert.ok(report.assumed.includes('1 times gpu_time is not gpu_num x duration'));
  });

  it('reads damaged files soundly or refuses them', async () => {
    await assertReadOrRefused([SEREN], { format: 'acme-seren' });
  });
});

describe('acme-kalos', () => {
  it('recomputes run times, for the column counts from submission', async () => {
    const trace = await importText(KALOS);
    assert.equal(trace.format, 'acme-kalos');
    assert.deepEqual(
      trace.jobs.map((job) => [job.id, job.submitS, job.durationS, job.gpuCount, job.queuedS]),
      [
        // 11:01:08 to 11:01:16, after 10 s; the column says 18.
        ['dlctk696s0jbvitv', 0, 8, 64, 10],
        // 27 min 44 s later; 11:28:54 to 11:30:04, after 12 s; the column says 82.
        ['dlc1t2ypl09b8qtp', 1664, 70, 64, 12],
      ],
    );
    assert.deepEqual(trace.report.assumed, [
      'time 0 is the first submission kept, 2023-05-17 11:00:58 UTC',
      'run time is end_time - start_time',
      '2 durations are not end_time - start_time (2 of them are end_time - submit_time)',
      // 64 x 18 = 1,152 and 64 x 82 = 5,248, as the column gpu_time has them.
      'gpu_num x the column duration is 6400 GPU-seconds over the 2 rows with GPUs, left out or not: ' +
        'CANCELLED 5248, FAILED 1152',
    ]);
    assert.equal(trace.report.gpuHours, (64 * 78) / 3600);
    assertNothingLost(trace);
  });

  it('takes the column when asked, for comparing with published sums', async () => {
    const { jobs, report } = await importText(KALOS, { settings: { duration: 'raw' } });
    assert.deepEqual(
      jobs.map(({ durationS }) => durationS),
      [18, 82],
    );
    assert.equal(report.gpuHours, 6400 / 3600);
  });

  it('sums what the log counts over jobs that never started, too', async () => {
    const never =
      'dlcx,u1,1,2,8,10,1.0,Other,CANCELLED,2023-05-17 12:00:00+00:00,,' +
      '2023-05-17 12:01:00+00:00,,2023-05-17 12:01:00+00:00,60,,120.0\n';
    const { report } = await importText(KALOS + never);
    assert.deepEqual(report.dropped, { no_start: 1 });
    assert.match(report.assumed.join('\n'), /is 6520 GPU-seconds over the 3 rows with GPUs/);
  });

  it('reads stamps without a zone as UTC, and parts of a second', async () => {
    const text = KALOS.replaceAll('+00:00', '.250000').replace('11:01:16.25', '11:01:16.75');
    const { jobs, report } = await importText(text);
    assert.equal(jobs[0]?.durationS, 8.5);
    assert.match(report.assumed[0] ?? '', /2023-05-17 11:00:58 UTC/);
  });

  it('says which option is wrong', async () => {
    const message = await messageOf(importText(KALOS, { settings: { duration: 'row' } }));
    assert.match(message, /option duration: expected one of 'recomputed', 'raw'.*mean 'raw'\?/);
  });

  it('reads damaged files soundly or refuses them', async () => {
    await assertReadOrRefused([KALOS], { format: 'acme-kalos' });
  });
});

publishedSuite('the published rows of Acme', () => {
  it('are the jobs above', async () => {
    const files = { seren: SEREN, kalos: KALOS };
    for (const [cluster, text] of Object.entries(files)) {
      const trace = await importTrace(published(`acme/readme_example_trace_${cluster}.csv`));
      assert.equal(trace.format, `acme-${cluster}`);
      assert.deepEqual([...trace.jobs], [...(await importText(text)).jobs]);
    }
  });
});
