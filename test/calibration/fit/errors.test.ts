import assert from 'node:assert/strict';
import { mean, meanAbsolutePercentageError, median } from '../../../calibration/fit/errors.ts';

describe('the error measures', () => {
  it('average the relative errors of both signs', () => {
    const error = meanAbsolutePercentageError([100, 200], [110, 180]);
    assert.ok(Math.abs(error - 0.1) < 1e-12);
  });

  it('refuse lists of unequal length and empty ones', () => {
    assert.throws(() => meanAbsolutePercentageError([1, 2], [1]), /found 1 and 2/);
    assert.throws(() => meanAbsolutePercentageError([], []), RangeError);
    assert.throws(() => mean([]), RangeError);
  });

  it('take the middle value, or the mean of the two in the middle', () => {
    assert.equal(median([3, 1, 2]), 2);
    assert.equal(median([4, 1, 3, 2]), 2.5);
    assert.equal(median([7]), 7);
  });
});
