import type { JobView } from '../../sim/job-view.ts';
import type { Combination } from './time-shares.ts';

/** A job alone, or two jobs together on the same GPUs. */
export interface JobCombination extends Combination {
  readonly jobs: readonly JobView[];
  /** Types over which a gang spreads that no type can hold; null for any other. */
  readonly spans: readonly number[] | null;
}

/** Fractions of time that jobs are to have, by type. */
export interface RoundShares {
  /** Jobs alone; a job that is not there gets none. */
  readonly alone: ReadonlyMap<JobView, ArrayLike<number>>;
  /** Two jobs of one gang size together. */
  readonly together: readonly {
    readonly jobs: readonly [JobView, JobView];
    readonly shares: ArrayLike<number>;
  }[];
}

/** What shares are made from. */
export interface RoundState {
  readonly nowS: number;
  /** GPUs of each type that are available. */
  readonly gpus: readonly number[];
  /** Jobs in the system that some type can hold, in order of submission. */
  readonly jobs: readonly JobView[];
}

/** Makes shares; keeps state and serves one run. */
export interface Allocator {
  readonly name: string;
  allocate(state: RoundState): RoundShares;
}
