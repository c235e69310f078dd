import assert from 'node:assert/strict';
import { importTrace } from '../../../traces/formats.ts';
import { assertReadOrRefused } from '../damage.ts';
import { assertNothingLost, importText, messageOf } from '../support.ts';
import { expectedOf, published, publishedSuite, spread } from './published.ts';

const HEADER = 'TIMESTAMP,ContextTokens,GeneratedTokens';
// CRLF, stamps of 100 ns and no final newline, as published.
const TEXT =
  `${HEADER}\r\n` +
  '2023-11-16 18:17:03.9799600,4808,10\r\n' +
  '2023-11-16 18:17:04.0319600,3180,8\r\n' +
  '2023-11-16 18:18:05.0000001,0,0\r\n' +
  '2023-11-16 18:18:05.0000001,1000,100';

describe('azure-llm', () => {
  it('makes each request a job that runs for its tokens', async () => {
    const trace = await importText(TEXT);
    assert.equal(trace.format, 'azure-llm');
    // 4808 / 5000 + 10 / 50, 3180 / 5000 + 8 / 50, 1000 / 5000 + 100 / 50.
    assert.deepEqual(
      trace.jobs.map((job) => [job.id, job.submitS, job.durationS]),
      [
        ['request-1', 0, 4808 / 5000 + 0.2],
        ['request-2', 0.052, 3180 / 5000 + 0.16],
        ['request-4', 61.0200401, 2.2],
      ],
    );
    const [job] = trace.jobs;
    assert.deepEqual([job?.gpuCount, job?.share, job?.model], [1, 1, null]);
    assert.deepEqual(trace.report.dropped, { nonpositive_duration: 1 });
    assert.match(
      trace.report.assumed.join('\n'),
      /at 5000 prompt tokens\/s and 50 generated tokens\/s on 1 of a GPU: not in the trace/,
    );
    assertNothingLost(trace);
  });

  it('takes rates and a share from its options', async () => {
    const settings = { prefillTokensPerS: '1000', decodeTokensPerS: 10, share: 0.25 };
    const { jobs, report } = await importText(TEXT, { settings });
    assert.deepEqual([jobs[2]?.durationS, jobs[2]?.share], [11, 0.25]);
    assert.deepEqual(report.options, {
      prefillTokensPerS: 1000,
      decodeTokensPerS: 10,
      share: 0.25,
      binS: 0,
      maxBadRows: null,
    });
    for (const [name, value] of [
      ['share', '1.5'],
      ['share', 0],
      ['binS', -1],
      ['binS', 1e-9],
      ['decodeTokensPerS', 'fast'],
    ] as const) {
      const message = await messageOf(importText(TEXT, { settings: { [name]: value } }));
      assert.match(message, new RegExp(`option ${name}: expected`));
    }
  });

  it('sums the requests of a window into one job, and counts them', async () => {
    const trace = await importText(TEXT, { settings: { binS: 60 } });
    assert.deepEqual(
      trace.jobs.map((job) => [job.id, job.submitS, job.durationS]),
      [
        // 1.1616 s and 0.796 s of the first minute; the empty request is no part of the second.
        ['bin-0', 0, 4808 / 5000 + 0.2 + (3180 / 5000 + 0.16)],
        ['bin-1', 60, 2.2],
      ],
    );
    assert.deepEqual(trace.report.dropped, { nonpositive_duration: 1, merged: 1 });
    assert.match(trace.report.assumed.join('\n'), /the requests of each 60 s are one job/);
    assertNothingLost(trace);
  });

  it('starts at the earliest request, wherever it stands', async () => {
    const text = `${HEADER}\n2024-05-10 00:00:02.5+00:00,10,5\n2024-05-10 00:00:01.25+00:00,10,5\n`;
    const { jobs } = await importText(text);
    assert.deepEqual(
      jobs.map((job) => [job.id, job.submitS]),
      [
        ['request-2', 0],
        ['request-1', 1.25],
      ],
    );
    const bins = await importText(text, { settings: { binS: 1 } });
    assert.deepEqual(
      bins.jobs.map((job) => [job.id, job.submitS]),
      [
        ['bin--2', 0],
        ['bin-0', 2],
      ],
    );
  });

  it('says that images add no run time', async () => {
    const text = `TIMESTAMP,NumImages,ContextTokens,GeneratedTokens\n2024-10-15 00:00:00.0,2,9,5\n`;
    const { report } = await importText(text);
    assert.match(report.assumed.join('\n'), /the images of 1 requests add no run time/);
  });

  it('points at a stamp that is none', async () => {
    const message = await messageOf(importText(`${HEADER}\n2023-11-31 18:17:03.97,1,1\n`));
    assert.match(
      message,
      /:2:1 TIMESTAMP: expected YYYY-MM-DD HH:MM:SS\.fffffff, found '2023-11-31/,
    );
  });

  it('refuses rates at which a request would run for ages', async () => {
    const message = await messageOf(importText(TEXT, { settings: { decodeTokensPerS: 1e-12 } }));
    assert.match(message, /:2 would run for 1\d{13}\.\d+ s; expected at most 1000000000000/);
  });

  it('reads damaged files with every row accounted for, or refuses them', async () => {
    await assertReadOrRefused([TEXT], { format: 'azure-llm' });
    await assertReadOrRefused([TEXT], { format: 'azure-llm', settings: { binS: 0.5 } });
  });
});

publishedSuite('azure-llm on the published file', () => {
  const name = 'azure-llm/AzureLLMInferenceTrace_code.csv';
  // At 1 token/s for the one and next to no time for the other, run times are the token counts.
  const only = { ContextTokens: 'prefillTokensPerS', GeneratedTokens: 'decodeTokensPerS' };
  const others = { prefillTokensPerS: 1e300, decodeTokensPerS: 1e300 };

  for (const column of ['ContextTokens', 'GeneratedTokens'] as const) {
    it(`gives the known figures of ${column}`, async () => {
      const settings = { ...others, [only[column]]: 1 };
      const trace = await importTrace(published(name), { settings });
      const known = expectedOf(name);
      assert.equal(trace.report.rowsRead, known.rows);
      assert.deepEqual(trace.report.dropped, {});
      assert.deepEqual(spread(trace.jobs.map(({ durationS }) => durationS)), known[column]);
    });
  }

  it('gives the known span, to 100 ns', async () => {
    const { jobs } = await importTrace(published(name));
    // 18:17:03.9799600 to 19:14:19.9280160.
    assert.deepEqual(expectedOf(name).ts, [
      '2023-11-16 18:17:03.9799600',
      '2023-11-16 19:14:19.9280160',
    ]);
    assert.equal(jobs.at(-1)?.submitS, 3435.948056);
  });
});
