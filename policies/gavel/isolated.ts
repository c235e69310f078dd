import type { AllocationProblem } from './problem.ts';

/**
 * Every job gets the same part of each type, N_type / jobs / gang, cut down where that is more than
 * all of its time (released code: isolated.py). @returns by group, then type
 */
export function isolatedShares({ gpus, groups }: AllocationProblem): Float64Array[] {
  const jobs = groups.reduce((sum, group) => sum + group.jobs, 0);
  return groups.map(({ gang }) => {
    const shares = Float64Array.from(gpus, (count) => count / jobs / gang);
    const all = shares.reduce((sum, share) => sum + share, 0);
    return all > 1 ? shares.map((share) => share / all) : shares;
  });
}

/** Throughput of a job of each group with its isolated share. */
export function isolatedThroughputs(problem: AllocationProblem): number[] {
  return isolatedShares(problem).map((shares, group) =>
    shares.reduce(
      (sum, share, type) => sum + share * (problem.groups[group]?.throughputs[type] ?? 0),
      0,
    ),
  );
}
