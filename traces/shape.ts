import { InputError } from '../sim/errors.ts';
import {
  type DropReason,
  gpuSeconds,
  type QualityReport,
  type ReportedJob,
  reportAfter,
} from './report.ts';

/** Jobs sorted by submission, with their report: what an import, a generator or an assignment gives. */
export interface JobList<J extends ReportedJob> {
  readonly jobs: readonly J[];
  readonly report: QualityReport;
}

function kept<J extends ReportedJob>(
  { jobs, report }: JobList<J>,
  keep: (job: J, index: number) => boolean,
  reason: DropReason,
  line: string,
): JobList<J> {
  const rest = jobs.filter(keep);
  const dropped = { [reason]: jobs.length - rest.length };
  return { jobs: rest, report: reportAfter(report, rest, { dropped, assumed: [line] }) };
}

function refuse(name: string, expected: string, found: number): never {
  throw new InputError('options', null, null, `${name}: expected ${expected}, found ${found}`);
}

/** The first `count` jobs by submission. */
export function firstJobs<J extends ReportedJob>(list: JobList<J>, count: number): JobList<J> {
  if (!Number.isSafeInteger(count) || count < 1) refuse('jobs', 'a whole number from 1', count);
  return kept(list, (_job, index) => index < count, 'beyond_limit', `only the first ${count} jobs`);
}

/** The jobs submitted in [fromS, toS). Their times stay as they are. */
export function window<J extends ReportedJob>(
  list: JobList<J>,
  fromS: number,
  toS: number,
): JobList<J> {
  if (!(toS > fromS)) refuse('window end', `a time after ${fromS}`, toS);
  const line = `only jobs submitted from ${fromS} s to before ${toS} s`;
  return kept(list, (job) => job.submitS >= fromS && job.submitS < toS, 'outside_window', line);
}

/** The jobs that can ever run on a cluster of so many GPUs. */
export function withinCapacity<J extends ReportedJob>(
  list: JobList<J>,
  capacityGpus: number,
): JobList<J> {
  if (!(capacityGpus >= 1)) refuse('capacity', 'at least 1 GPU', capacityGpus);
  const line = `only jobs of at most ${capacityGpus} GPUs`;
  return kept(list, (job) => job.gpuCount <= capacityGpus, 'over_capacity', line);
}

function moved<J extends ReportedJob>(
  { jobs, report }: JobList<J>,
  submitS: (job: J) => number,
  line: string,
): JobList<J> {
  const result = jobs.map((job) => ({ ...job, submitS: submitS(job) }));
  return { jobs: result, report: reportAfter(report, result, { assumed: [line] }) };
}

/** The jobs with the first submission at time 0. */
export function shiftToZero<J extends ReportedJob>(list: JobList<J>): JobList<J> {
  const firstS = list.jobs[0]?.submitS ?? 0;
  return moved(
    list,
    (job) => job.submitS - firstS,
    `submissions moved by -${firstS} s to start at 0`,
  );
}

/**
 * Offered load: GPU-seconds asked for over what the GPUs could give between the first and the last
 * submission. Infinite when all are submitted at once.
 */
export function offeredLoad(jobs: readonly ReportedJob[], capacityGpus: number): number {
  let workGpuS = 0;
  for (const job of jobs) workGpuS += gpuSeconds(job);
  const spanS = (jobs.at(-1)?.submitS ?? 0) - (jobs[0]?.submitS ?? 0);
  return workGpuS / (capacityGpus * spanS);
}

/**
 * Stretches or compresses the submissions linearly, the first one staying where it is, so that the
 * offered load is `load`. Durations are kept; daily rhythms are stretched with the rest.
 */
export function scaleToLoad<J extends ReportedJob>(
  list: JobList<J>,
  capacityGpus: number,
  load: number,
): JobList<J> {
  if (!(capacityGpus > 0)) refuse('capacity', 'a number of GPUs above 0', capacityGpus);
  if (!(load > 0 && Number.isFinite(load))) refuse('load', 'a number above 0', load);
  const before = offeredLoad(list.jobs, capacityGpus);
  if (!Number.isFinite(before)) {
    const detail = 'load: expected jobs with different submission times to scale';
    throw new InputError('options', null, null, detail);
  }
  const factor = before / load;
  const firstS = list.jobs[0]?.submitS ?? 0;
  const line =
    `time between submissions multiplied by ${factor} for an offered load of ${load} ` +
    `on ${capacityGpus} GPUs (was ${before})`;
  return moved(list, (job) => firstS + (job.submitS - firstS) * factor, line);
}
