import assert from 'node:assert/strict';
import fc from 'fast-check';
import { InputError } from '../../../sim/errors.ts';
import { importTrace } from '../../../traces/formats.ts';
import { assertReadOrRefused } from '../damage.ts';
import { assertNothingLost, importText, messageOf } from '../support.ts';
import { published, publishedSuite } from './published.ts';

type Detail = readonly { readonly ip: string; readonly gpus: readonly string[] }[];
interface Attempt {
  readonly start_time: unknown;
  readonly end_time: unknown;
  readonly detail: unknown;
}

const gpus = (count: number, ip = 'm47'): Detail => [
  { ip, gpus: Array.from({ length: count }, (_, index) => `gpu${index}`) },
];
const attempt = (start: unknown, end: unknown, detail: unknown = gpus(1)): Attempt => ({
  start_time: start,
  end_time: end,
  detail,
});
const record = (jobid: unknown, submitted: unknown, attempts: unknown, more = {}) => ({
  status: 'Pass',
  vc: '6214e9',
  jobid,
  attempts,
  submitted_time: submitted,
  user: '2c46d5',
  ...more,
});
const log = (...records: readonly unknown[]) => JSON.stringify(records, null, 1);

// The example of the README of msr-fiddle/philly-traces: 8 GPUs, a second attempt on another machine.
const README = record(
  'application_1506638472019_14199',
  '2017-10-07 01:11:39',
  [
    attempt('2017-10-07 01:12:09', '2017-10-07 01:13:23', gpus(8)),
    attempt('2017-10-07 01:13:30', '2017-10-09 06:53:12', gpus(8, 'm412')),
  ],
  { vc: 'ee9e8c', user: 'ce2f4c' },
);
// Two records of the log that were printed elsewhere: "None" for times, and no attempts at all.
const NONE_QUIRK = record('application_1506638472019_16565', '2017-10-09 03:04:16', [
  attempt('2017-10-09 03:07:23', 'None'),
  attempt('2017-10-09 03:11:14', '2017-10-09 03:11:57'),
  attempt('2017-10-09 03:14:24', 'None'),
  attempt('None', '2017-10-09 03:15:12'),
]);
const NO_ATTEMPTS = record('application_1506638472019_15647', '2017-10-08 16:10:00', [], {
  status: 'Killed',
});
const SAMPLE = log(README, NONE_QUIRK, NO_ATTEMPTS);

