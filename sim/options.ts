/** A cost of the simulation: what the profile says, or one number of seconds for all jobs. */
export type Cost = 'profile' | number;

/** Failures; a mean time between failures of Infinity switches a kind off. */
export interface FailureOptions {
  /** Mean time between failures of one GPU, and to its repair (exponential). */
  readonly gpuMtbfS: number;
  readonly gpuRepairS: number;
  readonly nodeMtbfS: number;
  readonly nodeRepairS: number;
  /** Mean run time between fatal faults of one job; under MPS every client on its GPUs goes down. */
  readonly clientMtbfS: number;
  /** Failures after which a job is given up (`failed`); Infinity retries forever. */
  readonly maxFailures: number;
}

/** Price or carbon intensity over time: `values[i]` per kWh from `startsS[i]` on. */
export interface RateSeries {
  readonly startsS: readonly number[];
  readonly values: readonly number[];
}

/** Everything about the simulated world that is neither workload, cluster, profile nor policy. */
export interface SimulationOptions {
  readonly costs: {
    readonly start: Cost;
    readonly restart: Cost;
    readonly checkpoint: Cost;
    /** Seconds until a clock takes effect; `profile` is the GPU type's. */
    readonly clockTransition: Cost;
  };
  /** Seconds of running between periodic checkpoints; Infinity for none. */
  readonly checkpointIntervalS: number;
  readonly failures: FailureOptions;
  /** Part of the time lost when residents of a time-sliced GPU alternate. */
  readonly switchingLoss: number;
  /** Seconds for which a GPU keeps its context (and context power) after its last job. */
  readonly contextHoldS: number;
  /** Power of a node that is not its GPUs', while it is on; 0 leaves hosts out. */
  readonly hostPowerW: number;
  /**
   * Part of the run that energy covers, and in which the jobs of the job statistics were submitted;
   * null covers all of it.
   */
  readonly measure: { readonly fromS: number; readonly toS: number } | null;
  readonly pricePerKwh: RateSeries;
  readonly carbonGramPerKwh: RateSeries;
  /** Checks every invariant after every instant: for tests, much slower. */
  readonly paranoid: boolean;
}

export const DEFAULT_SIMULATION_OPTIONS: SimulationOptions = {
  costs: {
    start: 'profile',
    restart: 'profile',
    checkpoint: 'profile',
    clockTransition: 'profile',
  },
  checkpointIntervalS: Infinity,
  failures: {
    gpuMtbfS: Infinity,
    gpuRepairS: 3600,
    nodeMtbfS: Infinity,
    nodeRepairS: 3600,
    clientMtbfS: Infinity,
    maxFailures: Infinity,
  },
  switchingLoss: 0.02,
  contextHoldS: 0,
  hostPowerW: 0,
  measure: null,
  pricePerKwh: { startsS: [0], values: [0.1] },
  carbonGramPerKwh: { startsS: [0], values: [400] },
  paranoid: false,
};
