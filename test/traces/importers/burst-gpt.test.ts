import assert from 'node:assert/strict';
import { assertReadOrRefused } from '../damage.ts';
import { assertNothingLost, importText, messageOf } from '../support.ts';

const TEXT =
  'Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n' +
  '5,ChatGPT,500,50,550,Conversation log\n' +
  '45.5,ChatGPT,1000,100,1100,API log\n' +
  '45.5,GPT-4,1000,100,1100,Conversation log\n' +
  '118,GPT-4,300,0,300,API log\n';
const SECOND =
  'Timestamp,Session ID,Elapsed time,Model,Request tokens,Response tokens,Total tokens,Log Type\n' +
  '19440110.0,1722ac82-0a46,43,GPT-4,1000,50,1050,Conversation log\n';

describe('burst-gpt', () => {
  it('makes each answered request a job of its model', async () => {
    const trace = await importText(TEXT);
    assert.equal(trace.format, 'burst-gpt');
    // 500 / 5000 + 50 / 50, 1000 / 5000 + 100 / 50.
    assert.deepEqual(
      trace.jobs.map((job) => [job.id, job.submitS, job.durationS, job.model]),
      [
        ['request-1', 5, 1.1, 'ChatGPT'],
        ['request-2', 45.5, 2.2, 'ChatGPT'],
        ['request-3', 45.5, 2.2, 'GPT-4'],
      ],
    );
    assert.deepEqual(trace.report.dropped, { failed_request: 1 });
    assertNothingLost(trace);
  });

  it('reads the second generation of columns', async () => {
    const trace = await importText(SECOND);
    const [job] = trace.jobs;
    assert.deepEqual([job?.submitS, job?.durationS, job?.model], [19_440_110, 1.2, 'GPT-4']);
    assert.match(trace.report.assumed.join('\n'), /not kept: Session ID, Elapsed time, Log Type/);
  });

  it('sums the requests of a window by model', async () => {
    const trace = await importText(TEXT, { settings: { binS: 60, share: 0.5 } });
    assert.deepEqual(
      trace.jobs.map((job) => [job.id, job.submitS, job.durationS, job.share]),
      [
        ['bin-0-ChatGPT', 0, 1.1 + 2.2, 0.5],
        ['bin-0-GPT-4', 0, 2.2, 0.5],
      ],
    );
    assert.deepEqual(trace.report.dropped, { merged: 1, failed_request: 1 });
    assertNothingLost(trace);
  });

  it('points at tokens that are no whole numbers', async () => {
    const message = await messageOf(importText(TEXT.replace(',500,', ',5e-1,')));
    assert.match(message, /:2:\d+ Request tokens: expected a whole number, found '5e-1'/);
  });

  it('reads damaged files with every row accounted for, or refuses them', async () => {
    await assertReadOrRefused([TEXT, SECOND], { format: 'burst-gpt' });
    await assertReadOrRefused([TEXT], { format: 'burst-gpt', settings: { binS: 7 } });
  });
});
