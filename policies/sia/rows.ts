import { LinearProgram, optimum, type Term } from '../lp/index.ts';

/** A way to run a job, and what it costs more than leaving the job idle. */
export interface RowOption {
  readonly type: number;
  readonly gpus: number;
  readonly cost: number;
}

/** So many jobs that are alike. */
export interface ProgramRow {
  readonly copies: number;
  readonly options: readonly RowOption[];
}

/** How many of a row run as each of its options. */
export type RowCounts = readonly (readonly number[])[];

export interface RowSolution {
  readonly objective: number;
  readonly counts: RowCounts;
}

/**
 * Runs each job as at most one of its options within the GPUs of each type, at the least summed cost. An
 * option that costs more than idling is in no optimum and is left out.
 *
 * @param exact whole jobs; else the linear relaxation, in which a few are split
 * @throws {SolveError} when the solver does not end at the optimum
 */
export function solveRows(
  what: string,
  rows: readonly ProgramRow[],
  capacity: readonly number[],
  exact: boolean,
): RowSolution {
  const program = new LinearProgram('minimise');
  const byType: Term[][] = capacity.map(() => []);
  const variables = rows.map(({ copies, options }) => {
    const terms: Term[] = [];
    const ofRow = options.map(({ type, gpus, cost }) => {
      if (cost > 0 || gpus > (capacity[type] as number)) return -1;
      const variable = program.addVariable({ cost, upper: copies, integer: exact });
      terms.push([variable, 1]);
      byType[type]?.push([variable, gpus]);
      return variable;
    });
    if (terms.length > 1) program.atMost(terms, copies);
    return ofRow;
  });
  for (const [type, terms] of byType.entries()) {
    if (terms.length > 0) program.atMost(terms, capacity[type] as number);
  }
  const { objective, values } = optimum(what, program);
  return {
    objective,
    counts: variables.map((ofRow) =>
      ofRow.map((variable) => (variable < 0 ? 0 : (values[variable] as number))),
    ),
  };
}

/**
 * Every job as its cheapest option, where there are GPUs for all of that: then it is the optimum. Null where
 * there are not.
 */
export function cheapestRows(
  rows: readonly ProgramRow[],
  capacity: readonly number[],
): RowCounts | null {
  const left = [...capacity];
  const counts = rows.map(({ copies, options }) => {
    let best = -1;
    for (const [option, { cost }] of options.entries()) {
      if (cost < (options[best]?.cost ?? 0)) best = option;
    }
    const chosen = options[best];
    if (chosen !== undefined) {
      left[chosen.type] = (left[chosen.type] as number) - copies * chosen.gpus;
    }
    return options.map((_, option) => (option === best ? copies : 0));
  });
  return left.every((gpus) => gpus >= 0) ? counts : null;
}

/** Cost of whole jobs. */
export function costOfRows(rows: readonly ProgramRow[], counts: RowCounts): number {
  let total = 0;
  for (const [row, { options }] of rows.entries()) {
    for (const [option, { cost }] of options.entries()) {
      total += cost * (counts[row]?.[option] as number);
    }
  }
  return total;
}

/** One job of a row from an option, or from idling (-1), to another option. */
interface Move {
  readonly row: number;
  readonly from: number;
  readonly to: number;
  /** Cost saved, over the GPUs that it takes besides those it has. */
  readonly worth: number;
}

/**
 * Whole jobs from a relaxed solution. Parts of jobs are dropped; of those options the largest parts get a
 * whole job where there are GPUs for it; then, as long as there is one, the change of one job is made that
 * saves most for each further GPU. At an optimum in a corner no more jobs are split than there are types.
 *
 * O(options^2) of the rows for each change.
 */
export function roundRows(
  rows: readonly ProgramRow[],
  capacity: readonly number[],
  relaxed: RowCounts,
): RowCounts {
  const counts = relaxed.map((ofRow) => ofRow.map((value) => Math.floor(value + TOLERANCE)));
  const idle = rows.map(({ copies }, row) => copies - sum(counts[row] as number[]));
  const left = [...capacity];
  const option = (row: number, index: number) => rows[row]?.options[index] as RowOption;
  for (const [row, ofRow] of counts.entries()) {
    for (const [index, count] of ofRow.entries()) {
      const { type, gpus } = option(row, index);
      left[type] = (left[type] as number) - count * gpus;
    }
  }
  const change = (row: number, index: number, by: number): void => {
    if (index < 0) {
      idle[row] = (idle[row] as number) + by;
      return;
    }
    const ofRow = counts[row] as number[];
    ofRow[index] = (ofRow[index] as number) + by;
    const { type, gpus } = option(row, index);
    left[type] = (left[type] as number) - by * gpus;
  };
  for (const { row, index } of splitOptions(relaxed, counts)) {
    const { type, gpus } = option(row, index);
    if ((idle[row] as number) === 0 || (left[type] as number) < gpus) continue;
    change(row, -1, -1);
    change(row, index, 1);
  }
  for (;;) {
    const best = bestMove(rows, counts, idle, left);
    if (best === null) return counts;
    change(best.row, best.from, -1);
    change(best.row, best.to, 1);
  }
}

/** Options of which a relaxed solution has a part of a job, the largest part first. */
function splitOptions(relaxed: RowCounts, counts: RowCounts): { row: number; index: number }[] {
  const split: { row: number; index: number; part: number }[] = [];
  for (const [row, ofRow] of relaxed.entries()) {
    for (const [index, value] of ofRow.entries()) {
      const part = value - (counts[row]?.[index] as number);
      if (part > TOLERANCE) split.push({ row, index, part });
    }
  }
  return split.sort((a, b) => b.part - a.part);
}

function bestMove(
  rows: readonly ProgramRow[],
  counts: RowCounts,
  idle: readonly number[],
  left: readonly number[],
): Move | null {
  let best: Move | null = null;
  for (const [row, { options }] of rows.entries()) {
    for (let from = -1; from < options.length; from += 1) {
      if ((from < 0 ? idle[row] : counts[row]?.[from]) === 0) continue;
      const present = options[from];
      for (const [to, { type, gpus, cost }] of options.entries()) {
        const held = present?.type === type ? present.gpus : 0;
        const saved = (present?.cost ?? 0) - cost;
        if (saved <= TOLERANCE || gpus > held + (left[type] as number)) continue;
        const worth = saved / Math.max(gpus - (present?.gpus ?? 0), TOLERANCE);
        if (best === null || worth > best.worth) best = { row, from, to, worth };
      }
    }
  }
  return best;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

export const TOLERANCE = 1e-6;
