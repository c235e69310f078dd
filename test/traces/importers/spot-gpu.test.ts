import assert from 'node:assert/strict';
import { importTrace } from '../../../traces/formats.ts';
import { traceJob } from '../../../traces/importers/trace-job.ts';
import { assertReadOrRefused } from '../damage.ts';
import { assertNothingLost, importText, messageOf } from '../support.ts';
import { published, publishedSuite } from './published.ts';

const HEADER =
  'job_name,organization,gpu_model,cpu_request,gpu_request,worker_num,submit_time,duration,job_type\n';
/** The rows that the README of the trace prints. */
const README =
  `${HEADER}239255,13,A10,20,1,1,0,2764799,HP\n` +
  '253689,13,A10,8,1,1,0,15897599,HP\n' +
  '437260,57,A100-SXM4-80GB,15,1,16,9589663,41060,Spot\n' +
  '437261,57,A100-SXM4-80GB,15,1,94,9589663,71718,Spot\n';

describe('spot-gpu', () => {
  it('makes the rows that the README prints gangs of one GPU a worker', async () => {
    const trace = await importText(README);
    assert.equal(trace.format, 'spot-gpu');
    const hp = { gpuCount: 1, gpuTypes: ['A10'], referenceGpu: 'A10', virtualCluster: '13' };
    const spot = {
      gpuTypes: ['A100-SXM4-80GB'],
      referenceGpu: 'A100-SXM4-80GB',
      virtualCluster: '57',
      priority: 'opportunistic',
      submitS: 9_589_663,
    } as const;
    assert.deepEqual(trace.jobs, [
      traceJob({
        ...hp,
        ...{ id: '239255', submitS: 0, durationS: 2_764_799, priority: 'guaranteed', row: 1 },
      }),
      traceJob({
        ...hp,
        ...{ id: '253689', submitS: 0, durationS: 15_897_599, priority: 'guaranteed', row: 2 },
      }),
      traceJob({ ...spot, id: '437260', durationS: 41_060, gpuCount: 16, row: 3 }),
      traceJob({ ...spot, id: '437261', durationS: 71_718, gpuCount: 94, row: 4 }),
    ]);
    assert.match(
      trace.report.assumed.join('\n'),
      /HP jobs are guaranteed, Spot jobs opportunistic/,
    );
    assertNothingLost(trace);
  });

  it('takes parts of a GPU, one for each worker', async () => {
    const trace = await importText(
      `${HEADER}a,1,A10,8,0.25,4,0,60,HP\nb,1,A10,8,2.5,2,1,60,HP\nc,1,A10,8,0,3,1,60,HP\nd,1,A10,8,1,1,2,0,HP\ne,1,,8,,1,2,9,HP\n`,
    );
    assert.deepEqual(
      trace.jobs.map((job) => [job.id, job.gpuCount, job.share]),
      [
        ['a', 4, 0.25],
        // 2.5 GPUs a worker: 3 GPUs each, of which 2.5 / 3.
        ['b', 6, 2.5 / 3],
      ],
    );
    assert.deepEqual(trace.report.dropped, { cpu_only: 2, nonpositive_duration: 1 });
  });

  it('does without types and classes when asked', async () => {
    const settings = { gpuTypes: 'any', priority: 'none' };
    const { jobs, report } = await importText(README, { settings });
    assert.ok(jobs.every(({ gpuTypes, priority }) => gpuTypes.length === 0 && priority === null));
    assert.doesNotMatch(report.assumed.join('\n'), /guaranteed/);
  });

  it('does not mind the order of columns', async () => {
    const text =
      'job_type,duration,submit_time,worker_num,gpu_request,gpu_model,job_name\nSpot,60,5,2,1,H800,j\n';
    const { jobs } = await importText(text);
    assert.deepEqual([jobs[0]?.id, jobs[0]?.gpuCount, jobs[0]?.submitS], ['j', 2, 5]);
  });

  it('knows two classes', async () => {
    const message = await messageOf(importText(README.replaceAll('Spot', 'LP')));
    assert.match(message, /job_type: expected HP or Spot, found 'LP'/);
  });

  it('reads damaged files with every row accounted for, or refuses them', async () => {
    await assertReadOrRefused([README], { format: 'spot-gpu' });
  });
});

publishedSuite('spot-gpu on the published example', () => {
  it('gives the four jobs of the README', async () => {
    const name = 'alibaba-v2026-spot-gpu/readme_example_job_info_df.csv';
    const { jobs } = await importTrace(published(name));
    assert.deepEqual(jobs, (await importText(README)).jobs);
  });
});
