import { IndexSet } from '../../sim/cluster/index-set.ts';
import type { Slice } from './partition.ts';
import { SLICES } from './slices.ts';

/** Where a GPU is filed. */
interface Place {
  readonly jobs: number;
  readonly rank: number;
}

/**
 * GPUs of one type by their number of jobs and the largest slice that a further job could get; finding the
 * one with the fewest jobs looks at no GPU.
 */
export class JoinableGpus {
  readonly #gpuCount: number;
  /** By number of jobs and rank of the slice. */
  readonly #sets: IndexSet[][] = [];
  readonly #places = new Map<number, Place>();

  constructor(gpuCount: number) {
    this.#gpuCount = gpuCount;
  }

  /** Files a GPU, or takes it out with slice 0. */
  set(gpu: number, jobs: number, largest: Slice | 0): void {
    const before = this.#places.get(gpu);
    if (before !== undefined) {
      this.#sets[before.jobs]?.[before.rank]?.delete(gpu);
      this.#places.delete(gpu);
    }
    if (largest === 0) return;
    const place = { jobs, rank: SLICES.indexOf(largest) };
    while (this.#sets.length <= jobs) {
      this.#sets.push(SLICES.map(() => new IndexSet(this.#gpuCount)));
    }
    this.#sets[jobs]?.[place.rank]?.add(gpu);
    this.#places.set(gpu, place);
  }

  /** Number of jobs on a GPU that is filed; Infinity otherwise. */
  jobsOn(gpu: number): number {
    return this.#places.get(gpu)?.jobs ?? Infinity;
  }

  /** The GPU with the fewest jobs on which a further one could get at least this slice, or -1. */
  fewest(needed: Slice): number {
    for (const ranks of this.#sets) {
      let first = -1;
      for (let rank = SLICES.indexOf(needed); rank < ranks.length; rank += 1) {
        const gpu = ranks[rank]?.first() ?? -1;
        if (gpu >= 0 && (first < 0 || gpu < first)) first = gpu;
      }
      if (first >= 0) return first;
    }
    return -1;
  }
}
