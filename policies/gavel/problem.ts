/** Jobs that are alike in all that an objective reads; a single job is a group of one. */
export interface JobGroup {
  /** Number of jobs. */
  readonly jobs: number;
  /** GPUs of each (scale factor). */
  readonly gang: number;
  /** Work per second of one of them alone, by type; 0 where it cannot run. */
  readonly throughputs: ArrayLike<number>;
}

/** Two jobs on the same GPUs, of two groups or of one. */
export interface JobPair {
  /** Numbers of their groups, which have the same gang. */
  readonly groups: readonly [number, number];
  /** Work per second of the first and of the second, by type; 0 where they cannot share. */
  readonly throughputs: readonly (readonly [number, number])[];
}

/** Jobs, and the types that they share in time. */
export interface AllocationProblem {
  /** GPUs of each type. */
  readonly gpus: readonly number[];
  readonly groups: readonly JobGroup[];
  /** Space sharing; none when absent. */
  readonly pairs?: readonly JobPair[];
  /**
   * Gives gangs time also on types that have fewer GPUs than they need, where they can never run: what
   * the released code does.
   */
  readonly oversized?: boolean;
}

/** Fractions of time. Optima are not unique; only the objective is. */
export interface Allocation {
  readonly objective: number;
  /** By group, then type: fraction of time of each job alone. */
  readonly alone: readonly Float64Array[];
  /** By pair, then type: fraction of time of each two jobs of its groups together. */
  readonly together: readonly Float64Array[];
}

/** Whether a job of the group can be given time on a type. */
export function isUsable(problem: AllocationProblem, group: number, type: number): boolean {
  const { throughputs, gang } = problem.groups[group] as JobGroup;
  const count = problem.gpus[type] as number;
  if (count === 0 || !((throughputs[type] as number) > 0)) return false;
  return count >= gang || problem.oversized === true;
}

/** Whether a job of the group can be given time at all. */
export function canRun(problem: AllocationProblem, group: number): boolean {
  return problem.gpus.some((_, type) => isUsable(problem, group, type));
}

/** Ways to choose two jobs of a pair's groups. */
export function pairsOf({ groups }: AllocationProblem, { groups: [a, b] }: JobPair): number {
  const first = (groups[a] as JobGroup).jobs;
  return a === b ? (first * (first - 1)) / 2 : first * (groups[b] as JobGroup).jobs;
}
