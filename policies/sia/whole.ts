import {
  cheapestRows,
  costOfRows,
  type ProgramRow,
  type RowCounts,
  roundRows,
  solveRows,
  TOLERANCE,
} from './rows.ts';

export interface WholeOptions {
  /** Whether to search for an optimum where the rounded relaxation is not certain to be one. */
  readonly exact: boolean;
  /** All costs are multiples of this; 0 where they are not. */
  readonly unit: number;
}

export interface WholeSolution {
  readonly counts: RowCounts;
  /** Whether it is an optimum for certain. */
  readonly isProven: boolean;
}

/**
 * Whole jobs at the least summed cost, or close to it: every job as its cheapest option where all of that
 * fits; else the relaxed optimum, rounded; else, if so asked, the optimum of the integer program.
 *
 * @throws {SolveError} when the solver does not end at an optimum
 */
export function solveWhole(
  what: string,
  rows: readonly ProgramRow[],
  capacity: readonly number[],
  { exact, unit }: WholeOptions,
): WholeSolution {
  const cheapest = cheapestRows(rows, capacity);
  if (cheapest !== null) return { counts: cheapest, isProven: true };
  const { objective, counts: relaxed } = solveRows(what, rows, capacity, false);
  const counts = roundRows(rows, capacity, relaxed);
  const least = unit > 0 ? Math.ceil(objective / unit - TOLERANCE) * unit : objective;
  if (costOfRows(rows, counts) <= least + TOLERANCE) return { counts, isProven: true };
  if (!exact) return { counts, isProven: false };
  const best = solveRows(what, rows, capacity, true).counts;
  return { counts: best.map((ofRow) => ofRow.map(Math.round)), isProven: true };
}
