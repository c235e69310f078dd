import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { importTrace } from '../../../traces/formats.ts';
import { assertReadOrRefused } from '../damage.ts';
import { assertNothingLost, fixture, importText, messageOf } from '../support.ts';
import { expectedOf, modelCounts, published, publishedSuite, spread } from './published.ts';

const HEADER = 'job_id,num_gpu,submit_time,iterations,model_name,duration,interval';

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

  it('reads the form with blanks between the cells as the one with commas', async () => {
    const text = readFileSync(fixture('tiresias-hand12.csv'), 'utf8');
    const commas = await importText(text);
    const blanks = await importText(text.replaceAll(',', '  '));
    assert.deepEqual(blanks.jobs, commas.jobs);
    assert.equal(blanks.format, 'tiresias-csv');
    const short = await importText(`${text.replaceAll(',', '\t')}99 1 0\n`, { maxBadRows: 1 });
    assert.deepEqual(short.report.badRowExamples, ['t.csv:14 expected 7 cells, found 3']);
  });

  it('leaves out, keeps or lengthens jobs of no time, as asked', async () => {
    const text = `${HEADER}\n0,1,0,9,vgg19,0,0\n1,1,0,9,vgg19,5,0\n`;
    const dropped = await importText(text);
    assert.deepEqual(dropped.report.dropped, { nonpositive_duration: 1 });
    const lengthened = await importText(text, { settings: { zeroDuration: 'one-second' } });
    assert.deepEqual(
      lengthened.jobs.map(({ durationS }) => durationS),
      [1, 5],
    );
  });

  it('does not take the files of Muri, which count in milliseconds, for its own', async () => {
    const header =
      'job_id,num_gpu,submit_time,iterations,model_name,batch_size,duration,interval,' +
      'iteration_time,resource_time_0,resource_time_1,resource_time_2,priority';
    const trace = await importText(`${header}\n0,1,0,10,gpt2,4,1000,0,437,0.6,419,49,0\n`);
    assert.equal(trace.format, 'muri-csv');
    const partly = `${HEADER},batch_size\n0,1,0,10,gpt2,1000,0,4\n`;
    assert.match(await messageOf(importText(partly)), /format not recognised/);
  });

  it('reads damaged files with every row accounted for, or refuses them', async () => {
    const text = readFileSync(fixture('tiresias-hand12.csv'), 'utf8');
    const texts = [text, text.replaceAll(',', ' ')];
    await assertReadOrRefused(texts, { format: 'tiresias-csv' });
  });
});

publishedSuite('tiresias-csv on the published file', () => {
  it('gives its known figures', async () => {
    const name = 'tiresias/60_job.csv';
    const trace = await importTrace(published(name));
    const known = expectedOf(name);
    assert.equal(trace.report.rowsRead, known.rows);
    assert.deepEqual(trace.report.dropped, {});
    assert.deepEqual(trace.report.gangSizes, known.num_gpu_hist);
    assert.deepEqual(spread(trace.jobs.map(({ durationS }) => durationS)), known.duration_s);
    assert.equal(trace.jobs.at(-1)?.submitS, known.last_submit_s);
    assert.deepEqual(modelCounts(trace), known.models);
  });
});
