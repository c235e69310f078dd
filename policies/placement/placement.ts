import type { ClusterView } from '../../sim/cluster/cluster.ts';
import type { JobView } from '../../sim/job-view.ts';

/**
 * Finds whole, free GPUs for a gang; it only looks. A gang gets GPUs of one type, but one that is
 * larger than every type of the cluster may span types.
 */
export interface Placement {
  readonly name: string;
  /** Types of the job in the order in which they are tried. */
  types(job: JobView): readonly number[];
  /** GPUs for the whole gang, or null when it does not fit now. */
  place(cluster: ClusterView, job: JobView): readonly number[] | null;
  /** The same on one type only. */
  placeOn(cluster: ClusterView, job: JobView, type: number): readonly number[] | null;
}

/** Whether a gang is larger than each type, so that it can run only over several types. */
export function spansTypes(cluster: ClusterView, job: JobView): boolean {
  const { gpuCount, types } = job;
  for (const type of types) if (cluster.gpusOfType(type) >= gpuCount) return false;
  return true;
}

/**
 * Whether enough GPUs are free for the gang, by count: of one type, or of all its types together for
 * one that spans them.
 */
export function fitsByCount(cluster: ClusterView, job: JobView): boolean {
  const { gpuCount, types } = job;
  let total = 0;
  for (const type of types) {
    const free = cluster.freeGpus(type);
    if (free >= gpuCount) return true;
    total += free;
  }
  return total >= gpuCount && spansTypes(cluster, job);
}
