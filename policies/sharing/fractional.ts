import type { ClusterView } from '../../sim/cluster/cluster.ts';
import type { JobView } from '../../sim/job-view.ts';
import type { View } from '../../sim/view.ts';
import { firstType, type TypeOrder } from '../placement/type-order.ts';
import { GpuLevels } from './gpu-levels.ts';
import type { Sharing } from './sharing.ts';

/** Levels of free share; within one, GPUs are equally good. */
const LEVELS = 1000;
/** Slack for sums of shares and memories, as the simulator allows it. */
const EPSILON = 1e-9;

export interface FractionalOptions {
  readonly mode?: 'mps' | 'time-slice';
  readonly types?: TypeOrder;
}

/**
 * Jobs that ask for a part of a GPU share one: the GPU with the least share left that still has the
 * share and the memory (best fit; after BestFit of FGD's simulator, which scores whole nodes). Shares
 * never sum to more than 1. The other jobs have their GPUs alone.
 *
 * Finding a seat looks at no GPU with too little share; it does look at those with too little memory.
 */
export function fractional(options: FractionalOptions = {}): Sharing {
  const types = options.types ?? firstType;
  const mode = options.mode ?? 'mps';
  const seats = new Map<number, number>();
  let levels: GpuLevels[] = [];
  let needShare = 0;
  let needGib = 0;
  let clients = Infinity;
  let cluster: ClusterView;

  const accepts = (gpu: number): boolean =>
    freeShare(cluster, gpu) >= needShare - EPSILON &&
    cluster.freeMemoryGib(gpu) >= needGib - EPSILON &&
    (cluster.residents[gpu]?.length ?? 0) < clients &&
    cluster.isAvailable(gpu);

  const update = (view: View, gpu: number): void => {
    const free = view.cluster.residents[gpu]?.length === 0 ? -1 : freeShare(view.cluster, gpu);
    levels[view.cluster.typeOf(gpu)]?.set(gpu, free < EPSILON ? -1 : levelOf(free));
  };

  return {
    name: 'fractional',
    mode,
    packs: true,
    startShare: (_view, job) => job.share,
    seat(view, job) {
      if (!isPart(job)) return -1;
      cluster = view.cluster;
      needShare = job.share;
      for (const type of types(job)) {
        needGib = job.memoryGib(type);
        if (mode === 'mps') clients = cluster.types[type]?.mpsClientLimit ?? 1;
        const gpu = levels[type]?.find(levelOf(needShare - 2 * EPSILON), accepts) ?? -1;
        if (gpu >= 0) return gpu;
      }
      return -1;
    },
    started(view, job) {
      if (!isPart(job)) return;
      if (levels.length === 0) {
        levels = view.cluster.types.map(() => new GpuLevels(view.cluster.gpuCount));
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
  };
}

function isPart(job: JobView): boolean {
  return job.share < 1 && job.gpuCount === 1;
}

function freeShare(cluster: ClusterView, gpu: number): number {
  let free = 1;
  for (const share of cluster.shares[gpu] as readonly number[]) free -= share;
  return free;
}

function levelOf(share: number): number {
  return Math.max(0, Math.floor((share + EPSILON) * LEVELS));
}
