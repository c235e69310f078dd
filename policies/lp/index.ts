// Linear and mixed-integer programs, and the assignment problem.

export { assign } from './assignment.ts';
export { LinearProgram, type Term, type VariableSpec } from './program.ts';
export {
  DEFAULT_TIME_LIMIT_S,
  loadSolver,
  optimum,
  type Solution,
  SolveError,
  type SolveOptions,
  type Solver,
  type SolveStatus,
  simplex,
  solve,
} from './solver.ts';
