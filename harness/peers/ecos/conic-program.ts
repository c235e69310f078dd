import type { LinearProgram } from '../../../policies/lp/index.ts';

/** Left side of an inequality `sum of factor * variable <= bound`. */
export interface ConicRow {
  readonly variables: readonly number[];
  readonly factors: readonly number[];
  readonly bound: number;
}

/**
 * Minimise `cost . x` where what each row leaves of its bound is at least 0, and for each cone the first
 * of its rows leaves at least the Euclidean norm of what the others leave (second-order cone).
 */
export interface ConicProgram {
  readonly costs: readonly number[];
  readonly rows: readonly ConicRow[];
  readonly cones: readonly (readonly ConicRow[])[];
}

/** All bounds of a linear program as rows, those of variables first. */
export function conicForm({
  sense,
  costs,
  lower,
  upper,
  rowLower,
  rowUpper,
  rowStarts,
  termVariables,
  termFactors,
}: LinearProgram): ConicProgram {
  const rows: ConicRow[] = [];
  const add = (
    variables: readonly number[],
    factors: readonly number[],
    from: number,
    to: number,
  ): void => {
    if (from > -Infinity) rows.push({ variables, factors: factors.map((f) => -f), bound: -from });
    if (to < Infinity) rows.push({ variables, factors, bound: to });
  };
  lower.forEach((from, variable) => {
    add([variable], [1], from, upper[variable] as number);
  });
  rowLower.forEach((from, row) => {
    const [start, end] = [rowStarts[row], rowStarts[row + 1]];
    add(
      termVariables.slice(start, end),
      termFactors.slice(start, end),
      from,
      rowUpper[row] as number,
    );
  });
  return { costs: costs.map((cost) => (sense === 'minimise' ? cost : -cost)), rows, cones: [] };
}
