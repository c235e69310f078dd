import type { ClusterView } from '../../sim/cluster/cluster.ts';
import type { JobView } from '../../sim/job-view.ts';
import type { View } from '../../sim/view.ts';
import { firstType, type TypeOrder } from '../placement/type-order.ts';
import { GpuLevels } from './gpu-levels.ts';
import type { Sharing } from './sharing.ts';

/** Slack for sums of memories. */
const EPSILON = 1e-9;
/** Levels a GiB of free memory. */
const LEVELS_PER_GIB = 8;

export interface MemoryFitOptions {
  readonly name: string;
  readonly mode: 'mps' | 'time-slice';
  /** Largest number of jobs on a GPU. */
  readonly maxPerGpu: number;
  /** Share, or weight, that a single job starts with. */
  readonly share: (job: JobView, type: number) => number;
  /** Takes a used GPU before a free one. */
  readonly packs: boolean;
  readonly types?: TypeOrder;
}

/**
 * Jobs of one GPU share it as long as their memory fits: the GPU in use with the least memory left that
 * holds the job. Gangs have their GPUs alone.
 */
export function memoryFit(options: MemoryFitOptions): Sharing {
  const { mode, maxPerGpu, share } = options;
  const types = options.types ?? firstType;
  const seats = new Map<number, number>();
  let levels: GpuLevels[] = [];
  let cluster: ClusterView;
  let needGib = 0;

  const accepts = (gpu: number): boolean =>
    cluster.freeMemoryGib(gpu) >= needGib - EPSILON && cluster.isAvailable(gpu);

  const update = (view: View, gpu: number): void => {
    const type = view.cluster.typeOf(gpu);
    const residents = view.cluster.residents[gpu]?.length ?? 0;
    const clients = mode === 'mps' ? (view.cluster.types[type]?.mpsClientLimit ?? 1) : Infinity;
    const isOpen = residents > 0 && residents < Math.min(maxPerGpu, clients);
    levels[type]?.set(gpu, isOpen ? levelOf(view.cluster.freeMemoryGib(gpu)) : -1);
  };

  return {
    name: options.name,
    mode,
    packs: options.packs,
    startShare: (view, job, gpu) =>
      job.gpuCount > 1 ? job.share : share(job, view.cluster.typeOf(gpu)),
    seat(view, job) {
      if (job.gpuCount > 1) return -1;
      cluster = view.cluster;
      for (const type of types(job)) {
        needGib = job.memoryGib(type);
        const gpu = levels[type]?.find(levelOf(needGib - 2 * EPSILON), accepts) ?? -1;
        if (gpu >= 0) return gpu;
      }
      return -1;
    },
    started(view, job) {
      if (job.gpuCount > 1) return;
      const { types: all, gpuCount } = view.cluster;
      if (levels.length === 0) levels = all.map(() => new GpuLevels(gpuCount));
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
  };
}

function levelOf(gib: number): number {
  return Math.max(0, Math.floor((gib + EPSILON) * LEVELS_PER_GIB));
}
