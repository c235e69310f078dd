import type { ClusterSpec } from '../../sim/cluster/cluster.ts';
import type { GpuType } from '../../sim/gpu/profile.ts';
import type { JobView } from '../../sim/job-view.ts';

/** GPUs of each type that a cluster has, in the order of `types`. */
export function gpusByType({ groups }: ClusterSpec, types: readonly GpuType[]): number[] {
  return types.map(({ name }) =>
    groups
      .filter(({ gpuType }) => gpuType === name)
      .reduce((sum, { nodes, gpusPerNode }) => sum + nodes * gpusPerNode, 0),
  );
}

/** Gangs by which jobs grow: the least that a job needs, then powers of two up to the most that it can use. */
export class GangLevels {
  readonly #gpus: readonly number[];
  readonly #known = new Map<string, readonly number[]>();

  /** @param gpus of each type of the cluster */
  constructor(gpus: readonly number[]) {
    this.#gpus = gpus;
  }

  /** Ascending; empty where the type has too few GPUs. */
  of({ minGpus, maxGpus }: JobView, type: number): readonly number[] {
    const most = Math.min(maxGpus, this.#gpus[type] as number);
    const key = `${minGpus} ${most}`;
    let levels = this.#known.get(key);
    if (levels === undefined) {
      const made = minGpus <= most ? [minGpus] : [];
      for (let gpus = 1; gpus <= most; gpus *= 2) if (gpus > minGpus) made.push(gpus);
      levels = made;
      this.#known.set(key, levels);
    }
    return levels;
  }
}
