import type { ClusterSpec } from '../sim/cluster/cluster.ts';
import type { ProfileSet, ProvenanceTable } from '../sim/gpu/profile.ts';
import type { JobSpec } from '../sim/job.ts';
import type { ProfileRecord } from './run-record.ts';

/** Fields that say what a profile is of, not what it holds. */
const NOT_TERMS = new Set(['name', 'workload', 'gpuType', 'provenance', 'fitError']);

/** Dotted names of the numbers of a profile or GPU type. */
function terms(value: object, prefix = ''): string[] {
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    if (prefix === '' && NOT_TERMS.has(key)) return [];
    const name = `${prefix}${key}`;
    const isGroup = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
    return isGroup ? terms(inner, `${name}.`) : [name];
  });
}

/** Where a term comes from: its own entry, that of the group it is in, or the one for all. */
function kindOf(term: string, provenance: ProvenanceTable): string {
  const group = term.split('.')[0] as string;
  return (provenance[term] ?? provenance[group] ?? provenance['*'])?.kind ?? 'unstated';
}

/** Terms of one profile or GPU type, counted by the kind of their provenance. */
export function countTerms(
  holder: { readonly provenance: ProvenanceTable },
  counts: Record<string, number> = {},
): Record<string, number> {
  for (const term of terms(holder)) {
    const kind = kindOf(term, holder.provenance);
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

function sorted(counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Provenance of every number that a run can have used: jobs' workloads on the cluster's types. */
export function profileRecord(
  jobs: readonly JobSpec[],
  cluster: ClusterSpec,
  profiles: ProfileSet,
): ProfileRecord {
  const workloads = new Set(jobs.map((job) => job.workload));
  const types = new Set(cluster.groups.map((group) => group.gpuType));
  let count = 0;
  const workloadTerms: Record<string, number> = {};
  for (const workload of profiles.workloads) {
    if (!workloads.has(workload.name)) continue;
    for (const type of types) {
      const profile = workload.onGpu[type];
      if (profile === undefined) continue;
      count += 1;
      countTerms(profile, workloadTerms);
    }
  }
  const gpuTypeTerms: Record<string, number> = {};
  for (const type of profiles.gpuTypes) if (types.has(type.name)) countTerms(type, gpuTypeTerms);
  return {
    profiles: count,
    workloadTerms: sorted(workloadTerms),
    gpuTypeTerms: sorted(gpuTypeTerms),
  };
}
