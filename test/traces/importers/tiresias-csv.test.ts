import assert from 'node:assert/strict';
import { importTrace } from '../../../traces/formats.ts';
import { assertNothingLost, fixture, importText, messageOf } from '../support.ts';

describe('tiresias-csv', () => {
  it('reads the hand-made case that was run on Tiresias', async () => {
    const trace = await importTrace(fixture('tiresias-hand12.csv'));
    assert.equal(trace.format, 'tiresias-csv');
    assert.equal(trace.jobs.length, 12);
    const { id, submitS, durationS, gpuCount, model } = trace.jobs[2] ?? assert.fail();
    assert.deepEqual([id, submitS, durationS, gpuCount, model], ['2', 100, 500, 8, 'resnet50']);
    assert.deepEqual(trace.report.gangSizes, { 1: 4, 2: 3, 4: 3, 8: 2 });
    assertNothingLost(trace);
  });

  it('takes CRLF and a missing final newline, and counts an id that comes again', async () => {
    const trace = await importTrace(fixture('tiresias-crlf.csv'));
    assert.deepEqual(
      trace.jobs.map((job) => [job.id, job.submitS]),
      [
        ['0', 5],
        ['1', 15],
      ],
    );
    assert.deepEqual(trace.report.dropped, { duplicate_id: 1 });
    assertNothingLost(trace);
  });

  it('does not take the files of Muri, which count in milliseconds, for its own', async () => {
    const header =
      'job_id,num_gpu,submit_time,iterations,model_name,batch_size,duration,interval,' +
      'iteration_time,resource_time_0,resource_time_1,resource_time_2,priority';
    assert.match(await messageOf(importText(`${header}\n`)), /format not recognised/);
  });
});
