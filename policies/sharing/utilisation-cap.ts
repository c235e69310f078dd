import type { ClusterView } from '../../sim/cluster/cluster.ts';
import type { JobView } from '../../sim/job-view.ts';
import type { View } from '../../sim/view.ts';
import { firstType, type TypeOrder } from '../placement/type-order.ts';
import { GpuLevels } from './gpu-levels.ts';
import type { Sharing } from './sharing.ts';

/** Levels of what is left of a cap of 1; within one, GPUs are equally good. */
const LEVELS = 1000;
/** Slack for sums of utilisations and memories. */
const EPSILON = 1e-9;

export interface UtilisationCapOptions {
  /** Largest sum of predicted utilisations on a GPU, above 0. */
  readonly cap: number;
  readonly mode: 'mps' | 'time-slice';
  /** Predicted utilisation of a whole GPU of a type by the job alone, 0 .. 1. */
  readonly utilisation: (job: JobView, type: number) => number;
  readonly types?: TypeOrder;
}

/**
 * Jobs of one GPU share a GPU as long as their predicted utilisations sum to no more than a cap and
 * their memory fits: of the GPUs that would stay under the cap, the fullest. Each may use the whole GPU.
 * Gangs have their GPUs alone.
 *
 * Finding a seat looks at no GPU that is too full; it does look at those with too little memory.
 */
export function utilisationCap(options: UtilisationCapOptions): Sharing {
  const { cap, mode, utilisation } = options;
  const types = options.types ?? firstType;
  /** Of single jobs: their GPU and utilisation. */
  const seats = new Map<number, { readonly gpu: number; readonly used: number }>();
  let used = new Float64Array(0);
  let levels: GpuLevels[] = [];
  let cluster: ClusterView;
  let need = 0;
  let needGib = 0;
  let clients = Infinity;

  const accepts = (gpu: number): boolean =>
    (used[gpu] as number) + need <= cap + EPSILON &&
    cluster.freeMemoryGib(gpu) >= needGib - EPSILON &&
    (cluster.residents[gpu]?.length ?? 0) < clients &&
    cluster.isAvailable(gpu);

  const update = (view: View, gpu: number, by: number): void => {
    const isUsed = view.cluster.residents[gpu]?.length !== 0;
    const sum = isUsed ? (used[gpu] as number) + by : 0;
    used[gpu] = sum;
    const left = cap - sum;
    levels[view.cluster.typeOf(gpu)]?.set(gpu, isUsed && left > EPSILON ? levelOf(left) : -1);
  };

  return {
    name: 'utilisation-cap',
    mode,
    packs: true,
    startShare: () => 1,
    seat(view, job) {
      if (job.gpuCount > 1) return -1;
      cluster = view.cluster;
      for (const type of types(job)) {
        need = utilisation(job, type);
        needGib = job.memoryGib(type);
        if (mode === 'mps') clients = cluster.types[type]?.mpsClientLimit ?? 1;
        const gpu = levels[type]?.find(levelOf(need - 2 * EPSILON), accepts) ?? -1;
        if (gpu >= 0) return gpu;
      }
      return -1;
    },
    started(view, job) {
      if (job.gpuCount > 1) return;
      const { types: all, gpuCount } = view.cluster;
      if (levels.length === 0) {
        levels = all.map(() => new GpuLevels(gpuCount));
        used = new Float64Array(gpuCount);
      }
      const [gpu = -1] = job.gpus;
      const seat = { gpu, used: utilisation(job, view.cluster.typeOf(gpu)) };
      seats.set(job.index, seat);
      update(view, gpu, seat.used);
    },
    left(view, job) {
      const seat = seats.get(job.index);
      if (seat === undefined) return;
      seats.delete(job.index);
      update(view, seat.gpu, -seat.used);
    },
  };
}

function levelOf(left: number): number {
  return Math.max(0, Math.floor((left + EPSILON) * LEVELS));
}
