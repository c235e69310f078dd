import { optimum, type Solver, simplex } from '../lp/index.ts';
import { type Allocation, type AllocationProblem, canRun, type JobGroup } from './problem.ts';
import { AllocationProgram } from './program.ts';

/**
 * Throughput that each job would have with its part of every type's time, in proportion to the type's
 * GPUs: what max-min fairness measures it by (released code: proportional.py).
 */
export function proportionalThroughputs({ gpus, groups }: AllocationProblem): number[] {
  const all = gpus.reduce((sum, count) => sum + count, 0);
  return groups.map(({ throughputs }) => {
    let sum = 0;
    for (let type = 0; type < gpus.length; type += 1) {
      sum += ((throughputs[type] as number) * (gpus[type] as number)) / all;
    }
    return sum;
  });
}

/**
 * Max-min fairness (Narayanan et al., OSDI 2020, section 4.1; released code: max_min_fairness.py):
 * the least throughput of a job, times its GPUs and over its weight and its proportional throughput,
 * is as large as can be. Jobs that can run nowhere are left out.
 *
 * @param weights by group
 * @throws {SolveError} when the program has no optimum
 */
export function maxMinFairness(
  problem: AllocationProblem,
  weights: readonly number[],
  solver: Solver = simplex,
): Allocation {
  const fair = new AllocationProgram(problem, 'maximise');
  const least = fair.program.addVariable({ cost: 1, lower: -Infinity });
  const proportional = proportionalThroughputs(problem);
  let counted = 0;
  problem.groups.forEach(({ gang, jobs }, group) => {
    if (!canRun(problem, group)) return;
    const factor = gang / ((weights[group] as number) * (proportional[group] as number));
    const terms = fair.throughput(group, factor);
    fair.program.atLeast([...terms, [least, -jobs]], 0);
    counted += 1;
  });
  if (counted === 0) fair.program.atMost([[least, 1]], 0);
  const solution = optimum('max-min fairness', fair.program, solver);
  return fair.allocation(solution, solution.objective);
}

/** The same problem as it looks to a policy that does not know one type from another. */
export function agnostic(problem: AllocationProblem): AllocationProblem {
  const groups = problem.groups.map(
    (group): JobGroup => ({
      ...group,
      throughputs: Array.from(group.throughputs, (rate) => (rate > 0 ? 1 : 0)),
    }),
  );
  return { ...problem, groups };
}
