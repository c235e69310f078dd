import type { Cluster } from './cluster.ts';
import { IndexSet } from './index-set.ts';

/** GPUs of one type with the same multiset of residents. */
export interface GpuClass {
  readonly type: number;
  /** What the residents are, ascending; the numbers come from the classifier of the cluster. */
  readonly residents: readonly number[];
  /** Members, ascending; never empty while the class is listed. */
  readonly gpus: IndexSet;
}

/** Keeps the classes of available GPUs up to date; a change of one GPU costs O(residents log). */
export class GpuClasses {
  readonly #cluster: Cluster;
  readonly #classOf: (job: number) => number;
  readonly #byKey = new Map<string, GpuClass>();
  readonly #ofGpu: (GpuClass | null)[];

  constructor(cluster: Cluster, classOf: (job: number) => number) {
    this.#cluster = cluster;
    this.#classOf = classOf;
    this.#ofGpu = Array.from({ length: cluster.gpuCount }, () => null);
  }

  /** Classes that have members, in the order in which they first appeared. */
  *[Symbol.iterator](): Generator<GpuClass> {
    for (const gpuClass of this.#byKey.values()) if (gpuClass.gpus.size > 0) yield gpuClass;
  }

  /** Files a GPU where it now belongs. */
  update(gpu: number): void {
    const before = this.#ofGpu[gpu] ?? null;
    const after = this.#cluster.isAvailable(gpu) ? this.#classFor(gpu) : null;
    if (before === after) return;
    before?.gpus.delete(gpu);
    after?.gpus.add(gpu);
    this.#ofGpu[gpu] = after;
  }

  #classFor(gpu: number): GpuClass {
    const type = this.#cluster.typeOf(gpu);
    const jobs = this.#cluster.residents[gpu] as number[];
    const residents = jobs.map((job) => this.#classOf(job)).sort((a, b) => a - b);
    const key = `${type}:${residents.join(',')}`;
    let found = this.#byKey.get(key);
    if (found === undefined) {
      found = { type, residents, gpus: new IndexSet(this.#cluster.gpuCount) };
      this.#byKey.set(key, found);
    }
    return found;
  }
}
