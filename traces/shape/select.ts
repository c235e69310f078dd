import { nearest } from '../../sim/errors.ts';
import { randomStream } from '../../sim/random.ts';
import { quoted } from '../csv/row.ts';
import type { DropReason } from '../report.ts';
import type { TraceJob } from '../workload.ts';
import { refuse, type ShapeStep, type StepResult, shapeError } from './step.ts';

/** Virtual clusters that an error names. */
const NAMED = 12;

function kept(
  jobs: readonly TraceJob[],
  keep: (job: TraceJob, index: number) => boolean,
  reason: DropReason,
  line: string,
): StepResult {
  const rest = jobs.filter(keep);
  return { jobs: rest, dropped: { [reason]: jobs.length - rest.length }, lines: [line] };
}

/** The first `count` jobs by submission. */
export function firstJobs(count: number): ShapeStep {
  if (!Number.isSafeInteger(count) || count < 1) refuse('jobs', 'a whole number from 1', count);
  return (jobs) =>
    kept(jobs, (_job, index) => index < count, 'beyond_limit', `only the first ${count} jobs`);
}

/** The jobs submitted in [fromS, toS), on the clock of the trace. Their times stay as they are. */
export function inWindow(fromS: number, toS: number): ShapeStep {
  if (!(toS > fromS)) refuse('window end', `a time after ${fromS}`, toS);
  const line = `only jobs submitted from ${fromS} s to before ${toS} s`;
  return (jobs) =>
    kept(jobs, ({ submitS }) => submitS >= fromS && submitS < toS, 'outside_window', line);
}

/** The jobs of these virtual clusters. One that no job names is an `InputError`. */
export function ofVirtualClusters(names: readonly string[]): ShapeStep {
  if (names.length === 0) throw shapeError('virtual clusters: expected at least one, found none');
  return (jobs) => {
    const there = new Set<string>();
    for (const { virtualCluster } of jobs) if (virtualCluster !== null) there.add(virtualCluster);
    for (const name of names) {
      if (there.has(name)) continue;
      const near = nearest(name, there);
      const listed = [...there].slice(0, NAMED).map(quoted).join(', ');
      const more = there.size > NAMED ? ` and ${there.size - NAMED} more` : '';
      const hint = near === null ? '' : `; did you mean ${quoted(near)}?`;
      const known = there.size === 0 ? 'the trace names none' : `the trace has ${listed}${more}`;
      throw shapeError(`virtual cluster ${quoted(name)}: ${known}${hint}`);
    }
    const line = `only jobs of the virtual clusters ${names.join(', ')}`;
    const asked = new Set<string | null>(names);
    const keep = ({ virtualCluster }: TraceJob) => asked.has(virtualCluster);
    return kept(jobs, keep, 'other_virtual_cluster', line);
  };
}

/** The jobs that can ever run on a cluster of so many GPUs. */
export function withinCapacity(capacityGpus: number): ShapeStep {
  if (!(capacityGpus >= 1)) refuse('capacity', 'at least 1 GPU', capacityGpus);
  const line = `only jobs of at most ${capacityGpus} GPUs`;
  return (jobs) => kept(jobs, ({ gpuCount }) => gpuCount <= capacityGpus, 'over_capacity', line);
}

/** The jobs that ask for at most so many GPUs. */
export function withoutLargeGangs(maxGang: number): ShapeStep {
  if (!Number.isSafeInteger(maxGang) || maxGang < 1) {
    refuse('largest gang', 'a whole number from 1', maxGang);
  }
  const line = `only jobs of at most ${maxGang} GPUs`;
  return (jobs) => kept(jobs, ({ gpuCount }) => gpuCount <= maxGang, 'large_gang', line);
}

/** The jobs that run for at least this long. */
export function withoutShortJobs(minS: number): ShapeStep {
  if (!(minS >= 0 && Number.isFinite(minS))) refuse('least run time', 'seconds from 0', minS);
  const line = `only jobs that run for at least ${minS} s`;
  return (jobs) => kept(jobs, ({ durationS }) => durationS >= minS, 'too_short', line);
}

/** The jobs that run for at most this long. */
export function withoutLongJobs(maxS: number): ShapeStep {
  if (!(maxS > 0 && Number.isFinite(maxS))) refuse('longest run time', 'seconds above 0', maxS);
  const line = `only jobs that run for at most ${maxS} s`;
  return (jobs) => kept(jobs, ({ durationS }) => durationS <= maxS, 'too_long', line);
}

/** Stream of the sample; see `randomStream`. */
const SAMPLE_STREAM = 'shape/sample';

/**
 * A random sample without replacement: below 1 a part of the jobs, from 1 so many of them (all when there
 * are fewer). Every job is as likely; one draw a job, in order, from the stream `shape/sample`.
 */
export function sampled(size: number, seed: number | string): ShapeStep {
  const isPart = size > 0 && size < 1;
  if (!isPart && !(Number.isSafeInteger(size) && size >= 1)) {
    refuse('sample', 'a part below 1 or a whole number of jobs', size);
  }
  return (jobs) => {
    const wanted = Math.min(
      jobs.length,
      isPart ? Math.max(1, Math.round(size * jobs.length)) : size,
    );
    const random = randomStream(seed, SAMPLE_STREAM);
    let open = wanted;
    const rest = jobs.filter((_job, index) => {
      const taken = random() * (jobs.length - index) < open;
      if (taken) open -= 1;
      return taken;
    });
    const line = `a sample of ${wanted} of ${jobs.length} jobs (seed ${seed}, stream ${SAMPLE_STREAM})`;
    return { jobs: rest, dropped: { not_sampled: jobs.length - rest.length }, lines: [line] };
  };
}
