import assert from 'node:assert/strict';
import { estimate, relativeChange } from '../../harness/statistics.ts';
import { studentTCritical, studentTTwoSided } from '../../harness/student-t.ts';

function close(actual: number | null | undefined, expected: number, tolerance: number): void {
  assert.ok(
    typeof actual === 'number' && Math.abs(actual - expected) <= tolerance,
    `${actual ?? 'nothing'} is not within ${tolerance} of ${expected}`,
  );
}

describe('harness/student-t', () => {
  it('gives the critical values of printed t tables', () => {
    const table: [confidence: number, degrees: number, t: number][] = [
      [0.95, 1, 12.7062],
      [0.95, 2, 4.30265],
      [0.95, 3, 3.18245],
      [0.95, 4, 2.77645],
      [0.95, 9, 2.26216],
      [0.95, 30, 2.04227],
      [0.95, 100, 1.98397],
      [0.99, 1, 63.6567],
      [0.99, 10, 3.16927],
      [0.9, 5, 2.01505],
    ];
    for (const [confidence, degrees, t] of table) {
      close(studentTCritical(confidence, degrees), t, 5e-5 * t);
    }
  });

  it('agrees with the closed forms for one and two degrees of freedom', () => {
    for (const t of [0.1, 1, 3, 50]) {
      close(studentTTwoSided(t, 1), 1 - (2 / Math.PI) * Math.atan(t), 1e-13);
      close(studentTTwoSided(t, 2), 1 - t / Math.sqrt(2 + t * t), 1e-13);
    }
  });

  it('approaches the normal quantile for many degrees of freedom', () => {
    close(studentTCritical(0.95, 1e7), 1.959964, 1e-5);
  });
});

describe('harness/statistics', () => {
  it('gives the mean and t interval of a hand-worked sample', () => {
    // 2, 4, 6: mean 4, standard deviation 2, standard error 2 / sqrt(3), t(2) = 4.30265.
    const { n, mean, halfWidth } = estimate([2, 4, 6]);
    assert.equal(n, 3);
    assert.equal(mean, 4);
    close(halfWidth, (4.302652729911275 * 2) / Math.sqrt(3), 1e-9);
  });

  it('gives no interval for a single seed', () => {
    assert.deepEqual(estimate([7]), { n: 1, mean: 7, halfWidth: null });
  });

  it('gives an interval of width 0 for equal values', () => {
    assert.deepEqual(estimate([5, 5, 5]), { n: 3, mean: 5, halfWidth: 0 });
  });

  it('pairs by seed, so a difference between seeds that hits both does not widen the interval', () => {
    const change = relativeChange([9, 90, 900], [10, 100, 1000]);
    close(change?.mean, -0.1, 1e-15);
    close(change?.halfWidth, 0, 1e-15);
  });

  it('gives the paired interval of a hand-worked case', () => {
    // Changes +10 % and +30 %: mean 0.2, deviation 0.2 / sqrt(2), standard error 0.1, t(1) = 12.7062.
    const change = relativeChange([11, 26], [10, 20]);
    close(change?.mean, 0.2, 1e-15);
    close(change?.halfWidth, 12.706204736432095 * 0.1, 1e-8);
  });

  it('states no change where the reference is 0 and the value is not', () => {
    assert.equal(relativeChange([1, 1], [0, 1]), null);
    assert.equal(relativeChange([0, 0], [0, 0])?.mean, 0);
  });

  it('refuses to pair samples of different size', () => {
    assert.throws(() => relativeChange([1], [1, 2]), /1 values cannot be paired with 2/);
  });
});
