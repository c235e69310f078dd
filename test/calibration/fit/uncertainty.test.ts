import assert from 'node:assert/strict';
import { leastSquares } from '../../../calibration/fit/least-squares.ts';
import { uncertainty } from '../../../calibration/fit/uncertainty.ts';

const near = (actual: number | null | undefined, expected: number, tolerance = 1e-8): void => {
  assert.ok(Math.abs((actual ?? Number.NaN) - expected) <= tolerance, `${actual} vs ${expected}`);
};
const FREE = { lower: [-10, -10], upper: [10, 10] };

describe('uncertainty', () => {
  it('is that of the line through three points, worked out by hand', () => {
    // y = 1, 2, 2 at x = 0, 1, 2: s^2 = 1/6, (J'J)^-1 = [[5, -3], [-3, 3]] / 6.
    const y = [1, 2, 2];
    const problem = {
      residuals: ([a = 0, b = 0]: readonly number[]) => y.map((value, x) => a + b * x - value),
      start: [0, 0],
      ...FREE,
    };
    const found = uncertainty(problem, leastSquares(problem).parameters);
    near(found.standardErrors[0], Math.sqrt(5 / 36));
    near(found.standardErrors[1], Math.sqrt(3 / 36));
    near(found.covariance[0]?.[1], -3 / 36);
    assert.equal(found.degreesOfFreedom, 1);
    near(found.sumOfSquares, 1 / 6);
  });

  it('counts a weight of two as measuring twice, save for the degrees of freedom', () => {
    // Mean of 1 (weight 2) and 4: 2; sum of squares 2 * 1 + 4 = 6, one degree, J'WJ = 3.
    const problem = {
      residuals: ([a = 0]: readonly number[]) => [a - 1, a - 4],
      weights: [2, 1],
      start: [0],
      lower: [-10],
      upper: [10],
    };
    const { parameters } = leastSquares(problem);
    near(parameters[0], 2);
    near(uncertainty(problem, parameters).standardErrors[0], Math.sqrt(6 / 3));
  });

  it('names parameters on a bound, and gives them no error', () => {
    const problem = {
      residuals: ([a = 0, b = 0]: readonly number[]) => [a - 3, a + b - 4, b - 1.5],
      start: [0, 0],
      lower: [0, 2],
      upper: [2, 10],
    };
    const found = uncertainty(problem, leastSquares(problem).parameters);
    assert.deepEqual(found.status, ['at upper bound', 'at lower bound']);
    assert.deepEqual(found.standardErrors, [null, null]);
  });

  it('names a parameter that changes nothing, and still gives the others their errors', () => {
    const problem = {
      residuals: ([a = 0]: readonly number[]) => [a - 1, a - 2, a - 6],
      start: [0, 0.5],
      lower: [0, 0],
      upper: [10, 1],
    };
    const found = uncertainty(problem, leastSquares(problem).parameters);
    assert.deepEqual(found.status, ['free', 'not identifiable']);
    assert.ok((found.standardErrors[0] ?? 0) > 0);
    assert.equal(found.standardErrors[1], null);
  });

  it('names two parameters of which only the sum is seen, and not the third', () => {
    const problem = {
      residuals: ([a = 0, b = 0, c = 0]: readonly number[]) =>
        [0, 1, 2, 3].map((x) => a + b + c * x - ([1, 3, 4, 8][x] ?? 0)),
      start: [0.2, 0.3, 1],
      lower: [-10, -10, -10],
      upper: [10, 10, 10],
    };
    const { parameters } = leastSquares(problem);
    near((parameters[0] ?? 0) + (parameters[1] ?? 0), 0.7, 1e-6);
    const { status } = uncertainty(problem, parameters);
    assert.deepEqual(status, ['not identifiable', 'not identifiable', 'free']);
  });

  it('knows a parameter whose bounds are equal as fixed', () => {
    const problem = {
      residuals: ([a = 0, b = 0]: readonly number[]) => [a + b - 3, a - b],
      start: [0, 1],
      lower: [-5, 1],
      upper: [5, 1],
    };
    const { parameters } = leastSquares(problem);
    near(parameters[0], 1.5);
    assert.deepEqual(uncertainty(problem, parameters).status, ['free', 'fixed']);
  });

  it('gives no error where there are as many parameters as residuals', () => {
    const problem = {
      residuals: ([a = 0, b = 0]: readonly number[]) => [a - 1, a + b - 3],
      start: [0, 0],
      ...FREE,
    };
    const found = uncertainty(problem, leastSquares(problem).parameters);
    assert.deepEqual(found.standardErrors, [null, null]);
    assert.equal(found.residualDeviation, null);
  });
});
