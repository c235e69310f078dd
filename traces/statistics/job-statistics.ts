import type { JobPriority } from '../../sim/job.ts';
import { forReading } from '../columns/jobs-view.ts';
import { type Concurrency, concurrencyOf } from './concurrency.ts';
import { type Coverage, coverageOf } from './coverage.ts';
import { type Demand, gpuSeconds } from './demand.ts';
import { type Frequencies, frequenciesOf } from './frequency.ts';
import { numbersOf, type Range, rangeOf, type Spread, sortedRange, spreadOf } from './range.ts';

/** What a file may or may not say of a job. */
export interface Stated {
  readonly referenceGpu: string | null;
  readonly memoryGib: number | null;
  readonly gpuTypes: readonly string[];
  readonly model: string | null;
  readonly deadlineS: number | null;
  readonly maxSlowdown: number | null;
  readonly queuedS: number | null;
  readonly requestedS: number | null;
  readonly priority: JobPriority | null;
  readonly user: string | null;
  readonly virtualCluster: string | null;
  readonly status: string | null;
}

/** The fields of a job that reports look at. */
export type ReportedJob = Demand & Stated;

/** What a set of jobs looks like; `null` ranges for no values. */
export interface JobStatistics {
  readonly jobs: number;
  readonly submitS: Range | null;
  readonly durationS: Spread | null;
  readonly gpuCount: Range | null;
  /** Part of each GPU asked for. */
  readonly share: Range | null;
  /** Over the jobs that state it, as all the rest below. */
  readonly queuedS: Spread | null;
  readonly requestedS: Spread | null;
  readonly memoryGib: Range | null;
  /** Jobs per gang size. */
  readonly gangSizes: Readonly<Record<string, number>>;
  /** Sum of GPUs x share x duration. */
  readonly gpuHours: number;
  /** Part of the jobs that ask for one GPU or less. */
  readonly singleGpuFraction: number;
  /** Part of the jobs that ask for less than a whole GPU. */
  readonly sharedGpuFraction: number;
  /** Jobs for which the file states each field that it may leave out. */
  readonly stated: Readonly<Record<keyof Stated, number>>;
  /** By the GPU types that jobs ask for, several joined by `|`. */
  readonly gpuTypes: Frequencies;
  readonly models: Frequencies;
  readonly statuses: Frequencies;
  readonly virtualClusters: Frequencies;
  readonly users: number;
  /** How submissions lie over time; null where they do not lie apart. */
  readonly coverage: Coverage | null;
  /** GPUs asked for at once, each job starting after its recorded wait. */
  readonly concurrency: Concurrency | null;
}

function statedBy(jobs: readonly Stated[]): Record<keyof Stated, number> {
  const counts = {
    referenceGpu: 0,
    memoryGib: 0,
    gpuTypes: 0,
    model: 0,
    deadlineS: 0,
    maxSlowdown: 0,
    queuedS: 0,
    requestedS: 0,
    priority: 0,
    user: 0,
    virtualCluster: 0,
    status: 0,
  };
  for (const job of jobs) {
    if (job.referenceGpu !== null) counts.referenceGpu += 1;
    if (job.memoryGib !== null) counts.memoryGib += 1;
    if (job.gpuTypes.length > 0) counts.gpuTypes += 1;
    if (job.model !== null) counts.model += 1;
    if (job.deadlineS !== null) counts.deadlineS += 1;
    if (job.maxSlowdown !== null) counts.maxSlowdown += 1;
    if (job.queuedS !== null) counts.queuedS += 1;
    if (job.requestedS !== null) counts.requestedS += 1;
    if (job.priority !== null) counts.priority += 1;
    if (job.user !== null) counts.user += 1;
    if (job.virtualCluster !== null) counts.virtualCluster += 1;
    if (job.status !== null) counts.status += 1;
  }
  return counts;
}

function typesOf({ gpuTypes }: Stated): string | null {
  const [only] = gpuTypes;
  if (only === undefined) return null;
  return gpuTypes.length === 1 ? only : gpuTypes.join('|');
}

function distinctUsers(jobs: readonly Stated[]): number {
  const users = new Set<string>();
  for (const { user } of jobs) if (user !== null) users.add(user);
  return users.size;
}

function wholeShare(jobs: number): Range | null {
  return jobs === 0 ? null : { min: 1, median: 1, max: 1 };
}

/** Statistics of jobs sorted by submission, for a report. */
export function statisticsOf(all: readonly ReportedJob[]): JobStatistics {
  const jobs = forReading(all);
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
  const stated = statedBy(jobs);
  const column = (of: (job: ReportedJob) => number) => numbersOf(jobs, of);
  const statedColumn = (field: 'queuedS' | 'requestedS' | 'memoryGib') =>
    stated[field] === 0
      ? new Float64Array()
      : column((job) => job[field] ?? Number.NaN).filter((value) => !Number.isNaN(value));
  const frequencies = (field: keyof Stated, of: (job: ReportedJob) => string | null) =>
    frequenciesOf(stated[field] === 0 ? [] : jobs, of);
  return {
    jobs: jobs.length,
    // Sorted already.
    submitS: sortedRange(column((job) => job.submitS)),
    durationS: spreadOf(column((job) => job.durationS)),
    gpuCount: rangeOf(column((job) => job.gpuCount)),
    share: shared === 0 ? wholeShare(jobs.length) : rangeOf(column((job) => job.share)),
    queuedS: spreadOf(statedColumn('queuedS')),
    requestedS: spreadOf(statedColumn('requestedS')),
    memoryGib: rangeOf(statedColumn('memoryGib')),
    gangSizes,
    gpuHours: totalGpuS / 3600,
    singleGpuFraction: jobs.length === 0 ? 0 : single / jobs.length,
    sharedGpuFraction: jobs.length === 0 ? 0 : shared / jobs.length,
    stated,
    gpuTypes: frequencies('gpuTypes', typesOf),
    models: frequencies('model', (job) => job.model),
    statuses: frequencies('status', (job) => job.status),
    virtualClusters: frequencies('virtualCluster', (job) => job.virtualCluster),
    users: distinctUsers(jobs),
    coverage: coverageOf(jobs),
    concurrency: concurrencyOf(jobs),
  };
}
