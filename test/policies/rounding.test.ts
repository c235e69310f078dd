import assert from 'node:assert/strict';
import fc from 'fast-check';
import { roundHalfEven } from '../../policies/rounding.ts';

describe('policies/rounding', () => {
  it('rounds to the nearest, and halves to the even digit', () => {
    assert.deepEqual(
      [0.5, 1.5, 2.5, -0.5, -1.5, 2.4, 2.6].map((value) => roundHalfEven(value)),
      [0, 2, 2, -0, -2, 2, 3],
    );
    // 1/64 = 0.015625 and 3/64 = 0.046875 are doubles that end exactly on a half.
    assert.equal(roundHalfEven(1 / 64, 5), 0.01562);
    assert.equal(roundHalfEven(3 / 64, 5), 0.04688);
  });

  it('goes by the exact value of the double, not by its decimals', () => {
    // 2.675 is the double 2.67499999..., 1.005 is 1.00499999..., 0.285 is 0.28499999...
    assert.equal(roundHalfEven(2.675, 2), 2.67);
    assert.equal(roundHalfEven(1.005, 2), 1);
    assert.equal(roundHalfEven(0.285, 2), 0.28);
  });

  it('is never further than half a digit away, and leaves what is round alone', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1e6, max: 1e6, noNaN: true }).filter((x) => Math.abs(x) > 1e-9),
        fc.integer({ min: 0, max: 6 }),
        (value, decimals) => {
          const rounded = roundHalfEven(value, decimals);
          assert.ok(Math.abs(rounded - value) <= 0.5 * 10 ** -decimals * (1 + 1e-9));
          assert.equal(roundHalfEven(rounded, decimals), rounded);
        },
      ),
    );
  });
});
