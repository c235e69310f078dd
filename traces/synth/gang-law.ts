import type { RandomSource } from '../../sim/random.ts';
import type { DurationLaw } from './duration-law.ts';
import { integrateUnit, solveIncreasing } from './numeric.ts';

const STEPS = 4_000;

/** How many jobs of a trace have this gang size. */
export interface GangCount {
  readonly gpuCount: number;
  readonly jobs: number;
}

const jobsOf = (gangs: readonly GangCount[]) => gangs.reduce((sum, gang) => sum + gang.jobs, 0);

/** GPUs of a job by one uniform draw, in the proportion of the counts. */
export function gangSizes(gangs: readonly GangCount[]): (draw: number) => number {
  const jobs = jobsOf(gangs);
  return (draw) => {
    let left = draw * jobs;
    for (const gang of gangs) {
      left -= gang.jobs;
      if (left < 0) return gang.gpuCount;
    }
    return gangs.at(-1)?.gpuCount ?? 1;
  };
}

/** The quantile of its duration that a job of so many GPUs draws. */
export type QuantileLaw = (gpuCount: number, random: RandomSource) => number;

/**
 * How much longer gangs run. Large gangs hold most of the GPU time of Philly: with sizes and durations
 * drawn apart they would give 40 % of it. So the quantile u of a gang has the density k u^(k-1), that of
 * a single GPU what this leaves, and all durations together keep their distribution; k is the one that
 * meets the mean GPU-seconds a job.
 */
export function gangQuantiles(
  gangs: readonly GangCount[],
  durations: DurationLaw,
  meanDurationS: number,
  meanGpuS: number,
): QuantileLaw {
  const jobs = jobsOf(gangs);
  const multiple = gangs.filter(({ gpuCount }) => gpuCount > 1);
  const part = jobsOf(multiple) / jobs;
  const extraGpus = multiple.reduce((sum, gang) => sum + (gang.gpuCount - 1) * gang.jobs, 0) / jobs;
  const gangMeanS = (k: number) => integrateUnit((v) => durations(v ** (1 / k)), STEPS);
  // With a larger k the longest durations would have more gangs than jobs.
  const limit = 1 / part;
  const k = solveIncreasing(gangMeanS, (meanGpuS - meanDurationS) / extraGpus, 1, limit);

  return (gpuCount, random) => {
    if (gpuCount > 1) return random() ** (1 / k);
    // Rejection: a single GPU takes a quantile with the part of its jobs that gangs leave.
    for (;;) {
      const u = random();
      if (random() >= part * k * u ** (k - 1)) return u;
    }
  };
}
