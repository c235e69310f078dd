import assert from 'node:assert/strict';
import { numbersOf, rangeOf, sortedRange, spreadOf } from '../../../traces/statistics/range.ts';

describe('ranges', () => {
  it('have a median between the two in the middle', () => {
    assert.deepEqual(rangeOf(Float64Array.of(7, 1, 4, 2)), { min: 1, median: 3, max: 7 });
    assert.deepEqual(sortedRange(Float64Array.of(1, 2, 7)), { min: 1, median: 2, max: 7 });
  });

  it('are none for no values', () => {
    assert.equal(rangeOf(new Float64Array()), null);
    assert.equal(spreadOf(new Float64Array()), null);
  });

  it('have the values that more than 90 and 99 % do not exceed', () => {
    const upTo = (count: number) =>
      spreadOf(Float64Array.from({ length: count }, (_, index) => index + 1));
    assert.deepEqual(upTo(10), { min: 1, median: 5.5, mean: 5.5, p90: 10, p99: 10, max: 10 });
    // 27 of 30 are 90 %, so the 28th; 693 of 700 are 99 %, so the 694th.
    assert.equal(upTo(30)?.p90, 28);
    assert.equal(upTo(700)?.p99, 694);
  });

  it('are of one number of each element', () => {
    assert.deepEqual(
      numbersOf(['a', 'bcd'], ({ length }) => length),
      Float64Array.of(1, 3),
    );
  });
});
