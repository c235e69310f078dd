import type { ClusterSpec } from '../sim/cluster/cluster.ts';
import { InputError } from '../sim/errors.ts';
import type { ProfileSet } from '../sim/gpu/profile.ts';
import type { JobSpec } from '../sim/job.ts';
import { toWorkload } from '../traces/assign/assign.ts';
import { importTrace } from '../traces/formats.ts';
import type { QualityReport } from '../traces/report.ts';
import { shapeTrace } from '../traces/shape/index.ts';
import { type ClusterLoad, clusterLoad } from '../traces/statistics/load.ts';
import { synthesize } from '../traces/synth/index.ts';
import type { ImportedTrace, Provenance as JobProvenance, TraceJob } from '../traces/workload.ts';
import { gpuCount } from './clusters.ts';
import { elasticJobs } from './elastic.ts';
import type { ResolvedAssignment, ResolvedWorkload, SynthSource, TraceSource } from './resolved.ts';
import { traceCache } from './trace-cache.ts';

/** Models by GPU-hours: the rule for jobs that name no model, unless another is asked for. */
export const DEFAULT_ASSIGNMENT: ResolvedAssignment = { rule: 'pollux-gpu-hours', options: {} };

/** How the jobs of a run were made, for `run.json`. */
export interface WorkloadRecord {
  readonly name: string;
  readonly jobs: number;
  /** GPU-seconds asked for over what the cluster gives while jobs are submitted; null if infinite. */
  readonly offeredLoad: number | null;
  /** What the jobs ask of each GPU type of the cluster. */
  readonly load: ClusterLoad;
  readonly provenance: JobProvenance;
  readonly report: QualityReport;
}

/** The jobs of one seed. */
export interface BuiltWorkload {
  readonly jobs: readonly JobSpec[];
  readonly record: WorkloadRecord;
}

function generate(source: SynthSource, seed: number, capacityGpus: number): ImportedTrace {
  const { generator, settings, jobs, maxGpus, maxDurationS, load, ratePerS } = source;
  return synthesize(generator, {
    jobs,
    seed,
    settings,
    ...(maxGpus === null ? {} : { maxGpus }),
    ...(maxDurationS === null ? {} : { maxDurationS }),
    ...(load === null ? {} : { load, capacityGpus }),
    ...(ratePerS === null ? {} : { ratePerS }),
  });
}

/** Keeps the last thing made, for as long as the next is asked for by the same key. */
function lastOf<T>(): (key: unknown, make: () => T) => T {
  let last: { readonly key: string; readonly value: T } | null = null;
  return (key, make) => {
    const text = JSON.stringify(key);
    if (last?.key !== text) last = { key: text, value: make() };
    return last.value;
  };
}

/** The trace that this thread read last, and as it was shaped last: policies of one seed share both. */
const lastRead = lastOf<Promise<ImportedTrace>>();
const lastShaped = lastOf<Promise<ImportedTrace>>();

function readTrace({ file, format, settings, maxBadRows }: TraceSource): Promise<ImportedTrace> {
  return lastRead({ file, format, settings, maxBadRows }, () =>
    importTrace(file.path, {
      format,
      settings,
      ...(maxBadRows === null ? {} : { maxBadRows }),
      cache: traceCache(process.env),
    }),
  );
}

/** A trace as shaped for a cluster; the seed draws the sample, and nothing where none is asked for. */
function shapedTrace(source: TraceSource, seed: number, capacityGpus: number) {
  const drawn = source.shape.sample === null ? null : seed;
  return lastShaped([source, capacityGpus, drawn], async () => {
    const load = source.load === null ? null : { load: source.load, capacityGpus };
    return shapeTrace(await readTrace(source), { ...source.shape, load }, seed);
  });
}

/** The rule as asked for; else the trace's own models where all jobs name one, else the default. */
function assignmentOf(
  asked: ResolvedAssignment | null,
  jobs: readonly TraceJob[],
  profiles: ProfileSet,
): ResolvedAssignment {
  const named = jobs.every((job) => job.model !== null);
  const chosen = asked ?? (named ? { rule: 'column', options: {} } : DEFAULT_ASSIGNMENT);
  if (chosen.rule !== 'column') return chosen;
  const known = profiles.workloads.map((workload) => workload.name);
  return { rule: 'column', options: { known, ...chosen.options } };
}

/** Gives an error in the options of a rule or a scaling the place that its jobs come from. */
function placed(error: unknown, source: ResolvedWorkload): unknown {
  if (!(error instanceof InputError) || error.file !== 'options') return error;
  const place = source.kind === 'trace' ? source.file.path : `--synth ${source.generator}`;
  return new InputError(place, null, null, error.detail.replace('assignment rule', '--assign'));
}

/**
 * The jobs of one seed. A trace gives the same jobs for every seed, which then drives only the
 * assignment of models and a sample; a generator is driven by the seed altogether.
 * @throws {InputError} on anything wrong with the file or the options
 */
export async function buildWorkload(
  source: ResolvedWorkload,
  seed: number,
  cluster: ClusterSpec,
  profiles: ProfileSet,
): Promise<BuiltWorkload> {
  try {
    return await build(source, seed, cluster, profiles);
  } catch (error) {
    throw placed(error, source);
  }
}

async function build(
  source: ResolvedWorkload,
  seed: number,
  cluster: ClusterSpec,
  profiles: ProfileSet,
): Promise<BuiltWorkload> {
  const capacityGpus = gpuCount(cluster);
  const trace =
    source.kind === 'synth'
      ? generate(source, seed, capacityGpus)
      : await shapedTrace(source, seed, capacityGpus);
  const { rule, options } = assignmentOf(source.assign, trace.jobs, profiles);
  const { referenceGpu } = source;
  const made = toWorkload(trace, {
    rule,
    options,
    seed,
    referenceGpu,
  });
  const { name, provenance } = made;
  const elastic =
    source.elastic === null ? null : elasticJobs(made.jobs, source.elastic, cluster, profiles);
  const { jobs } = elastic ?? made;
  const report =
    elastic === null
      ? made.report
      : { ...made.report, assumed: [...made.report.assumed, elastic.line] };
  const load = clusterLoad(jobs, cluster);
  return {
    jobs,
    record: {
      name,
      jobs: jobs.length,
      offeredLoad: load.offeredLoad,
      load,
      provenance,
      report,
    },
  };
}
