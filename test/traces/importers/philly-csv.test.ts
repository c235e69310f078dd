import assert from 'node:assert/strict';
import fc from 'fast-check';
import { importTrace } from '../../../traces/formats.ts';
import { assertNothingLost, fixture, importText, messageOf } from '../support.ts';
import { expectedOf, published, publishedSuite, spread } from './published.ts';

const HEADER = 'timestamp,duration,num_gpus,gpu_time,cluster';

describe('philly-csv', () => {
  it('sorts by submission and row, ranks the ids and counts what it leaves out', async () => {
    const trace = await importTrace(fixture('philly-small.csv'));
    assert.equal(trace.format, 'philly-csv');
    assert.match(trace.recognisedBy ?? '', /header has the columns 'timestamp'/);
    assert.deepEqual(
      trace.jobs.map((job) => [job.id, job.submitS, job.durationS, job.gpuCount, job.row]),
      [
        ['philly-1', 0, 3600, 8, 2],
        ['philly-2', 10, 120, 1, 1],
        ['philly-3', 10, 60, 2, 3],
        ['philly-4', 86_400, 10.5, 1, 5],
      ],
    );
    assert.deepEqual(
      trace.jobs.map((job) => job.virtualCluster),
      ['6c71a0', '11cb48', '11cb48', null],
    );
    assert.deepEqual(trace.report.dropped, { nonpositive_duration: 1 });
    assert.equal(trace.report.gpuHours, (28_800 + 120 + 120 + 10.5) / 3600);
    assertNothingLost(trace);
  });

  it('undoes the change of clocks on request only', async () => {
    const text = `${HEADER}\n2017-11-05 00:00:00,1,1,1,a\n2017-11-05 03:00:00,1,1,1,a\n`;
    const naive = await importText(text);
    assert.equal(naive.jobs[1]?.submitS, 3 * 3600);
    const settings = { timeZone: 'America/Los_Angeles' };
    const zoned = await importText(text, { settings });
    assert.equal(zoned.jobs[1]?.submitS, 4 * 3600);
    assert.equal(zoned.report.options.timeZone, 'America/Los_Angeles');
  });

  it('reports submissions in the repeated hour', async () => {
    const text = `${HEADER}\n2017-11-05 01:30:00,1,1,1,a\n`;
    const { report } = await importText(text, { settings: { timeZone: 'America/Los_Angeles' } });
    assert.ok(report.assumed.some((line) => /^1 submissions in a repeated hour/.test(line)));
  });

  it('says what is wrong with an option', async () => {
    const text = `${HEADER}\n2017-11-05 01:30:00,1,1,1,a\n`;
    assert.match(
      await messageOf(importText(text, { settings: { timeZon: 'naive' } })),
      /no option 'timeZon'.*did you mean 'timeZone'\?/,
    );
    assert.match(
      await messageOf(importText(text, { settings: { timeZone: 'Mars' } })),
      /option timeZone: expected 'naive' or a zone .* found 'Mars'/,
    );
  });

  it('points at the cell of a bad row', async () => {
    const good = '2017-11-05 01:30:00,1,1,1,a\n';
    const text = `${HEADER}\n${good}2017-11-05 01:30:00,1,x,1,a\n`;
    assert.equal(
      await messageOf(importText(text)),
      "t.csv:3:23 num_gpus: expected a number, found 'x' " +
        '(1 of 2 rows are bad; allowed: 1 % of the rows)',
    );
    const { report } = await importText(text, { maxBadRows: 1 });
    assert.deepEqual(report.dropped, { bad_row: 1 });
    assert.deepEqual(report.badRowExamples, ["t.csv:3:23 num_gpus: expected a number, found 'x'"]);
  });

  it('gives the same jobs for any order of the rows when submissions differ', async () => {
    const pad = (value: number) => String(value).padStart(2, '0');
    const rows = Array.from({ length: 30 }, (_, index) => {
      return `2017-10-09 07:${pad(index)}:00,${index + 1},${1 + (index % 4)},1,vc`;
    });
    const jobsOf = async (lines: readonly string[]) => {
      const { jobs } = await importText([HEADER, ...lines].join('\n'));
      return jobs.map(({ row: _row, ...job }) => job);
    };
    const expected = await jobsOf(rows);
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(rows, { minLength: rows.length }), async (shuffled) => {
        assert.deepEqual(await jobsOf(shuffled), expected);
      }),
      { numRuns: 25 },
    );
  });
});

publishedSuite('the published rows of Philly (Pollux)', () => {
  it('have the known figures', async () => {
    const name = 'philly-derived/pollux_philly.csv';
    const known = expectedOf(name);
    const { jobs, report } = await importTrace(published(name));
    const rows = [...jobs];
    assert.equal(rows.length, known.rows);
    assert.equal(rows.length, 82_247);
    assert.deepEqual(report.dropped, {});
    assert.deepEqual(report.gangSizes, known.num_gpus_hist);
    assert.deepEqual(spread(rows.map(({ durationS }) => durationS)), known.duration_s);
    assert.equal(Math.round(report.singleGpuFraction * 100_000) / 1000, known.pct_single_gpu);
    assert.equal(Math.round(report.gpuHours * 10) / 10, known.gpu_hours);
    assert.equal(new Set(rows.map(({ virtualCluster }) => virtualCluster)).size, known.vcs);
    // The default takes differences of the clock on the wall.
    const [first, last] = known.ts;
    const span = (Date.parse(`${last}Z`) - Date.parse(`${first}Z`)) / 1000;
    assert.deepEqual([rows.at(0)?.submitS, rows.at(-1)?.submitS], [0, span]);
    const inFileOrder = rows.every(({ row }, index) => row === index + 1);
    assert.equal(inFileOrder, known.sorted);
    const polluxTakes = rows.filter(
      ({ durationS, gpuCount }) => durationS >= 60 && durationS * gpuCount < 1000 * 3600,
    );
    assert.equal(polluxTakes.length, known.rows_after_pollux_filter);
  });
});
