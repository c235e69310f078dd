import assert from 'node:assert/strict';
import { distribution, quantile } from '../../../sim/metrics/distribution.ts';
import { close } from '../../support/close.ts';

// By hand, 1 2 3 4 10: mean 4, median 3; p95 lies at position 4 * 0.95 = 3.8: 4 + 0.8 * 6 = 8.8.

describe('sim/metrics/distribution', () => {
  it('gives mean and quantiles of values in any order, and leaves them as they are', () => {
    const values = Float64Array.from([10, 3, 1, 4, 2]);
    const { mean, median, p95, p99, max } = distribution(values);
    assert.deepEqual([mean, median, max], [4, 3, 10]);
    close(p95, 8.8);
    close(p99, 4 + 0.96 * 6);
    assert.deepEqual([...values], [10, 3, 1, 4, 2]);
  });

  it('sorts numbers as numbers', () => {
    assert.equal(distribution(Float64Array.from([9, 10, 100])).median, 10);
  });

  it('is all 0 for no value, and that value for one', () => {
    assert.deepEqual(distribution(new Float64Array(0)), {
      mean: 0,
      median: 0,
      p95: 0,
      p99: 0,
      max: 0,
    });
    const one = distribution(Float64Array.of(7));
    assert.deepEqual([one.mean, one.median, one.p95, one.p99, one.max], [7, 7, 7, 7, 7]);
  });

  it('has the ends as its first and last quantiles', () => {
    const ascending = Float64Array.of(1, 5, 6);
    assert.deepEqual(
      [0, 0.25, 0.5, 1].map((p) => quantile(ascending, p)),
      [1, 3, 5, 6],
    );
  });
});
