/** Every reason for which a row or job may be left out, and what it means. */
export const DROP_REASONS = {
  bad_row: 'a cell is not what its column should hold',
  beyond_limit: 'after the number of jobs asked for',
  cpu_only: 'asks for no GPU',
  duplicate_id: 'its id occurred before',
  no_end: 'has no end time',
  no_start: 'never started',
  nonpositive_duration: 'ran for no time',
  outside_window: 'submitted outside the time window asked for',
  over_capacity: 'asks for more GPUs than the cluster has',
  unknown_state: 'its state is not one the importer knows',
} as const;
export type DropReason = keyof typeof DROP_REASONS;

/** A file that was read, as it was named, with its content's hash. */
export interface InputFile {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

export interface Range {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

export type OptionValue = string | number | boolean | null;

/** What a set of jobs looks like; `null` ranges for no jobs. */
export interface JobStatistics {
  readonly jobs: number;
  readonly submitS: Range | null;
  readonly durationS: Range | null;
  readonly gpuCount: Range | null;
  /** Jobs per gang size. */
  readonly gangSizes: Readonly<Record<string, number>>;
  /** Sum of GPUs x share x duration. */
  readonly gpuHours: number;
  /** Part of the jobs that ask for one GPU or less. */
  readonly singleGpuFraction: number;
  /** Part of the jobs that ask for less than a whole GPU. */
  readonly sharedGpuFraction: number;
}

/**
 * The account of how a workload was made. `rowsRead` is `jobs` plus everything in `dropped`: nothing
 * is left out, clamped or assumed without a line here.
 */
export interface QualityReport extends JobStatistics {
  /** Importer or generator. */
  readonly format: string;
  /** Null for a generator. */
  readonly input: InputFile | null;
  readonly options: Readonly<Record<string, OptionValue>>;
  /** Data rows read, or jobs generated. */
  readonly rowsRead: number;
  readonly dropped: Readonly<Partial<Record<DropReason, number>>>;
  /** The first bad rows: `file:line:col reason`. */
  readonly badRowExamples: readonly string[];
  readonly assumed: readonly string[];
}

/** The fields of a job that reports and shaping look at. */
export interface ReportedJob {
  readonly submitS: number;
  readonly durationS: number;
  readonly gpuCount: number;
  readonly share: number;
}

/** GPU-seconds that a job asks for. */
export function gpuSeconds(job: ReportedJob): number {
  return job.gpuCount * job.share * job.durationS;
}

function rangeOf(values: Float64Array): Range | null {
  const sorted = values.toSorted();
  const last = sorted.length - 1;
  const min = sorted[0];
  const low = sorted[Math.floor(last / 2)];
  const high = sorted[Math.ceil(last / 2)];
  const max = sorted[last];
  if (min === undefined || low === undefined || high === undefined || max === undefined)
    return null;
  return { min, median: (low + high) / 2, max };
}

/** Statistics of jobs, for a report. */
export function statisticsOf(jobs: readonly ReportedJob[]): JobStatistics {
  const gangSizes: Record<string, number> = {};
  let totalGpuS = 0;
  let single = 0;
  let shared = 0;
  for (const job of jobs) {
    gangSizes[job.gpuCount] = (gangSizes[job.gpuCount] ?? 0) + 1;
    totalGpuS += gpuSeconds(job);
    if (job.gpuCount === 1) single += 1;
    if (job.share < 1) shared += 1;
  }
  const column = (of: (job: ReportedJob) => number) => rangeOf(Float64Array.from(jobs, of));
  return {
    jobs: jobs.length,
    submitS: column((job) => job.submitS),
    durationS: column((job) => job.durationS),
    gpuCount: column((job) => job.gpuCount),
    gangSizes,
    gpuHours: totalGpuS / 3600,
    singleGpuFraction: jobs.length === 0 ? 0 : single / jobs.length,
    sharedGpuFraction: jobs.length === 0 ? 0 : shared / jobs.length,
  };
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

function figure(value: number): string {
  if (value !== 0 && Math.abs(value) < 0.01) return value.toExponential(2);
  return value.toLocaleString('en-US', { maximumFractionDigits: 2 });
}

function rangeText(range: Range | null, unit: string): string {
  if (range === null) return '-';
  const { min, median, max } = range;
  return `${figure(min)} / ${figure(median)} / ${figure(max)}${unit}`;
}

/** The report as lines for a person to read. */
export function formatReport(report: QualityReport): string {
  const lines: string[] = [];
  const row = (label: string, value: string) => {
    lines.push(`${label.padEnd(20)} ${value}`);
  };
  row('format', report.format);
  if (report.input !== null) {
    row('input', `${report.input.path} (${figure(report.input.bytes)} bytes)`);
    row('sha256', report.input.sha256);
  }
  const options = Object.entries(report.options).map(([name, value]) => `${name}=${value}`);
  if (options.length > 0) row('options', options.join(' '));
  row(report.input === null ? 'jobs generated' : 'rows read', figure(report.rowsRead));
  row('jobs', figure(report.jobs));
  const dropped = Object.entries(report.dropped) as [DropReason, number][];
  for (const [reason, count] of dropped.toSorted((a, b) => b[1] - a[1])) {
    row(`  left out`, `${figure(count)} ${reason}: ${DROP_REASONS[reason]}`);
  }
  for (const example of report.badRowExamples) row('  bad row', example);
  row('submitted', `${rangeText(report.submitS, ' s')} (min / median / max)`);
  row('duration', rangeText(report.durationS, ' s'));
  row('GPUs', rangeText(report.gpuCount, ''));
  const gangs = Object.entries(report.gangSizes).map(
    ([size, count]) => `${size}: ${figure(count)}`,
  );
  row('gang sizes', gangs.join(', '));
  row('GPU-hours', figure(report.gpuHours));
  row('one GPU or less', `${figure(100 * report.singleGpuFraction)} %`);
  row('less than one GPU', `${figure(100 * report.sharedGpuFraction)} %`);
  for (const line of report.assumed) row('assumed', line);
  return `${lines.join('\n')}\n`;
}
