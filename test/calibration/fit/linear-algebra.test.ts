import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  backSubstitute,
  dot,
  singularValues,
  triangulate,
} from '../../../calibration/fit/linear-algebra.ts';
import { nonNegativeLeastSquares } from '../../../calibration/fit/non-negative.ts';

const near = (actual: number | undefined, expected: number, tolerance = 1e-9): void => {
  assert.ok(Math.abs((actual ?? Number.NaN) - expected) <= tolerance, `${actual} vs ${expected}`);
};

describe('linear algebra of small problems', () => {
  it('solves a square system worked out by hand', () => {
    // 2 x + y = 5, x - y = 1: x = 2, y = 1.
    const [x, y] = backSubstitute(
      triangulate(
        [
          [2, 1],
          [1, -1],
        ],
        [5, 1],
      ),
    );
    near(x, 2);
    near(y, 1);
  });

  it('leaves a residual that no column can lessen', () => {
    const value = fc.double({ min: -5, max: 5, noNaN: true });
    const column = fc.array(value, { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(column, column, column, (a, b, right) => {
        fc.pre(dot(a, a) > 0.1 && dot(b, b) > 0.1);
        fc.pre(dot(a, b) ** 2 < 0.99 * dot(a, a) * dot(b, b));
        const [p = 0, q = 0] = backSubstitute(triangulate([a, b], right));
        const left = right.map((r, i) => r - p * (a[i] ?? 0) - q * (b[i] ?? 0));
        near(dot(left, a), 0, 1e-8);
        near(dot(left, b), 0, 1e-8);
      }),
    );
  });

  it('knows the singular values of a matrix and a direction that it does not see', () => {
    // Columns (3, 0) and (0, 4), then two equal ones.
    const { values } = singularValues([
      [3, 0],
      [0, 4],
    ]);
    assert.deepEqual([...values].sort(), [3, 4]);
    const twice = singularValues([
      [1, 2],
      [1, 2],
    ]);
    near(Math.min(...twice.values), 0);
    near(Math.max(...twice.values), Math.sqrt(10));
    const unseen = twice.vectors[twice.values.indexOf(Math.min(...twice.values))];
    near(Math.abs(unseen?.[0] ?? 0), Math.SQRT1_2);
  });
});

describe('non-negative least squares', () => {
  it('is the free solution where that is not negative', () => {
    const [a, b] = nonNegativeLeastSquares(
      [
        [1, 0, 1],
        [0, 1, 1],
      ],
      [1, 2, 3],
    );
    near(a, 1);
    near(b, 2);
  });

  it('drops the column that the free solution takes negatively', () => {
    // Free: y = 3 - 1 x at x = 0, 1, 2. With a slope of at least 0 the best is the mean.
    const [level, slope] = nonNegativeLeastSquares(
      [
        [1, 1, 1],
        [0, 1, 2],
      ],
      [3, 2, 1],
    );
    near(level, 2);
    assert.equal(slope, 0);
  });

  it('gives a column of zeros nothing', () => {
    assert.deepEqual(
      nonNegativeLeastSquares(
        [
          [0, 0],
          [1, 1],
        ],
        [2, 2],
      )[0],
      0,
    );
  });

  it('refuses more columns than it can try', () => {
    const many = Array.from({ length: 9 }, () => [1]);
    assert.throws(() => nonNegativeLeastSquares(many, [1]), /at most 6 columns, found 9/);
  });
});
