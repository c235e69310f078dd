import type { ClusterView } from '../../sim/cluster/cluster.ts';
import type { Decision } from '../../sim/decisions.ts';
import type { View } from '../../sim/view.ts';
import { firstType, type TypeOrder } from '../placement/type-order.ts';
import { GpuLevels } from './gpu-levels.ts';
import type { Sharing } from './sharing.ts';

const EPSILON = 1e-9;

export interface MpsEqualOptions {
  /** Largest number of jobs on a GPU. */
  readonly maxPerGpu: number;
  /**
   * - *fixed*: every job has 1/maxPerGpu from its start to its end; nothing is ever restarted
   * - *adaptive*: n residents have 1/n each; who stays is restarted whenever n changes
   */
  readonly shares: 'fixed' | 'adaptive';
  /** Takes a used GPU before a free one. */
  readonly packs: boolean;
  readonly types?: TypeOrder;
}

/**
 * Jobs of one GPU share it under MPS in equal parts, as far as memory allows: the fullest GPU that
 * has a place, and of these the one with the least memory left. Gangs have their GPUs alone.
 */
export function mpsEqual(options: MpsEqualOptions): Sharing {
  const { maxPerGpu, shares } = options;
  const types = options.types ?? firstType;
  const seats = new Map<number, number>();
  /** GPUs whose residents may need other shares. */
  const uneven = new Set<number>();
  /** By type and number of residents; GPUs by free memory in whole GiB. */
  let levels: GpuLevels[][] = [];
  let cluster: ClusterView;
  let needGib = 0;

  const accepts = (gpu: number): boolean =>
    cluster.freeMemoryGib(gpu) >= needGib - EPSILON && cluster.isAvailable(gpu);

  const update = (view: View, gpu: number): void => {
    const ofType = levels[view.cluster.typeOf(gpu)] as GpuLevels[];
    const residents = view.cluster.residents[gpu]?.length ?? 0;
    const freeGib = Math.floor(view.cluster.freeMemoryGib(gpu) + EPSILON);
    for (let load = 1; load < maxPerGpu; load += 1) {
      ofType[load]?.set(gpu, load === residents ? Math.max(0, freeGib) : -1);
    }
    if (shares === 'adaptive' && residents > 0) uneven.add(gpu);
  };

  function* adjust(view: View): Generator<Decision> {
    for (const gpu of uneven) {
      const residents = [...(view.cluster.residents[gpu] as readonly number[])];
      let even = true;
      for (const resident of residents) {
        const job = view.job(resident);
        if (shareOn(view.cluster, gpu, resident) === 1 / residents.length) continue;
        // A client that still starts cannot be restarted; it comes up again when it runs.
        if (job.state !== 'running') even = false;
        else yield { kind: 'set-share', job, share: 1 / residents.length };
      }
      if (even) uneven.delete(gpu);
    }
  }

  return {
    name: `mps-equal-${shares}`,
    mode: 'mps',
    packs: options.packs,
    startShare(view, job, gpu) {
      if (job.gpuCount > 1) return job.share;
      if (shares === 'fixed') return 1 / maxPerGpu;
      return 1 / ((view.cluster.residents[gpu]?.length ?? 0) + 1);
    },
    seat(view, job) {
      if (job.gpuCount > 1) return -1;
      cluster = view.cluster;
      for (const type of types(job)) {
        needGib = job.memoryGib(type);
        const limit = Math.min(maxPerGpu, cluster.types[type]?.mpsClientLimit ?? 1);
        for (let load = limit - 1; load >= 1; load -= 1) {
          const gpu =
            levels[type]?.[load]?.find(Math.max(0, Math.floor(needGib - EPSILON)), accepts) ?? -1;
          if (gpu >= 0) return gpu;
        }
      }
      return -1;
    },
    started(view, job) {
      if (job.gpuCount > 1) return;
      const { types: all, gpuCount } = view.cluster;
      if (levels.length === 0) {
        levels = all.map(() => Array.from({ length: maxPerGpu }, () => new GpuLevels(gpuCount)));
      }
      const gpu = job.gpus[0] as number;
      seats.set(job.index, gpu);
      update(view, gpu);
    },
    left(view, job) {
      const gpu = seats.get(job.index);
      if (gpu === undefined) return;
      seats.delete(job.index);
      update(view, gpu);
    },
    ...(shares === 'adaptive' ? { adjust } : {}),
  };
}

function shareOn(cluster: ClusterView, gpu: number, job: number): number {
  const slot = (cluster.residents[gpu] as readonly number[]).indexOf(job);
  return cluster.shares[gpu]?.[slot] ?? 1;
}
