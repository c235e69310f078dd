import type { ActiveJob, JobCombination } from './combinations.ts';

/** What an allocation is made from. */
export interface GavelState {
  readonly nowS: number;
  /** Worker types of the cluster, in the order of the alphabet, and the GPUs of each. */
  readonly workerTypes: readonly string[];
  readonly gpus: readonly number[];
  /** In order of arrival. */
  readonly jobs: readonly ActiveJob[];
  /** All pairs of jobs with one scale factor; empty unless the rule packs. */
  readonly pairs: readonly JobCombination[];
}

/** Fractions of time by worker type; a combination that is not there gets none. */
export type GavelAllocation = ReadonlyMap<JobCombination, ArrayLike<number>>;

/** A rule of the peer with its memory, for one replay. */
export type Allocate = (state: GavelState) => GavelAllocation;

export interface RuleSettings {
  /** Of the rule's own random numbers. */
  readonly seed: number;
  /** `allox`: part of the waiting jobs that is looked at. */
  readonly alpha: number;
}

/** A rule of the peer under its own name. */
export interface GavelRule {
  readonly name: string;
  readonly title: string;
  /** Policy of the engine with the same rule. */
  readonly engine: string | null;
  /** Fills worker types in a random order each round: rules that do not know one from another. */
  readonly shuffles: boolean;
  /** Runs pairs of jobs on the same GPUs. */
  readonly packs: boolean;
  /** Leaves GPUs idle rather than give them to a job without a share of the type. */
  readonly skipsIdleShares: boolean;
  /** Its output hangs on the rounding of the peer's solver: jobs look alike to it that are not. */
  readonly isTied: boolean;
  create(settings: RuleSettings): Allocate;
}

/** Shares of nothing, to be filled in. */
export function noShares({ jobs, pairs, gpus }: GavelState): Map<JobCombination, Float64Array> {
  const shares = new Map<JobCombination, Float64Array>();
  for (const job of jobs) shares.set(job.alone, new Float64Array(gpus.length));
  for (const pair of pairs) shares.set(pair, new Float64Array(gpus.length));
  return shares;
}
