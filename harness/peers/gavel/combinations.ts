import type { Combination } from '../../../policies/rounds/index.ts';
import type { ThroughputTable } from './throughputs.ts';
import type { GavelJob } from './trace.ts';

/** A job that is in the system. */
export interface ActiveJob extends Combination {
  readonly spec: GavelJob;
  /** Its own combination: the job alone. */
  readonly alone: JobCombination;
  /** Steps per second alone, by worker type. */
  readonly rates: readonly number[];
  stepsRun: number;
  failures: number;
  /** End of the last round that it ran in. */
  latestS: number;
}

/** A job alone, or two jobs together. */
export interface JobCombination extends Combination {
  readonly jobs: readonly ActiveJob[];
  /** Steps per second of each job, by worker type. */
  readonly rates: readonly (readonly number[])[];
}

/** A job that has just arrived. */
export function activate(
  spec: GavelJob,
  workerTypes: readonly string[],
  table: ThroughputTable,
): ActiveJob {
  const { jobType, scaleFactor } = spec;
  const rates = workerTypes.map((type) => table.alone(type, jobType, scaleFactor));
  const jobs: ActiveJob[] = [];
  const alone: JobCombination = { gang: scaleFactor, jobs, rates: [rates] };
  const job: ActiveJob = {
    spec,
    gang: scaleFactor,
    alone,
    rates,
    stepsRun: 0,
    failures: 0,
    latestS: spec.arrivalS,
  };
  jobs.push(job);
  return job;
}

/** Two jobs with one scale factor, the one that came first in front. */
export function combine(
  first: ActiveJob,
  second: ActiveJob,
  workerTypes: readonly string[],
  table: ThroughputTable,
): JobCombination {
  const { jobType, scaleFactor } = first.spec;
  const rates = workerTypes.map((type) =>
    table.together(type, jobType, second.spec.jobType, scaleFactor),
  );
  return {
    gang: scaleFactor,
    jobs: [first, second],
    rates: [rates.map(([rate]) => rate), rates.map(([, rate]) => rate)],
  };
}

export function stepsLeft({ spec, stepsRun }: ActiveJob): number {
  return spec.totalSteps - stepsRun;
}
