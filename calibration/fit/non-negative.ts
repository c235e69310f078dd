import { at, backSubstitute, type Columns, norm, triangulate } from './linear-algebra.ts';

/** Most columns that are taken: every subset of them is tried. */
const MAX_COLUMNS = 6;

/**
 * The non-negative x with the least |A x - b|, for few columns: of all sets of columns whose own
 * least-squares solution is non-negative, the one with the least residual, which is the optimum
 * (Lawson and Hanson 1974, section 23.2). Columns of zeros get 0.
 */
export function nonNegativeLeastSquares(columns: Columns, right: readonly number[]): number[] {
  if (columns.length > MAX_COLUMNS) {
    throw new RangeError(`expected at most ${MAX_COLUMNS} columns, found ${columns.length}`);
  }
  let best = columns.map(() => 0);
  let least = norm(right);
  for (let set = 1; set < 2 ** columns.length; set += 1) {
    const chosen = columns.flatMap((column, j) => ((set >> j) % 2 === 1 ? [column] : []));
    if (chosen.length > right.length) continue;
    const part = backSubstitute(triangulate(chosen, right));
    if (!part.every((value) => Number.isFinite(value) && value >= 0)) continue;
    const residual = norm(
      right.map((value, i) =>
        chosen.reduce((sum, column, k) => sum - at(column, i) * at(part, k), value),
      ),
    );
    if (residual >= least) continue;
    least = residual;
    let k = 0;
    best = columns.map((_, j) => ((set >> j) % 2 === 1 ? at(part, k++) : 0));
  }
  return best;
}
