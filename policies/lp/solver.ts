import highsLoader, { type Highs, type ModelData, type ModelStatusCode } from 'highs';
import type { LinearProgram } from './program.ts';

/** How a solve ended. */
export type SolveStatus =
  | 'optimal'
  | 'infeasible'
  | 'unbounded'
  | 'infeasible-or-unbounded'
  | 'time-limit'
  | 'other-limit'
  | 'failed';

export interface Solution {
  readonly status: SolveStatus;
  /** NaN unless the status is `optimal`, or a limit at which a solution was known. */
  readonly objective: number;
  /** By variable; empty where the objective is NaN. */
  readonly values: Float64Array;
  /** By row: change of the objective per unit of the bound; null for a mixed-integer program. */
  readonly duals: Float64Array | null;
}

export interface SolveOptions {
  /** Limit of a mixed-integer solve; {@link DEFAULT_TIME_LIMIT_S} when absent. */
  readonly timeLimitS?: number;
  /** Relative gap at which a mixed-integer solution counts as optimal; 1e-9 when absent. */
  readonly mipGap?: number;
}

/** A program whose optimum was needed and not found. */
export class SolveError extends Error {
  override readonly name = 'SolveError';
  readonly status: SolveStatus;

  constructor(what: string, status: SolveStatus) {
    super(`${what}: the solver ended with status '${status}', expected 'optimal'`);
    this.status = status;
  }
}

export const DEFAULT_TIME_LIMIT_S = 60;

// Its types describe a CommonJS module, whose default export lies one level deeper than it does here.
const load = highsLoader as unknown as typeof highsLoader.default;
let loading: Promise<Highs> | null = null;
let highs: Highs | null = null;

/** Loads the solver (HiGHS in WebAssembly); a second call costs nothing. For `prepare` of policies. */
export async function loadSolver(): Promise<void> {
  loading ??= load();
  highs = await loading;
}

/**
 * Solves a program; deterministic but for a time limit that is reached.
 * @throws {Error} when the solver is not loaded, see {@link loadSolver}
 */
export function solve(program: LinearProgram, options: SolveOptions = {}): Solution {
  if (highs === null) throw new Error('the solver is not loaded: await loadSolver() first');
  if (program.variableCount === 0) return solveEmpty(program);
  return highs.withModel(modelOf(highs, program), (model) => {
    model.options.set({ output_flag: false, ...nativeOptions(program, options) });
    const status = statusOf(model.run().modelStatus);
    const isFeasible = model.info.get('primal_solution_status') === FEASIBLE;
    if (!isFeasible || !hasValue(status)) return nothing(status);
    const { colValue, rowDual } = model.getSolution();
    return {
      status,
      objective: model.getObjectiveValue(),
      values: colValue,
      duals: program.isMixedInteger ? null : rowDual,
    };
  });
}

/** Something that solves programs, {@link simplex} unless another is given. */
export type Solver = (program: LinearProgram) => Solution;

/** Solves a program with the defaults: the optimum of a linear one at a corner of its feasible set. */
export const simplex: Solver = (program) => solve(program);

/**
 * The optimum of a program.
 * @param what names the program in the error
 * @throws {SolveError} when the solver ends with any other status than `optimal`
 */
export function optimum(what: string, program: LinearProgram, solver: Solver = simplex): Solution {
  const solution = solver(program);
  if (solution.status !== 'optimal') throw new SolveError(what, solution.status);
  return solution;
}

/** `kSolutionStatusFeasible` of HiGHS. */
const FEASIBLE = 2;

function nothing(status: SolveStatus): Solution {
  return { status, objective: NaN, values: new Float64Array(0), duals: null };
}

/** HiGHS has a status of its own for a program without variables. */
function solveEmpty({ rowLower, rowUpper }: LinearProgram): Solution {
  const holds = rowLower.every((lower, row) => lower <= 0 && (rowUpper[row] as number) >= 0);
  if (!holds) return nothing('infeasible');
  const duals = new Float64Array(rowLower.length);
  return { status: 'optimal', objective: 0, values: new Float64Array(0), duals };
}

function hasValue(status: SolveStatus): boolean {
  return status === 'optimal' || status === 'time-limit' || status === 'other-limit';
}

function nativeOptions(
  program: LinearProgram,
  options: SolveOptions,
): Record<string, boolean | number | string> {
  if (program.isMixedInteger) {
    return {
      time_limit: options.timeLimitS ?? DEFAULT_TIME_LIMIT_S,
      mip_rel_gap: options.mipGap ?? 1e-9,
      mip_abs_gap: 1e-9,
    };
  }
  // Presolve costs more than it saves on the small programs of a scheduler.
  return { solver: 'simplex', presolve: 'off' };
}

function modelOf({ constants }: Highs, program: LinearProgram): ModelData {
  const { variableCount: numCols, rowCount: numRows } = program;
  const { minimize, maximize } = constants.objectiveSense;
  return {
    numCols,
    numRows,
    sense: program.sense === 'maximise' ? maximize : minimize,
    colCost: program.costs,
    colLower: program.lower,
    colUpper: program.upper,
    rowLower: program.rowLower,
    rowUpper: program.rowUpper,
    matrix: {
      format: 'csr',
      numRows,
      numCols,
      starts: program.rowStarts,
      indices: program.termVariables,
      values: program.termFactors,
    },
    ...(program.isMixedInteger
      ? { integrality: Int32Array.from(program.isInteger, (integer) => (integer ? 1 : 0)) }
      : {}),
  };
}

/** Codes of HiGHS (`HighsModelStatus`). */
function statusOf(code: ModelStatusCode): SolveStatus {
  switch (code) {
    case 7:
      return 'optimal';
    case 8:
      return 'infeasible';
    case 9:
      return 'infeasible-or-unbounded';
    case 10:
      return 'unbounded';
    case 13:
      return 'time-limit';
    case 11:
    case 12:
    case 14:
    case 16:
    case 17:
      return 'other-limit';
    default:
      return 'failed';
  }
}
