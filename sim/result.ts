import type { JobState } from './job.ts';

/** Mean and quantiles (linear between order statistics); NaN-free: all 0 when there is no value. */
export interface Distribution {
  readonly mean: number;
  readonly median: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/**
 * Energy of all GPUs from the first submission to the last completion or failure (or over the measured
 * part of that).
 */
export interface EnergySummary {
  /** running + contextIdle + idle + transition + host. */
  readonly total: number;
  /** Charged to jobs: their dynamic part and their part of the context power while they run. */
  readonly running: number;
  /** Context kept by a GPU without residents. */
  readonly contextIdle: number;
  /** GPUs without residents, asleep ones included. */
  readonly idle: number;
  /** Context power of jobs that start, restart, checkpoint or migrate, and nodes that wake. */
  readonly transition: number;
  readonly host: number;
  /** running + transition: what a user pays who gives idle GPUs back. */
  readonly active: number;
  readonly perJobMean: number;
}

export interface Summary {
  readonly jobs: {
    readonly submitted: number;
    readonly done: number;
    readonly failed: number;
    readonly rejected: number;
    /** By code of the reason; `policy: ...` where the policy turned a job away. */
    readonly rejectedByReason: Readonly<Record<string, number>>;
  };
  readonly jctS: Distribution;
  readonly queueS: Distribution;
  readonly runS: Distribution;
  readonly makespanS: number;
  /** Time running over the time that the same work takes on the same GPUs alone at full clock. */
  readonly slowdown: Distribution;
  readonly energyJ: EnergySummary;
  /** Energy total times mean JCT. */
  readonly edpJs: number;
  readonly meanPowerW: number;
  /** Part of all GPU time in which at least one job made progress on the GPU. */
  readonly gpuUtilisation: number;
  /** Jobs with a deadline or slowdown bound that were not done within it. */
  readonly sloViolations: number;
  readonly fairness: { readonly worstRho: number; readonly jain: number };
  /** Of the jobs submitted in the measured part, like all statistics of jobs but their counts. */
  readonly preemptions: number;
  readonly restarts: number;
  readonly failures: number;
  readonly decisions: { readonly count: number; readonly asked: number };
  readonly energyCost: number;
  readonly carbonGram: number;
  /** |sum over jobs + contextIdle + idle + transition - integral of GPU power| / integral. */
  readonly conservationError: number;
  /** Intervals in which a measured pair replaced the model of co-location. */
  readonly pairMeasuredIntervals: number;
}

/** A line of `jobs.csv`. Times are NaN where the job never got there. */
export interface JobRow {
  readonly id: string;
  readonly submitS: number;
  readonly startS: number;
  readonly endS: number;
  readonly state: JobState;
  /** GPUs of its last run. */
  readonly gpus: readonly number[];
  readonly gpuTypes: readonly string[];
  readonly workload: string;
  /** All time in the queue; queueS + runS = jctS. */
  readonly queueS: number;
  readonly jctS: number;
  /** All time holding GPUs. */
  readonly runS: number;
  readonly preemptions: number;
  readonly restarts: number;
  readonly slowdown: number;
  readonly energyJ: number;
  /** Reason of a rejection, or empty. */
  readonly reason: string;
}

export interface SimulationResult {
  readonly policy: string;
  readonly summary: Summary;
  readonly jobCount: number;
  /** Row of a job by its number (order of submission); made on demand. */
  jobRow(index: number): JobRow;
}

/** Watches a run; every method is optional. Used for timelines, never for decisions. */
export interface Observer {
  /** What a GPU does from `fromS` until its next report or the end of the run. */
  gpuState?(state: {
    readonly gpu: number;
    readonly fromS: number;
    readonly residents: readonly string[];
    readonly shares: readonly number[];
    readonly clockMhz: number;
    readonly powerW: number;
  }): void;
  /** Jobs that are final, out of all; called every now and then. */
  progress?(finished: number, total: number): void;
  /** A clock in milliseconds with which the time of each call of the policy is taken. */
  readonly stopwatchMs?: () => number;
  /** Milliseconds that one call of the policy took (only with `stopwatchMs`). */
  decided?(elapsedMs: number): void;
}
