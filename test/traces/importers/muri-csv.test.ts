import assert from 'node:assert/strict';
import { importTrace } from '../../../traces/formats.ts';
import { assertReadOrRefused } from '../damage.ts';
import { assertNothingLost, importText, messageOf } from '../support.ts';
import { expectedOf, modelCounts, published, publishedSuite, spread } from './published.ts';

const HEADER =
  'job_id,num_gpu,submit_time,iterations,model_name,batch_size,duration,interval,' +
  'iteration_time,resource_time_0,resource_time_1,resource_time_2,priority';
const TEXT =
  `${HEADER}\r\n` +
  '0,8,0,10956,gpt2,4,5095000,91000,437,0.6,419,49,0\r\n' +
  '1,8,1534500,1463,vgg16,16,281000,28000,214,82,75,66,1\r\n' +
  '2,0,2000000,9,bert,4,1000,0,100,1,1,1,0\r\n' +
  '3,1,2000000,9,bert,4,0,0,100,1,1,1,0\r\n';

describe('muri-csv', () => {
  it('counts in milliseconds', async () => {
    const trace = await importText(TEXT);
    assert.equal(trace.format, 'muri-csv');
    assert.deepEqual(
      trace.jobs.map((job) => [job.id, job.submitS, job.durationS, job.gpuCount, job.model]),
      [
        ['0', 0, 5095, 8, 'gpt2'],
        ['1', 1534.5, 281, 8, 'vgg16'],
      ],
    );
    assert.deepEqual(trace.report.dropped, { cpu_only: 1, nonpositive_duration: 1 });
    assertNothingLost(trace);
  });

  it('has guaranteed and opportunistic jobs', async () => {
    const { jobs } = await importText(TEXT);
    assert.deepEqual(
      jobs.map(({ priority }) => priority),
      ['guaranteed', 'opportunistic'],
    );
    const message = await messageOf(importText(TEXT.replace('49,0', '49,2')));
    assert.match(message, /priority: expected 0 to 1, found '2'/);
  });

  it('says what it does not keep', async () => {
    const { report } = await importText(TEXT);
    assert.match(report.assumed.join('\n'), /not kept: batch size, .* stage times/);
  });

  it('reads damaged files with every row accounted for, or refuses them', async () => {
    await assertReadOrRefused([TEXT], { format: 'muri-csv' });
  });
});

publishedSuite('muri-csv on published files', () => {
  for (const name of ['trace1', 'trace3', 'cluster_trace']) {
    it(`gives the known figures of ${name}`, async () => {
      const trace = await importTrace(published(`muri/${name}.csv`));
      const known = expectedOf(`muri/${name}.csv`);
      assert.equal(trace.report.rowsRead, known.rows);
      assert.deepEqual(trace.report.dropped, {});
      assert.deepEqual(trace.report.gangSizes, known.num_gpu_hist);
      assert.deepEqual(spread(trace.jobs.map(({ durationS }) => durationS)), known.duration_s);
      assert.equal(trace.jobs.at(-1)?.submitS, known.last_submit_s);
      assert.deepEqual(modelCounts(trace), known.models);
    });
  }

  it('has every job of trace1_pr submitted at once', async () => {
    const { jobs } = await importTrace(published('muri/trace1_pr.csv'));
    assert.equal(jobs.length, expectedOf('muri/trace1.csv').rows);
    assert.ok(jobs.every(({ submitS }) => submitS === 0));
  });
});
