import {
  cheapestRows,
  costOfRows,
  type OptionBounds,
  type ProgramRow,
  type RowCounts,
  type RowSolution,
  roundRows,
  solveRows,
  TOLERANCE,
} from './rows.ts';

export interface BranchLimits {
  /** Linear programs that may be solved; one at least is where jobs compete. */
  readonly programs: number;
  /** All costs are multiples of this; 0 where they are not. */
  readonly unit: number;
}

export interface WholeSolution {
  readonly counts: RowCounts;
  /** Whether it is an optimum for certain, or the best that the programs allowed have shown. */
  readonly isProven: boolean;
}

/** A part of all solutions, and the relaxed optimum in it. */
interface Branch {
  readonly bounds: readonly OptionBounds[];
  readonly relaxed: RowSolution;
}

/**
 * Whole jobs at the least summed cost: branch and bound on the linear relaxation, whose roundings are the
 * solutions to beat. Deterministic, as its limit counts programs and not time.
 *
 * @throws {SolveError} when the solver fails
 */
export function solveWhole(
  what: string,
  rows: readonly ProgramRow[],
  capacity: readonly number[],
  { programs, unit }: BranchLimits,
): WholeSolution {
  const cheapest = cheapestRows(rows, capacity);
  if (cheapest !== null) return { counts: cheapest, isProven: true };
  let best: RowCounts | null = null;
  let bestCost = Infinity;
  let solved = 0;
  const open: Branch[] = [];
  const lookInto = (bounds: readonly OptionBounds[]): void => {
    solved += 1;
    const relaxed = solveRows(what, rows, capacity, false, bounds);
    if (relaxed === null || !(leastCost(relaxed, unit) < bestCost - TOLERANCE)) return;
    const counts = roundRows(rows, capacity, relaxed.counts);
    const cost = costOfRows(rows, counts);
    if (cost < bestCost) {
      best = counts;
      bestCost = cost;
    }
    open.push({ bounds, relaxed });
  };
  lookInto([]);
  for (let branch = open.pop(); branch !== undefined; branch = open.pop()) {
    if (!(leastCost(branch.relaxed, unit) < bestCost - TOLERANCE)) continue;
    const split = mostSplit(branch.relaxed.counts);
    if (split === null) continue;
    if (solved + 2 > programs) return { counts: best ?? [], isProven: false };
    const { row, option, value } = split;
    const low = Math.floor(value);
    const below: OptionBounds = { row, option, lower: 0, upper: low };
    const above: OptionBounds = { row, option, lower: low + 1, upper: Infinity };
    const sides = value - low < 0.5 ? [above, below] : [below, above];
    for (const side of sides) lookInto([...branch.bounds, side]);
  }
  return { counts: best ?? [], isProven: true };
}

/** The least that whole jobs can cost in a branch. */
function leastCost({ objective }: RowSolution, unit: number): number {
  return unit > 0 ? Math.ceil(objective / unit - TOLERANCE) * unit : objective;
}

/** The option whose count is furthest from a whole one; null where all are whole. */
function mostSplit(counts: RowCounts): { row: number; option: number; value: number } | null {
  let found: { row: number; option: number; value: number } | null = null;
  let most = TOLERANCE;
  for (const [row, ofRow] of counts.entries()) {
    for (const [option, value] of ofRow.entries()) {
      const distance = Math.abs(value - Math.round(value));
      if (distance <= most) continue;
      most = distance;
      found = { row, option, value };
    }
  }
  return found;
}
