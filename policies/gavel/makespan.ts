import { optimum, type Solver, simplex } from '../lp/index.ts';
import {
  type Allocation,
  type AllocationProblem,
  canRun,
  isUsable,
  type JobGroup,
} from './problem.ts';
import { AllocationProgram } from './program.ts';

/** Time that a job of the group would need alone on its fastest type. */
export function fastestS(problem: AllocationProblem, group: number, work: number): number {
  const { throughputs } = problem.groups[group] as JobGroup;
  let fastest = 0;
  problem.gpus.forEach((_, type) => {
    if (isUsable(problem, group, type)) fastest = Math.max(fastest, throughputs[type] as number);
  });
  return work / fastest;
}

/**
 * Least makespan (section 4.2; released code: min_total_duration.py): all jobs get so much throughput
 * that the last ends as early as can be. One program: with throughputs >= work x lambda, lambda is
 * maximised and the makespan is 1 / lambda.
 *
 * @param work left of a job, by group; above 0
 * @returns the makespan in seconds as objective; 0 without jobs
 * @throws {SolveError} when the program has no optimum
 */
export function leastMakespan(
  problem: AllocationProblem,
  work: readonly number[],
  solver: Solver = simplex,
): Allocation {
  const fair = new AllocationProgram(problem, 'maximise');
  const inverse = fair.program.addVariable({ cost: 1 });
  const alone = problem.groups.map((_, group) =>
    canRun(problem, group) ? fastestS(problem, group, work[group] as number) : 0,
  );
  // In units of the longest job, so that the coefficients are near 1 whatever a unit of work is.
  const longestS = Math.max(0, ...alone);
  if (longestS === 0) fair.program.atMost([[inverse, 1]], 0);
  problem.groups.forEach(({ jobs }, group) => {
    const aloneS = alone[group] as number;
    if (aloneS === 0) return;
    const terms = fair.throughput(group, aloneS / (work[group] as number));
    fair.program.atLeast([...terms, [inverse, (-jobs * aloneS) / longestS]], 0);
  });
  const solution = optimum('makespan', fair.program, solver);
  return fair.allocation(solution, longestS === 0 ? 0 : longestS / solution.objective);
}

/**
 * The makespan of the released code: by bisection between 100 s and 1e6 s that stops within 5 %, so up
 * to 5 % above the least. @returns the makespan that was found feasible, and an allocation for it
 */
export function releasedMakespan(
  problem: AllocationProblem,
  work: readonly number[],
  solver: Solver = simplex,
): Allocation {
  let found: Allocation | null = null;
  let low = 100;
  let high = 1e6;
  let last = high;
  while (found === null) {
    while (1.05 * low < high) {
      const middle = (low + high) / 2;
      const allocation = withinS(problem, work, middle, solver);
      if (allocation === null) low = middle;
      else {
        found = allocation;
        high = middle;
      }
    }
    high = last * 10;
    low = last;
    last *= 10;
  }
  return found;
}

function withinS(
  problem: AllocationProblem,
  work: readonly number[],
  timeS: number,
  solver: Solver,
): Allocation | null {
  const fair = new AllocationProgram(problem, 'maximise');
  problem.groups.forEach(({ jobs }, group) => {
    if (!canRun(problem, group)) return;
    const left = work[group] as number;
    const aloneS = fastestS(problem, group, left);
    fair.program.atLeast(fair.throughput(group, aloneS / left), (jobs * aloneS) / timeS);
  });
  const solution = solver(fair.program);
  return solution.status === 'optimal' ? fair.allocation(solution, timeS) : null;
}