describe('philly-json', () => {
  it('makes the job of the README: from the first start to the last end', async () => {
    const trace = await importText(log(README));
    assert.equal(trace.format, 'philly-json');
    assert.match(trace.recognisedBy ?? '', /JSON list of objects with 'jobid', 'attempts'/);
    const [job] = trace.jobs;
    // 01:12:09 to 06:53:12 two days later: 2 x 86,400 + 5 x 3,600 + 41 x 60 + 3.
    assert.equal(job?.durationS, 193_263);
    // 01:11:39 to 01:12:09.
    assert.equal(job.queuedS, 30);
    assert.equal(job.gpuCount, 8);
    assert.deepEqual(
      [job.id, job.status, job.virtualCluster, job.user, job.submitS, job.row],
      ['application_1506638472019_14199', 'Pass', 'ee9e8c', 'ce2f4c', 0, 1],
    );
    const [zero, , several] = trace.report.assumed;
    // Pacific summer time is 7 hours behind UTC.
    assert.equal(zero, 'time 0 is the first submission kept, 2017-10-07 08:11:39 UTC');
    // 7 s x 8 GPUs between the attempts.
    assert.match(several ?? '', /^1 of 1 jobs have several attempts; 0\.0 GPU-hours lie outside/);
    assert.equal(trace.report.options.attempts, 'merged');
  });

  it('takes "None" for a time that is missing, and leaves out what never started', async () => {
    const trace = await importText(SAMPLE);
    assert.deepEqual(
      trace.jobs.map(({ id, submitS, durationS, queuedS, gpuCount }) => [
        ...[id.slice(-5), submitS, durationS, queuedS, gpuCount],
      ]),
      [
        ['14199', 0, 193_263, 30, 8],
        // Two days, 1 h 52 min 37 s after the first; 03:07:23 to 03:15:12; waited 3 min 7 s.
        ['16565', 2 * 86_400 + 6757, 469, 187, 1],
      ],
    );
    assert.deepEqual(trace.report.dropped, { no_start: 1 });
    assertNothingLost(trace);
  });

  it('adds up attempts with both times when asked', async () => {
    const trace = await importText(SAMPLE, { settings: { attempts: 'sum' } });
    assert.deepEqual(
      trace.jobs.map(({ durationS, queuedS }) => [durationS, queuedS]),
      [
        // 74 s and 2 days 5:39:42.
        [74 + 193_182, 30],
        // 03:11:14 to 03:11:57 is the only one with both; it started 6 min 58 s after submission.
        [43, 418],
      ],
    );
    assert.ok(
      trace.report.assumed.includes(
        '2 of 3 jobs have several attempts; 3 attempts of jobs that are kept are not counted',
      ),
    );
    assertNothingLost(trace);
  });

  it('makes each attempt a job that arrives at the end of the one before when asked', async () => {
    const trace = await importText(SAMPLE, { settings: { attempts: 'separate' } });
    assert.deepEqual(
      trace.jobs.map(({ id, submitS, durationS, queuedS }) => [
        ...[id.slice(-7), submitS, durationS, queuedS],
      ]),
      [
        ['14199#1', 0, 74, 30],
        // The first ended at 01:13:23, 104 s after submission; the second started 7 s later.
        ['14199#2', 104, 193_182, 7],
        ['16565#2', 2 * 86_400 + 6757, 43, 418],
      ],
    );
    // Attempts 1 and 3 of the second job have no end, 4 has no start; the third job has no attempt.
    assert.deepEqual(trace.report.dropped, { no_end: 2, no_start: 2 });
    assert.equal(trace.report.rowsRead, 7);
    assertNothingLost(trace);
  });

  it('has no end for a job whose last attempt still runs, and no start without a first one', async () => {
    const running = [attempt('2017-10-09 03:00:00', '2017-10-09 04:00:00')];
    const text = log(
      README,
      record('a', '2017-10-09 03:00:00', [...running, attempt('2017-10-09 05:00:00', 'None')]),
      record('b', '2017-10-09 03:00:00', [attempt(null, '2017-10-09 05:00:00'), ...running]),
      record('c', '2017-10-09 03:00:00', [attempt('2017-10-09 05:00:00', '2017-10-09 05:00:00')]),
      record('d', '2017-10-09 03:00:00', [
        attempt('2017-10-09 03:00:00', '2017-10-09 05:00:00', []),
      ]),
      README,
    );
    const { report } = await importText(text);
    const dropped = { no_end: 1, no_start: 1, nonpositive_duration: 1, cpu_only: 1 };
    assert.deepEqual(report.dropped, { ...dropped, duplicate_id: 1 });
    const kept = await importText(text, { settings: { zeroDuration: 'one-second' } });
    assert.equal(kept.report.dropped.nonpositive_duration, undefined);
  });

  it('takes the GPUs of the first attempt, or the most when asked', async () => {
    const text = log(
      record('a', '2017-10-09 03:00:00', [
        attempt('2017-10-09 03:00:00', '2017-10-09 03:01:00', [...gpus(2), ...gpus(1, 'm9')]),
        attempt('2017-10-09 03:02:00', '2017-10-09 03:03:00', gpus(8)),
      ]),
    );
    const first = await importText(text);
    // 2 on one machine and 1 on another.
    assert.equal(first.jobs[0]?.gpuCount, 3);
    assert.match(
      first.report.assumed.join('\n'),
      /1 jobs have attempts of different GPUs: the first are taken/,
    );
    const largest = await importText(text, { settings: { gang: 'largest' } });
    assert.equal(largest.jobs[0]?.gpuCount, 8);
    const separate = await importText(text, { settings: { attempts: 'separate' } });
    assert.deepEqual(separate.report.gangSizes, { 3: 1, 8: 1 });
  });

  it('undoes the change of clocks, with the second pass of the hour where only that fits', async () => {
    const text = log(
      // 00:30 to 02:30 spans the repeated hour: 3 h, not 2.
      record('a', '2017-11-05 00:00:00', [attempt('2017-11-05 00:30:00', '2017-11-05 02:30:00')]),
      // 01:50 is the first pass, 01:10 after it only the second: 20 minutes.
      record('b', '2017-11-05 01:40:00', [attempt('2017-11-05 01:50:00', '2017-11-05 01:10:00')]),
    );
    const { jobs, report } = await importText(text);
    assert.deepEqual(
      jobs.map(({ submitS, durationS, queuedS }) => [submitS, durationS, queuedS]),
      [
        [0, 3 * 3600, 1800],
        [6000, 1200, 600],
      ],
    );
    assert.match(
      report.assumed.join('\n'),
      /3 times in a repeated hour are taken as its first pass, but 1 as its second/,
    );
    const naive = await importText(text, { settings: { timeZone: 'naive' } });
    assert.deepEqual(
      naive.jobs.map(({ durationS }) => durationS),
      [7200],
    );
    assert.deepEqual(naive.report.dropped, { nonpositive_duration: 1 });
    assert.match(naive.report.assumed.join('\n'), /times are differences of local clock times/);
  });

  it('keeps a job that starts before it is submitted, without a queueing time', async () => {
    const text = log(
      record('a', '2017-10-09 03:00:00', [attempt('2017-10-09 02:59:00', '2017-10-09 03:10:00')]),
    );
    const { jobs, report } = await importText(text);
    assert.deepEqual([jobs[0]?.durationS, jobs[0]?.queuedS], [660, null]);
    assert.ok(report.assumed.includes('1 jobs start before they arrive: no queueing time'));
  });

  it('points at what is wrong in a record, and counts it', async () => {
    const good = record('good', '2017-10-09 03:00:00', README.attempts);
    const cases: readonly (readonly [unknown, RegExp])[] = [
      [{ ...good, jobid: 7 }, /^t\.csv:49:2 jobid: expected a text, found '7'/],
      [{ ...good, jobid: undefined }, /jobid: expected a text, found nothing/],
      [{ ...good, status: {} }, /job 'good': status: expected a text, found an object/],
      [{ ...good, submitted_time: 'None' }, /submitted_time: expected YYYY-MM-DD HH:MM:SS, found/],
      [{ ...good, attempts: null }, /attempts: expected a list, found null/],
      [{ ...good, attempts: [7] }, /attempts\[0\]: expected an object, found '7'/],
      [{ ...good, attempts: [{}] }, /attempts\[0\]\.detail: expected a list, found nothing/],
      [
        { ...good, attempts: [attempt(undefined, 'None')] },
        /attempts\[0\]\.start_time: expected YYYY-MM-DD HH:MM:SS, found nothing/,
      ],
      [
        { ...good, attempts: [attempt('2017-02-30 00:00:00', 'None')] },
        /attempts\[0\]\.start_time: .*found '2017-02-30 00:00:00'/,
      ],
      [
        { ...good, attempts: [attempt('None', 'None', [{ ip: 'm1', gpus: 'gpu0' }])] },
        /attempts\[0\]\.detail\[0\]\.gpus: expected a list, found 'gpu0'/,
      ],
      [
        { ...good, attempts: [attempt('None', 'None', [{ ip: 'm1', gpus: [[]] }])] },
        /gpus: expected a text, found a list/,
      ],
    ];
    for (const [bad, message] of cases) {
      const text = log(README, bad);
      assert.match(await messageOf(importText(text)), message);
      const trace = await importText(text, { maxBadRows: 1 });
      assert.deepEqual(trace.report.dropped, { bad_row: 1 });
      assert.match(trace.report.badRowExamples[0] ?? '', message);
    }
  });

  it('refuses what is no list of jobs', async () => {
    const settings = { format: 'philly-json' };
    assert.match(await messageOf(importText('[]', settings)), /has no jobs: 0 rows read/);
    assert.match(await messageOf(importText('job_id\n', settings)), /:1:1 expected a list/);
    assert.match(await messageOf(importText(SAMPLE.slice(0, -1))), /is cut off/);
    assert.match(
      await messageOf(importText(SAMPLE, { settings: { attempts: 'add' } })),
      /option attempts: expected one of 'merged', 'sum', 'separate', found 'add'/,
    );
  });

  it('keeps every job or counts why not, whatever the attempts and options are', async () => {
    const time = fc.oneof(
      fc.constantFrom('None', null, ''),
      fc.nat(200_000).map((offset) => {
        const date = new Date(Date.UTC(2017, 10, 4, 12) + offset * 1000);
        return date.toISOString().slice(0, 19).replace('T', ' ');
      }),
    );
    const attempts = fc.array(
      fc
        .tuple(time, time, fc.nat(3))
        .map(([start, end, count]) => attempt(start, end, gpus(count))),
      { maxLength: 4 },
    );
    const settings = fc.record({
      attempts: fc.constantFrom('merged', 'sum', 'separate'),
      gang: fc.constantFrom('first', 'largest'),
      timeZone: fc.constantFrom('naive', 'America/Los_Angeles'),
      zeroDuration: fc.constantFrom('drop', 'one-second'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(attempts, { maxLength: 6 }), settings, async (all, chosen) => {
        const records = all.map((each, index) => record(`j${index}`, '2017-11-04 12:00:00', each));
        const trace = await importText(log(README, ...records), { settings: chosen });
        assertNothingLost(trace);
        const parts = all.reduce((sum, { length }) => sum + Math.max(1, length), 2);
        const rows = chosen.attempts === 'separate' ? parts : all.length + 1;
        assert.equal(trace.report.rowsRead, rows);
        for (const { durationS, gpuCount, queuedS } of trace.jobs) {
          assert.ok(durationS > 0 && gpuCount > 0 && (queuedS ?? 0) >= 0);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('reads damaged files soundly or refuses them', async () => {
    const texts = [SAMPLE, JSON.stringify(JSON.parse(SAMPLE))];
    await assertReadOrRefused(texts, { format: 'philly-json' }, 300);
  });

  it('reads values of any type soundly or refuses them', async () => {
    const anything = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom('x'.repeat(20_000), 1e308, [[[[[]]]]], '9'.repeat(400), '\uFFFF'),
    );
    const keys = ['jobid', 'status', 'vc', 'user', 'submitted_time', 'attempts'];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...keys), anything, async (key, value) => {
        const text = JSON.stringify([README, { ...NONE_QUIRK, [key]: value }]);
        try {
          assertNothingLost(await importText(text, { maxBadRows: 1 }));
        } catch (error) {
          // A NUL is escaped in JSON, so only too long an object is refused.
          if (!(error instanceof InputError)) throw error;
          assert.match(error.message, /longer than/);
        }
      }),
      { numRuns: 60 },
    );
  });
});

publishedSuite('the published records of the Philly job log', () => {
  it('are the jobs above', async () => {
    const readme = await importTrace(
      published('philly-derived/readme_example_cluster_job_log.json'),
    );
    const typed = await importText(log(README));
    assert.deepEqual([...readme.jobs], [...typed.jobs]);
    const quirks = await importTrace(
      published('philly-derived/transcribed_records_None_quirk.json'),
    );
    const both = await importText(log(NONE_QUIRK, NO_ATTEMPTS));
    assert.deepEqual([...quirks.jobs], [...both.jobs]);
    assert.deepEqual(quirks.report.dropped, { no_start: 1 });
  });
});
