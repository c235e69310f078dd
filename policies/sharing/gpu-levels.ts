import { IndexSet } from '../../sim/cluster/index-set.ts';

/**
 * GPUs by a whole-numbered level of what they have left, for best-fit searches that do not scan the
 * cluster.
 */
export class GpuLevels {
  readonly #gpuCount: number;
  readonly #sets: (IndexSet | undefined)[] = [];
  readonly #levels: Int32Array;

  constructor(gpuCount: number) {
    this.#gpuCount = gpuCount;
    this.#levels = new Int32Array(gpuCount).fill(-1);
  }

  /** Files a GPU under a level >= 0, or takes it out with -1. */
  set(gpu: number, level: number): void {
    const before = this.#levels[gpu] as number;
    if (before === level) return;
    if (before >= 0) this.#sets[before]?.delete(gpu);
    this.#levels[gpu] = level;
    if (level >= 0) this.#at(level).add(gpu);
  }

  /** The GPU of the lowest level >= `from` that is accepted (ties: lowest number), or -1. */
  find(from: number, accepts: (gpu: number) => boolean): number {
    for (let level = from; level < this.#sets.length; level += 1) {
      const set = this.#sets[level];
      if (set === undefined) continue;
      for (let gpu = set.first(); gpu >= 0; gpu = set.next(gpu)) if (accepts(gpu)) return gpu;
    }
    return -1;
  }

  /** The first `count` GPUs that are accepted, lowest level first (ties: lowest number); maybe fewer. */
  collect(count: number, accepts: (gpu: number) => boolean): number[] {
    const found: number[] = [];
    if (count <= 0) return found;
    this.find(0, (gpu) => {
      if (accepts(gpu)) found.push(gpu);
      return found.length === count;
    });
    return found;
  }

  #at(level: number): IndexSet {
    let set = this.#sets[level];
    if (set === undefined) {
      set = new IndexSet(this.#gpuCount);
      while (this.#sets.length < level) this.#sets.push(undefined);
      this.#sets[level] = set;
    }
    return set;
  }
}
