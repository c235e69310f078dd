import { optimum, type Solver, simplex } from '../lp/index.ts';
import type { Allocation, AllocationProblem, JobGroup, JobPair } from './problem.ts';
import { AllocationProgram } from './program.ts';

/** What a second of running costs. */
export interface Costs {
  /** Of a job of a group alone on a type, and of a pair. */
  readonly alone: (group: number, type: number) => number;
  readonly together: (pair: number, type: number) => number;
}

const FREE: Costs = { alone: () => 1, together: () => 1 };

/**
 * Largest sum of throughputs, each over what it costs (released code: max_sum_throughput.py, whose
 * costs are prices of instances). With watts for costs it is work per joule, weighted by time: each
 * job is drawn to the type on which a unit of its work takes least energy.
 *
 * @param floors least throughput of a job, by group; none when absent
 * @throws {SolveError} when the program has no optimum: where the floors cannot be met together
 */
export function largestSum(
  problem: AllocationProblem,
  costs: Costs = FREE,
  floors: readonly number[] | null = null,
  solver: Solver = simplex,
): Allocation {
  const { groups, pairs = [] } = problem;
  const sum = new AllocationProgram(problem, 'maximise', {
    alone: (group, type) =>
      ((groups[group] as JobGroup).throughputs[type] as number) / costs.alone(group, type),
    together(pair, type) {
      const [first, second] = (pairs[pair] as JobPair).throughputs[type] as readonly [
        number,
        number,
      ];
      return (first + second) / costs.together(pair, type);
    },
  });
  floors?.forEach((floor, group) => {
    if (!(floor > 0)) return;
    sum.program.atLeast(sum.throughput(group, 1 / floor), (groups[group] as JobGroup).jobs);
  });
  const solution = optimum('sum of throughputs', sum.program, solver);
  return sum.allocation(solution, solution.objective);
}
