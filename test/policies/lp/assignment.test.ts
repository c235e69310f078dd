import assert from 'node:assert/strict';
import fc from 'fast-check';
import { assign } from '../../../policies/lp/index.ts';

const rows = (matrix: readonly (readonly number[])[]) =>
  matrix.map((row) => Float64Array.from(row));

/** Least cost by trying every assignment. */
function leastByTrying(matrix: readonly (readonly number[])[], row = 0, used = 0): number {
  if (row === matrix.length) return 0;
  let least = Infinity;
  (matrix[row] as readonly number[]).forEach((cost, column) => {
    if ((used >> column) & 1) return;
    least = Math.min(least, cost + leastByTrying(matrix, row + 1, used | (1 << column)));
  });
  return least;
}

describe('the assignment of rows to columns', () => {
  it('takes the least sum, not the least cost first', () => {
    // Row 1 has the cheapest cell (0 in column 1), but 1 + 2 + 2 = 5 is the least sum.
    const matrix = [
      [4, 1, 3],
      [2, 0, 5],
      [3, 2, 2],
    ];
    assert.deepEqual([...(assign(rows(matrix), 3) ?? [])], [1, 0, 2]);
  });

  it('gives equal rows the columns in order', () => {
    const matrix = [
      [1, 1, 1],
      [1, 1, 1],
    ];
    assert.deepEqual([...(assign(rows(matrix), 3) ?? [])], [0, 1]);
  });

  it('keeps off forbidden cells, and says when it cannot', () => {
    assert.deepEqual([...(assign(rows([[Infinity, 9]]), 2) ?? [])], [1]);
    const both = [
      [5, Infinity],
      [1, Infinity],
    ];
    assert.equal(assign(rows(both), 2), null);
  });

  it('refuses more rows than columns, and costs that are none', () => {
    assert.throws(() => assign(rows([[1], [2]]), 1), /2 rows cannot have 1 columns/);
    assert.throws(() => assign(rows([[Number.NaN]]), 1), /a cost is NaN/);
  });

  it('finds what trying all of them finds', () => {
    const matrices = fc
      .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 0, max: 2 }))
      .chain(([height, more]) =>
        fc.array(
          fc.array(fc.integer({ min: 0, max: 20 }), {
            minLength: height + more,
            maxLength: height + more,
          }),
          { minLength: height, maxLength: height },
        ),
      );
    fc.assert(
      fc.property(matrices, (matrix) => {
        const columns = assign(rows(matrix), matrix[0]?.length ?? 0);
        assert.ok(columns !== null);
        assert.equal(new Set(columns).size, matrix.length);
        const cost = matrix.reduce((sum, row, i) => sum + (row[columns[i] as number] as number), 0);
        assert.equal(cost, leastByTrying(matrix));
      }),
    );
  });
});
