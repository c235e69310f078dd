import assert from 'node:assert/strict';
import fc from 'fast-check';
import { coverageOf, STRETCHES } from '../../../traces/statistics/coverage.ts';
import { job } from '../support.ts';

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);

describe('coverage over time', () => {
  it('counts jobs and GPU-hours by stretch: 40 stretches of 10 s over 400 s', () => {
    const coverage = coverageOf([
      job({ submitS: 100, durationS: 3600 }),
      job({ submitS: 105, durationS: 1800, gpuCount: 4 }),
      job({ submitS: 300, durationS: 3600, share: 0.5 }),
      job({ submitS: 500, durationS: 7200 }),
    ]);
    assert.ok(coverage !== null);
    assert.equal(coverage.fromS, 100);
    assert.equal(coverage.stretchS, 10);
    const jobs = new Array<number>(40).fill(0);
    jobs[0] = 2;
    jobs[20] = 1;
    // The last submission closes the span; it has no stretch of its own.
    jobs[39] = 1;
    assert.deepEqual(coverage.jobs, jobs);
    assert.deepEqual(
      [coverage.gpuHours[0], coverage.gpuHours[20], coverage.gpuHours[39]],
      [3, 0.5, 2],
    );
    // Of 4 jobs, 10 % are there with the first, half with the second (5 of 400 s), 90 % with the last.
    assert.deepEqual(coverage.arrivedBy, { p10: 0, p50: 5 / 400, p90: 1 });
    // 195 s from 105 s on, 200 s from 300 s on.
    assert.deepEqual(coverage.longestGap, { fromS: 300, lengthS: 200 });
  });

  it('is none where jobs do not lie apart', () => {
    assert.equal(coverageOf([]), null);
    assert.equal(coverageOf([job(), job()]), null);
  });

  it('loses no job and no GPU-hour', () => {
    const jobs = fc.array(
      fc.record({
        submitS: fc.double({ min: 0, max: 1e9, noNaN: true }),
        durationS: fc.double({ min: 0, max: 1e6, noNaN: true }),
        gpuCount: fc.integer({ min: 1, max: 64 }),
      }),
      { minLength: 2, maxLength: 50 },
    );
    fc.assert(
      fc.property(jobs, (parts) => {
        const sorted = parts.toSorted((a, b) => a.submitS - b.submitS).map((part) => job(part));
        const coverage = coverageOf(sorted);
        if (coverage === null) return;
        assert.equal(coverage.jobs.length, STRETCHES);
        assert.equal(sum(coverage.jobs), sorted.length);
        const hours = sum(sorted.map((each) => (each.gpuCount * each.durationS) / 3600));
        assert.ok(Math.abs(sum(coverage.gpuHours) - hours) <= 1e-9 * hours);
        const { p10, p50, p90 } = coverage.arrivedBy;
        assert.ok(0 <= p10 && p10 <= p50 && p50 <= p90 && p90 <= 1);
      }),
    );
  });
});
