import { type JobStatistics, type ReportedJob, statisticsOf } from './statistics/job-statistics.ts';

export { gpuSeconds } from './statistics/demand.ts';
export { type JobStatistics, type ReportedJob, statisticsOf } from './statistics/job-statistics.ts';

/** Every reason for which a row or job may be left out, and what it means. */
export const DROP_REASONS = {
  bad_row: 'a cell is not what its column should hold',
  beyond_limit: 'after the number of jobs asked for',
  cpu_only: 'asks for no GPU',
  duplicate_id: 'its id occurred before',
  large_gang: 'asks for more GPUs than the largest gang asked for',
  failed_request: 'the request got no answer',
  no_end: 'has no end time',
  no_start: 'never started',
  no_throughput: 'the throughput table does not have its job type and gang size',
  merged: 'part of a job that is counted with another row',
  nonpositive_duration: 'ran for no time',
  not_sampled: 'not drawn for the sample asked for',
  other_virtual_cluster: 'of a virtual cluster not asked for',
  outside_window: 'submitted outside the time window asked for',
  over_capacity: 'asks for more GPUs than the cluster has',
  too_long: 'runs for longer than asked for',
  too_short: 'runs for less time than asked for',
  unknown_state: 'its state is not one the importer knows',
} as const;
export type DropReason = keyof typeof DROP_REASONS;

/** A file that was read, as it was named, with its content's hash. */
export interface InputFile {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

export type OptionValue = string | number | boolean | null;

/**
 * The account of how a workload was made. `rowsRead` is `jobs` plus everything in `dropped`: nothing
 * is left out, clamped or assumed without a line here.
 */
export interface QualityReport extends JobStatistics {
  /** Importer or generator. */
  readonly format: string;
  /** Null for a generator. */
  readonly input: InputFile | null;
  /** The other files that the trace was read from; absent where there are none. */
  readonly companions?: readonly InputFile[];
  readonly options: Readonly<Record<string, OptionValue>>;
  /** Data rows read, or jobs generated. */
  readonly rowsRead: number;
  readonly dropped: Readonly<Partial<Record<DropReason, number>>>;
  /** The first bad rows: `file:line:col reason`. */
  readonly badRowExamples: readonly string[];
  readonly assumed: readonly string[];
}

/** A step that left out or changed jobs: what its report adds. */
export interface ReportedStep {
  readonly dropped?: Readonly<Partial<Record<DropReason, number>>>;
  readonly assumed?: readonly string[];
}

/** The report after a step that turned its jobs into `jobs`. */
export function reportAfter(
  report: QualityReport,
  jobs: readonly ReportedJob[],
  step: ReportedStep,
): QualityReport {
  const dropped: Partial<Record<DropReason, number>> = { ...report.dropped };
  for (const [reason, count] of Object.entries(step.dropped ?? {}) as [DropReason, number][]) {
    if (count > 0) dropped[reason] = (dropped[reason] ?? 0) + count;
  }
  return {
    ...report,
    ...statisticsOf(jobs),
    dropped,
    assumed: [...report.assumed, ...(step.assumed ?? [])],
  };
}
