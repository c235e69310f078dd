import type { ClusterView } from '../../sim/cluster/cluster.ts';
import type { JobView } from '../../sim/job-view.ts';
import { spansTypes } from '../placement/placement.ts';

/** Stands for several types where a type is expected, and for none. */
export const SEVERAL_TYPES = -1;
export const NO_TYPE = -2;

/** The type of the GPUs that a job holds, or SEVERAL_TYPES. */
export function typeHeld(cluster: ClusterView, { gpus }: JobView): number {
  const type = cluster.typeOf(gpus[0] as number);
  for (const gpu of gpus) if (cluster.typeOf(gpu) !== type) return SEVERAL_TYPES;
  return type;
}

/** GPUs by count that a walk has not given away yet: free ones, and those that jobs hold. */
export class GpuRoom {
  readonly #cluster: ClusterView;
  readonly #left: number[];
  /** Of those, how many are free now and promised to nobody. */
  readonly #free: number[];
  total: number;

  constructor(cluster: ClusterView) {
    this.#cluster = cluster;
    this.#left = cluster.types.map((_, type) => cluster.freeGpus(type));
    this.#free = [...this.#left];
    this.total = cluster.freeGpuTotal;
  }

  /** Counts the GPUs that a job holds, which are of this type or of SEVERAL_TYPES. */
  add(job: JobView, type: number): void {
    const { gpus } = job;
    if (type >= 0) this.#change(type, gpus.length);
    else for (const gpu of gpus) this.#change(this.#cluster.typeOf(gpu), 1);
  }

  /** Gives a job the count that it holds, on the types where it holds it, if it is still there. */
  keep(job: JobView, type: number): boolean {
    const { gpus } = job;
    if (type >= 0) {
      if ((this.#left[type] as number) < gpus.length) return false;
      this.#change(type, -gpus.length);
      return true;
    }
    for (let i = 0; i < gpus.length; i += 1) {
      const of = this.#cluster.typeOf(gpus[i] as number);
      this.#change(of, -1);
      if ((this.#left[of] as number) >= 0) continue;
      for (let j = 0; j <= i; j += 1) this.#change(this.#cluster.typeOf(gpus[j] as number), 1);
      return false;
    }
    return true;
  }

  /**
   * Gives a gang room on one type: the first of `types` where that displaces nobody, else the first
   * where it fits. @returns the type, SEVERAL_TYPES for a gang that spans them, or NO_TYPE
   */
  give(job: JobView, types: readonly number[]): number {
    const { gpuCount } = job;
    if (gpuCount > this.total) return NO_TYPE;
    let found = NO_TYPE;
    for (const type of types) {
      if ((this.#left[type] as number) < gpuCount) continue;
      if (found === NO_TYPE) found = type;
      if ((this.#free[type] as number) < gpuCount) continue;
      found = type;
      break;
    }
    if (found !== NO_TYPE) this.#take(found, gpuCount);
    else if (spansTypes(this.#cluster, job)) return this.#giveSeveral(gpuCount, types);
    return found;
  }

  #giveSeveral(gpuCount: number, types: readonly number[]): number {
    let left = 0;
    for (const type of types) left += this.#left[type] as number;
    if (left < gpuCount) return NO_TYPE;
    let need = gpuCount;
    for (const type of types) {
      const part = Math.min(need, this.#left[type] as number);
      this.#take(type, part);
      need -= part;
    }
    return SEVERAL_TYPES;
  }

  #take(type: number, count: number): void {
    this.#change(type, -count);
    this.#free[type] = (this.#free[type] as number) - count;
  }

  #change(type: number, by: number): void {
    this.#left[type] = (this.#left[type] as number) + by;
    this.total += by;
  }
}
