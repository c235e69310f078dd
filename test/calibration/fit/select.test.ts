import assert from 'node:assert/strict';
import { simplestWithinOneError } from '../../../calibration/fit/select.ts';

describe('calibration/fit/select', () => {
  it('takes the simplest candidate within one standard error of the best', () => {
    // The best has mean 2 over 1, 2, 3: variance 1, standard error 0.577.
    assert.equal(
      simplestWithinOneError([
        [3, 3, 3],
        [2.5, 2.5, 2.5],
        [1, 2, 3],
      ]),
      1,
    );
    assert.equal(
      simplestWithinOneError([
        [2.6, 2.6, 2.6],
        [1, 2, 3],
      ]),
      1,
    );
  });

  it('takes the best where its folds agree', () => {
    assert.equal(
      simplestWithinOneError([
        [2.01, 2.01],
        [2, 2],
      ]),
      1,
    );
    assert.equal(simplestWithinOneError([[2], [2]]), 0);
  });
});
