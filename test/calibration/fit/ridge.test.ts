import assert from 'node:assert/strict';
import { ridge } from '../../../calibration/fit/ridge.ts';
import { close } from '../../support/close.ts';

// By hand: one column (1, 1), right (2, 4): (1 + 1 + penalty) x = 6.
//   penalty 0: x 3; penalty 1: x 2; penalty 4: x 1

describe('calibration/fit/ridge', () => {
  it('is ordinary least squares without penalty, and shrinks with it', () => {
    for (const [penalty, expected] of [
      [0, 3],
      [1, 2],
      [4, 1],
    ] as const) {
      close(ridge([[1, 1]], [2, 4], [penalty])[0] ?? NaN, expected, 1e-12);
    }
  });

  it('penalises only the columns that it is told to', () => {
    // y = a + b x on (0, 1), (1, 3), (2, 5): a = 1, b = 2; with a free intercept b falls to
    // Sxy / (Sxx + penalty) = 4 / (2 + 2) = 1, and a = 3 - 1.
    const columns = [
      [1, 1, 1],
      [0, 1, 2],
    ];
    const [a, b] = ridge(columns, [1, 3, 5], [0, 2]);
    close(b ?? NaN, 1, 1e-12);
    close(a ?? NaN, 2, 1e-12);
  });

  it('finds the least of two columns that say the same', () => {
    const found = ridge(
      [
        [1, 1],
        [1, 1],
      ],
      [2, 2],
      [1e-9, 1e-9],
    );
    close(found[0] ?? NaN, 1, 1e-6);
    close(found[1] ?? NaN, 1, 1e-6);
  });

  it('refuses penalties for other columns than there are', () => {
    assert.throws(() => ridge([[1]], [1], []), /as many penalties as columns, found 0 and 1/);
  });
});
