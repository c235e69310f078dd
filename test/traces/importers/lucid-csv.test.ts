import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { importTrace } from '../../../traces/formats.ts';
import { assertReadOrRefused } from '../damage.ts';
import { assertNothingLost, fixture, importText, messageOf } from '../support.ts';

// The columns of cluster_full_log.csv.
const HEADER =
  'job_id,user,vc,jobname,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue,' +
  'dataset,model,batchsize,amp,speed,gpu_util,gmem_util,gmem';
const row = (id: string, gpus: number, stamp: string, durationS: number) =>
  `${id},u1,vcEwI,train,${gpus},8,1,CANCELLED,${stamp},x,x,${durationS},30,` +
  'ImageNet,MobileNetV3,64,1,811.2,97.1,30.5,5120.0\n';
const TEXT =
  `${HEADER}\n` +
  row('2', 2, '2020-09-01 00:01:30', 100) +
  row('1', 1, '2020-09-01 00:00:00', 60) +
  row('3', 0, '2020-09-01 00:02:00', 60) +
  row('4', 1, '2020-09-01 00:02:00', 0);

describe('lucid-csv', () => {
  it('reads the hand-made case that was run on Lucid', async () => {
    const trace = await importTrace(fixture('lucid-toy10.csv'));
    assert.equal(trace.format, 'lucid-csv');
    const { id, submitS, durationS, gpuCount, model } = trace.jobs[3] ?? assert.fail();
    assert.deepEqual([id, submitS, durationS, gpuCount], ['104', 30, 1200, 4]);
    assert.equal(model, 'DCGAN/LSUN/b64/amp');
    assert.deepEqual(trace.report.gangSizes, { 1: 3, 2: 2, 4: 2, 8: 2, 16: 1 });
    assertNothingLost(trace);
  });

  it('reads a whole log: stamps from the first submission, models, memory, waits and states', async () => {
    const trace = await importText(TEXT);
    assert.deepEqual(
      trace.jobs.map((job) => [job.id, job.submitS, job.durationS]),
      [
        ['1', 0, 60],
        ['2', 90, 100],
      ],
    );
    const [, job] = trace.jobs;
    assert.equal(job?.model, 'MobileNetV3/ImageNet/b64/amp');
    assert.deepEqual([job.memoryGib, job.queuedS, job.status], [5, 30, 'CANCELLED']);
    assert.deepEqual([job.user, job.virtualCluster, job.referenceGpu], ['u1', 'vcEwI', null]);
    assert.deepEqual(trace.report.dropped, { cpu_only: 1, nonpositive_duration: 1 });
    assert.match(trace.report.assumed.join('\n'), /models are those that Lucid assigned/);
    assertNothingLost(trace);
  });

  it('does not mix clocks', async () => {
    const message = await messageOf(
      importText(`${HEADER}\n${row('1', 1, '7', 9)}${TEXT.slice(HEADER.length + 1)}`),
    );
    assert.match(message, /submit_time: expected a number, found '2020-09-01 00:01:30'/);
    const stamps = await messageOf(importText(`${TEXT}${row('9', 1, '7', 9)}`));
    assert.match(
      stamps,
      /submit_time: expected YYYY-MM-DD HH:MM:SS as in the rows before, found '7'/,
    );
  });

  it('needs a batch size and a precision where there is a model', async () => {
    const message = await messageOf(importText(TEXT.replace(',64,1,', ',64,2,')));
    assert.match(message, /amp: expected 0 to 1, found '2'/);
    const without = await importText(TEXT.replaceAll('MobileNetV3', ''));
    assert.equal(without.jobs[0]?.model, null);
  });

  it('reads damaged files with every row accounted for, or refuses them', async () => {
    const toy = readFileSync(fixture('lucid-toy10.csv'), 'utf8');
    await assertReadOrRefused([TEXT, toy], { format: 'lucid-csv' });
  });
});
