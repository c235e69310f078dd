import { at, backSubstitute, type Columns, triangulate } from './linear-algebra.ts';

/**
 * The x with the least `|A x - right|^2 + sum of penalty_j * x_j^2` (Hoerl and Kennard 1970), by
 * orthogonal reduction of A with a row `sqrt(penalty_j)` for each penalised unknown.
 *
 * @param columns A by its columns
 * @param penalties one a column; 0 leaves the unknown free
 */
export function ridge(
  columns: Columns,
  right: readonly number[],
  penalties: readonly number[],
): number[] {
  if (columns.length !== penalties.length) {
    throw new RangeError(
      `expected as many penalties as columns, found ${penalties.length} and ${columns.length}`,
    );
  }
  const extra = columns.map((_, j) => Math.sqrt(at(penalties, j)));
  const augmented = columns.map((column, j) => [
    ...column,
    ...extra.map((weight, k) => (k === j ? weight : 0)),
  ]);
  return backSubstitute(triangulate(augmented, [...right, ...extra.map(() => 0)]));
}
