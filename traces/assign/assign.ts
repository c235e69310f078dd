import { InputError, nearest } from '../../sim/errors.ts';
import type { JobSpec } from '../../sim/job.ts';
import { randomStream } from '../../sim/random.ts';
import { quoted } from '../csv/row.ts';
import type { AssignmentRecord, ImportedTrace, TraceJob, TraceWorkload } from '../workload.ts';
import { column } from './column.ts';
import { fixed } from './fixed.ts';
import { gavelMix } from './gavel-mix.ts';
import { paiTag } from './pai-tag.ts';
import { polluxGpuHours } from './pollux-gpu-hours.ts';
import type { AssignmentRule } from './rule.ts';
import { uniform } from './uniform.ts';
import { zeusRuntime } from './zeus-runtime.ts';

/** Every assignment rule, by name. */
export const ASSIGNMENT_RULES: ReadonlyMap<string, AssignmentRule> = new Map(
  [column, fixed, gavelMix, paiTag, polluxGpuHours, uniform, zeusRuntime].map((rule) => [
    rule.name,
    rule,
  ]),
);
/** GPU type of trace durations that name none. */
export const DEFAULT_REFERENCE_GPU = 'V100';

export interface AssignmentSettings {
  readonly rule: string;
  readonly seed: number | string;
  /** What the rule takes; see each rule. */
  readonly options?: unknown;
  readonly referenceGpu?: string;
}

export interface Assignment {
  readonly jobs: readonly JobSpec[];
  readonly record: AssignmentRecord;
}

function ruleNamed(name: string): AssignmentRule {
  const rule = ASSIGNMENT_RULES.get(name);
  if (rule !== undefined) return rule;
  const names = [...ASSIGNMENT_RULES.keys()];
  const near = nearest(name, names);
  const hint = near === null ? '' : `; did you mean ${quoted(near)}?`;
  const detail = `assignment rule: expected one of ${names.map(quoted).join(', ')}, found ${quoted(name)}`;
  throw new InputError('options', null, null, detail + hint);
}

/**
 * Gives each job a workload. One draw a job, in the order of `jobs` (sorted by submission), from the stream
 * `assign/<rule>`, whether the rule uses it or not: so jobs left out at the end change nothing before.
 */
export function assignWorkloads(
  jobs: readonly TraceJob[],
  { rule: name, seed, options, referenceGpu = DEFAULT_REFERENCE_GPU }: AssignmentSettings,
): Assignment {
  const picker = ruleNamed(name).prepare(options, jobs);
  const random = randomStream(seed, `assign/${name}`);
  const counts = new Map<string, number>();
  let unstated = 0;
  const assigned = jobs.map((job): JobSpec => {
    const workload = picker.pick(job, random());
    counts.set(workload, (counts.get(workload) ?? 0) + 1);
    if (job.referenceGpu === null) unstated += 1;
    return {
      id: job.id,
      submitS: job.submitS,
      workload,
      durationS: job.durationS,
      referenceGpu: job.referenceGpu ?? referenceGpu,
      gpuCount: job.gpuCount,
      minGpus: job.gpuCount,
      maxGpus: job.gpuCount,
      share: job.share,
      memoryGib: job.memoryGib,
      gpuTypes: job.gpuTypes,
      deadlineS: job.deadlineS,
      maxSlowdown: job.maxSlowdown,
      priority: job.priority,
      user: job.user,
      virtualCluster: job.virtualCluster,
    };
  });
  const assumed = [...picker.assumed];
  if (unstated > 0)
    assumed.push(`durations of ${unstated} jobs are taken as run times on ${referenceGpu}`);
  return {
    jobs: assigned,
    record: {
      rule: name,
      seed,
      referenceGpu,
      options: picker.options,
      counts: Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))),
      assumed,
    },
  };
}

/** The workload of a trace: its jobs with workloads assigned, its report and where it all came from. */
export function toWorkload(trace: ImportedTrace, settings: AssignmentSettings): TraceWorkload {
  const { jobs, record } = assignWorkloads(trace.jobs, settings);
  const { report } = trace;
  return {
    name: trace.name,
    jobs,
    report: { ...report, assumed: [...report.assumed, ...record.assumed] },
    provenance: {
      source: report.input === null ? 'generator' : 'file',
      format: trace.format,
      recognisedBy: trace.recognisedBy,
      input: report.input,
      assignment: record,
    },
  };
}
