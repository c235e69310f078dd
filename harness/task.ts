import type { Summary } from '../sim/result.ts';
import type { Failure, InputFault } from './failure.ts';
import type { ResolvedExperiment, ResolvedPolicy } from './resolved.ts';
import type { RunRecord, TimingRecord } from './run-record.ts';

/** One run to be made: plain data, so that it can be handed to a thread. */
export interface RunTask {
  readonly experiment: ResolvedExperiment;
  readonly policy: ResolvedPolicy;
  readonly seed: number;
  readonly id: string;
  /** Output folder, and the run's own below it. */
  readonly out: string;
  readonly directory: string;
  readonly timeline: boolean;
  readonly program: string;
  readonly heshare: string;
}

/** A run that is done and on disk. */
export interface FinishedTask {
  readonly ok: true;
  readonly summary: Summary;
  readonly record: RunRecord;
  readonly timing: TimingRecord;
}

export interface FailedTask {
  readonly ok: false;
  readonly failure: Failure;
  /** Set when the jobs could not be made: then no run of the experiment can. */
  readonly noJobs: InputFault | null;
}

export type TaskOutcome = FinishedTask | FailedTask;
