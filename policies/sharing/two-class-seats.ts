import type { ClusterView } from '../../sim/cluster/cluster.ts';
import type { JobView } from '../../sim/job-view.ts';
import type { View } from '../../sim/view.ts';
import { type Placement, spansTypes } from '../placement/placement.ts';
import { LoadedGpus } from './loaded-gpus.ts';

const EPSILON = 1e-9;

export interface TwoClassSeatsOptions {
  readonly placement: Placement;
  readonly isGuaranteed: (job: JobView) => boolean;
  /** Utilisation of a whole GPU of a type by the job alone, 0 .. 1. */
  readonly utilisation: (job: JobView, type: number) => number;
  /** Largest utilisation of a GPU that an opportunistic job may join. */
  readonly maxUtilisation: number;
}

/**
 * GPUs for jobs of two classes, at most two jobs on each, of which at most one is guaranteed (AntMan). A
 * guaranteed job takes free GPUs, and only where they do not suffice GPUs with one opportunistic job; an
 * opportunistic one takes the GPUs with the least utilisation, free ones first. A gang gets all or nothing.
 *
 * Finding GPUs looks at those that are taken, and at lighter ones with too little memory; at none when too
 * few have enough.
 */
export class TwoClassSeats {
  readonly #options: TwoClassSeatsOptions;
  readonly #held = new Map<number, readonly number[]>();
  /** By type: GPUs with one opportunistic job, and with any one job that another may join. */
  #opportunistic: LoadedGpus[] = [];
  #joinable: LoadedGpus[] = [];

  constructor(options: TwoClassSeatsOptions) {
    this.#options = options;
  }

  /** GPUs for a job, or null when it does not fit now. */
  find(cluster: ClusterView, job: JobView): readonly number[] | null {
    const { placement } = this.#options;
    const free = placement.place(cluster, job);
    if (free !== null || spansTypes(cluster, job)) return free;
    const seats = this.#options.isGuaranteed(job) ? this.#opportunistic : this.#joinable;
    for (const type of placement.types(job)) {
      const gpus = this.#join(cluster, job, type, seats[type]);
      if (gpus !== null) return gpus;
    }
    return null;
  }

  /** To be told of each job that has started, and of each that has left its GPUs. */
  started(view: View, job: JobView): void {
    const { types, gpuCount } = view.cluster;
    if (this.#joinable.length === 0) {
      this.#opportunistic = types.map(() => new LoadedGpus(gpuCount));
      this.#joinable = types.map(() => new LoadedGpus(gpuCount));
    }
    this.#held.set(job.index, job.gpus);
    for (const gpu of job.gpus) this.#update(view, gpu);
  }
  /** @returns the GPUs that it has left */
  left(view: View, job: JobView): readonly number[] {
    const gpus = this.#held.get(job.index) ?? [];
    this.#held.delete(job.index);
    for (const gpu of gpus) this.#update(view, gpu);
    return gpus;
  }

  /** All free GPUs of a type, and the rest beside others. */
  #join(
    cluster: ClusterView,
    job: JobView,
    type: number,
    seats: LoadedGpus | undefined,
  ): readonly number[] | null {
    if (seats === undefined || (cluster.types[type]?.mpsClientLimit ?? 1) < 2) return null;
    const need = job.gpuCount - cluster.freeGpus(type);
    // Enough are free, but the placement waits for better ones.
    if (need <= 0) return null;
    const beside = seats.lightest(cluster, need, job.memoryGib(type));
    return beside === null ? null : [...cluster.gpusWithResidents(type, 0), ...beside];
  }

  #update(view: View, gpu: number): void {
    const { cluster } = view;
    const type = cluster.typeOf(gpu);
    const residents = cluster.residents[gpu] as readonly number[];
    let opportunistic = false;
    let joinable = false;
    let used = 0;
    if (residents.length === 1) {
      const job = view.job(residents[0] as number);
      used = this.#options.utilisation(job, type);
      opportunistic = !this.#options.isGuaranteed(job);
      joinable = used <= this.#options.maxUtilisation + EPSILON;
    }
    const freeGib = cluster.freeMemoryGib(gpu);
    this.#opportunistic[type]?.set(gpu, opportunistic ? used : null, freeGib);
    this.#joinable[type]?.set(gpu, joinable ? used : null, freeGib);
  }
}
