import type { Summary } from '../sim/result.ts';
import { type ClusterLoad, overloads } from '../traces/statistics/load.ts';
import type { ResolvedExperiment } from './resolved.ts';
import type { RejectedJob } from './run-record.ts';

/** A finished run as far as warnings look at it. */
export interface RunWithRejections {
  readonly jobs: Summary['jobs'];
  readonly firstRejected: RejectedJob | null;
}

/** What warnings need to know of an experiment, to say how to mend it. */
export type Mendable = Pick<ResolvedExperiment, 'allowExtrapolated'> & {
  readonly workload: Pick<ResolvedExperiment['workload'], 'kind'>;
};

function profiles({ allowExtrapolated }: Mendable): string {
  const more = allowExtrapolated ? '' : ' or --allow-extrapolated';
  return `a profile for it (--profiles FILE${more})`;
}

/** By the code of a rejection: how to mend it. */
const MENDS: Readonly<Record<string, (experiment: Mendable) => string>> = {
  unknown_workload: (experiment) => `${profiles(experiment)}, or other workloads (--assign)`,
  no_reference_profile: (experiment) =>
    `a GPU type that has one (--reference-gpu TYPE), or ${profiles(experiment)}`,
  no_profile: (experiment) => `${profiles(experiment)}, or other GPU types (--cluster)`,
  gpu_type: () => 'a cluster with that GPU type (--cluster)',
  too_many_gpus: ({ workload }) =>
    `a larger cluster (--cluster)${workload.kind === 'trace' ? '' : ', or smaller gangs (--synth philly:maxGpus=N)'}`,
  memory: () => 'GPUs with more memory (--cluster)',
};

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

/** How many of each, the most frequent first. */
function byReason(runs: readonly RunWithRejections[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { jobs } of runs) {
    for (const [reason, count] of Object.entries(jobs.rejectedByReason)) {
      counts.set(reason, (counts.get(reason) ?? 0) + count);
    }
  }
  return [...counts].sort(([, a], [, b]) => b - a);
}

/** What the figures are worth: jobs that were rejected are in none of them. */
function consequence(runs: readonly RunWithRejections[]): string {
  const empty = runs.filter(({ jobs }) => jobs.rejected === jobs.submitted).length;
  if (empty === 0) return 'the figures leave them out';
  if (empty === runs.length) return 'so nothing ran and the figures mean nothing';
  return `so nothing ran in ${empty} of ${runs.length} runs, whose figures mean nothing`;
}

/**
 * One warning where jobs were rejected: how many, why, and how to mend it; none otherwise. Counts
 * are over all runs.
 */
export function rejectionWarnings(
  runs: readonly RunWithRejections[],
  experiment: Mendable,
): string[] {
  const rejected = sum(runs.map(({ jobs }) => jobs.rejected));
  if (rejected === 0) return [];
  const reasons = byReason(runs);
  const counts = reasons.map(([reason, count]) => `${count} ${reason}`).join(', ');
  const example = runs.find(({ firstRejected }) => firstRejected !== null)?.firstRejected;
  const why = example == null ? '' : `; job '${example.job}', for example: ${example.reason}`;
  const mends = reasons.flatMap(([reason]) => MENDS[reason]?.(experiment) ?? []);
  const mend = mends.length === 0 ? '' : `; to mend it: ${[...new Set(mends)].join('; ')}`;
  const submitted = sum(runs.map(({ jobs }) => jobs.submitted));
  const all = rejected === submitted ? `all ${rejected}` : `${rejected} of ${submitted}`;
  return [`${all} jobs were rejected (${counts}), ${consequence(runs)}${why}${mend}`];
}

/**
 * A warning for each GPU type, and for the cluster, of which jobs ask for more than there is; none for a
 * load of the whole that was asked for.
 */
export function loadWarnings(load: ClusterLoad, askedLoad: number | null): string[] {
  const unasked = overloads(load).filter(({ gpuType }) => gpuType !== null || askedLoad === null);
  return unasked.map(
    ({ sentence }) =>
      `${sentence}; to mend it: fewer submissions (--load) or a larger cluster (--cluster)`,
  );
}
