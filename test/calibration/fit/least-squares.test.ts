import assert from 'node:assert/strict';
import { at, leastSquares, leastSquaresFrom } from '../../../calibration/fit/least-squares.ts';

const near = (actual: number, expected: number, tolerance = 1e-6): void => {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not near ${expected}`);
};

describe('leastSquares', () => {
  it('finds the line through three points worked out by hand', () => {
    // y = 1, 2, 2 at x = 0, 1, 2: slope 1/2, intercept 7/6, squares 1/6.
    const y = [1, 2, 2];
    const { parameters, cost } = leastSquares({
      residuals: (p) => y.map((value, x) => at(p, 0) + at(p, 1) * x - value),
      start: [0, 0],
      lower: [-10, -10],
      upper: [10, 10],
    });
    near(at(parameters, 0), 7 / 6);
    near(at(parameters, 1), 1 / 2);
    near(cost, 1 / 12);
  });

  it('stops on a bound and finds the best point along it', () => {
    // The free optimum of (a - 3)^2 + (a + b - 4)^2 is a = 3, b = 1; with a <= 2 it is b = 2.
    const { parameters } = leastSquares({
      residuals: ([a = 0, b = 0]) => [a - 3, a + b - 4],
      start: [0, 0],
      lower: [0, 0],
      upper: [2, 10],
    });
    near(at(parameters, 0), 2);
    near(at(parameters, 1), 2);
  });

  it('follows the curved valley of Rosenbrock to its end', () => {
    const { parameters } = leastSquares({
      residuals: ([a = 0, b = 0]) => [1 - a, 10 * (b - a * a)],
      start: [-1.2, 1],
      lower: [-5, -5],
      upper: [5, 5],
    });
    near(at(parameters, 0), 1, 1e-5);
    near(at(parameters, 1), 1, 1e-5);
  });

  it('moves a start outside the bounds to the nearest point inside', () => {
    const { parameters } = leastSquares({
      residuals: ([a = 0]) => [a - 1],
      start: [9],
      lower: [2],
      upper: [3],
    });
    assert.deepEqual(parameters, [2]);
  });

  it('leaves a parameter alone that changes nothing', () => {
    const { parameters } = leastSquares({
      residuals: ([a = 0]) => [a - 1],
      start: [0, 0.5],
      lower: [0, 0],
      upper: [2, 1],
    });
    assert.deepEqual(
      parameters.map((value) => Math.round(value * 1e6) / 1e6),
      [1, 0.5],
    );
  });

  it('gives the same digits twice', () => {
    const run = (): readonly number[] =>
      leastSquares({
        residuals: ([a = 0, b = 0]) => [1, 2, 3].map((x) => a * Math.exp(-b * x) - 1 / x),
        start: [1, 1],
        lower: [0, 0],
        upper: [10, 10],
      }).parameters;
    assert.deepEqual(run(), run());
  });

  it('takes the better of two valleys when it starts in both', () => {
    // Minima near -1 (cost of 0.02) and at 1 (cost 0).
    const found = leastSquaresFrom(
      {
        residuals: ([a = 0]) => [a * a - 1, 0.1 * (a - 1)],
        lower: [-3],
        upper: [3],
      },
      [[-2], [2]],
    );
    near(at(found.parameters, 0), 1);
  });

  it('refuses to run from no start', () => {
    const problem = { residuals: () => [0], lower: [], upper: [] };
    assert.throws(() => leastSquaresFrom(problem, []), /needs a start/);
  });
});
