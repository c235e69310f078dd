import type { ClusterSpec } from '../sim/cluster/cluster.ts';
import { InputError } from '../sim/errors.ts';
import type { ProfileSet } from '../sim/gpu/profile.ts';
import type { JobSpec } from '../sim/job.ts';
import { toWorkload } from '../traces/assign/assign.ts';
import { importTrace } from '../traces/formats.ts';
import type { QualityReport } from '../traces/report.ts';
import { firstJobs, offeredLoad, scaleToLoad, shiftToZero, window } from '../traces/shape.ts';
import { synthPhilly } from '../traces/synth/philly.ts';
import type { ImportedTrace, Provenance as JobProvenance, TraceJob } from '../traces/workload.ts';
import { gpuCount } from './clusters.ts';
import type { ResolvedAssignment, ResolvedWorkload, SynthSource, TraceSource } from './resolved.ts';

/** Models by GPU-hours: the rule for jobs that name no model, unless another is asked for. */
export const DEFAULT_ASSIGNMENT: ResolvedAssignment = { rule: 'pollux-gpu-hours', options: {} };

/** How the jobs of a run were made, for `run.json`. */
export interface WorkloadRecord {
  readonly name: string;
  readonly jobs: number;
  /** GPU-seconds asked for over what the cluster gives while jobs are submitted; null if infinite. */
  readonly offeredLoad: number | null;
  readonly provenance: JobProvenance;
  readonly report: QualityReport;
}

/** The jobs of one seed. */
export interface BuiltWorkload {
  readonly jobs: readonly JobSpec[];
  readonly record: WorkloadRecord;
}

/** Refuses to go on without jobs, saying where they went. */
function refuseEmpty(trace: ImportedTrace): void {
  if (trace.jobs.length > 0) return;
  const { input, rowsRead, dropped } = trace.report;
  const lost = Object.entries(dropped).map(([reason, count]) => `${count} ${reason}`);
  const because = lost.length === 0 ? '' : ` (${lost.join(', ')})`;
  throw new InputError(
    input?.path ?? trace.name,
    null,
    null,
    `expected jobs, found none: ${rowsRead} rows read${because}`,
  );
}

async function readTrace(source: TraceSource): Promise<ImportedTrace> {
  const { file, format, settings, maxBadRows } = source;
  const trace = await importTrace(file.path, {
    format,
    settings,
    ...(maxBadRows === null ? {} : { maxBadRows }),
  });
  let list = { jobs: trace.jobs, report: trace.report };
  if (source.window !== null) list = window(list, source.window.fromS, source.window.toS);
  if (source.jobs !== null) list = firstJobs(list, source.jobs);
  const result = { ...trace, ...list };
  refuseEmpty(result);
  return result.jobs[0]?.submitS === 0 ? result : { ...result, ...shiftToZero(list) };
}

function generate(source: SynthSource, seed: number, capacityGpus: number): ImportedTrace {
  const { jobs, maxGpus, maxDurationS, load, ratePerS } = source;
  return synthPhilly({
    jobs,
    seed,
    ...(maxGpus === null ? {} : { maxGpus }),
    ...(maxDurationS === null ? {} : { maxDurationS }),
    ...(load === null ? {} : { load, capacityGpus }),
    ...(ratePerS === null ? {} : { ratePerS }),
  });
}

/** Traces that this thread has read: every seed of a trace has the same jobs. */
const tracesRead = new Map<string, Promise<ImportedTrace>>();

function readTraceOnce(source: TraceSource): Promise<ImportedTrace> {
  const key = JSON.stringify(source);
  let trace = tracesRead.get(key);
  if (trace === undefined) {
    tracesRead.clear();
    trace = readTrace(source);
    tracesRead.set(key, trace);
  }
  return trace;
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
 * assignment of models; a generator is driven by the seed altogether.
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
  let trace: ImportedTrace;
  if (source.kind === 'synth') trace = generate(source, seed, capacityGpus);
  else {
    trace = await readTraceOnce(source);
    if (source.load !== null) {
      trace = { ...trace, ...scaleToLoad<TraceJob>(trace, capacityGpus, source.load) };
    }
  }
  const { rule, options } = assignmentOf(source.assign, trace.jobs, profiles);
  const { referenceGpu } = source;
  const { name, jobs, report, provenance } = toWorkload(trace, {
    rule,
    options,
    seed,
    referenceGpu,
  });
  const load = offeredLoad(jobs, capacityGpus);
  return {
    jobs,
    record: {
      name,
      jobs: jobs.length,
      offeredLoad: Number.isFinite(load) ? load : null,
      provenance,
      report,
    },
  };
}
