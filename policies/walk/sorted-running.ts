import type { ClusterView } from '../../sim/cluster/cluster.ts';
import type { JobView } from '../../sim/job-view.ts';
import type { Order } from '../order/order.ts';
import { typeHeld } from './gpu-room.ts';

/**
 * Jobs that hold GPUs, sorted by (key, submission). Their order changes little from one ask to the
 * next, so they are kept and sorted by insertion: O(running + inversions), one key each.
 */
export class SortedRunning {
  readonly #order: Order;
  readonly #jobs: JobView[] = [];
  readonly #keys: number[] = [];
  readonly #types: number[] = [];

  constructor(order: Order) {
    this.#order = order;
  }

  get size(): number {
    return this.#jobs.length;
  }
  job(position: number): JobView {
    return this.#jobs[position] as JobView;
  }
  key(position: number): number {
    return this.#keys[position] as number;
  }

  /** The GPU type that the job holds, or SEVERAL_TYPES. */
  type(position: number): number {
    return this.#types[position] as number;
  }

  /** Adds a job that holds GPUs; it has no place in the order before the next refresh. */
  add(cluster: ClusterView, job: JobView): void {
    this.#jobs.push(job);
    this.#keys.push(Infinity);
    this.#types.push(typeHeld(cluster, job));
  }

  /** Takes a job out; O(running). */
  remove(job: JobView): void {
    const position = this.#jobs.indexOf(job);
    if (position < 0) return;
    this.#jobs.splice(position, 1);
    this.#keys.splice(position, 1);
    this.#types.splice(position, 1);
  }

  /** Drops jobs that hold no GPUs any more, asks for the keys of the others and sorts. */
  refresh(): void {
    const jobs = this.#jobs;
    const keys = this.#keys;
    const types = this.#types;
    let kept = 0;
    for (let i = 0; i < jobs.length; i += 1) {
      const job = jobs[i] as JobView;
      if (job.gpus.length === 0) continue;
      const key = this.#order.key(job);
      const type = types[i] as number;
      let at = kept;
      while (at > 0 && this.#isAfter(at - 1, key, job.index)) {
        jobs[at] = jobs[at - 1] as JobView;
        keys[at] = keys[at - 1] as number;
        types[at] = types[at - 1] as number;
        at -= 1;
      }
      jobs[at] = job;
      keys[at] = key;
      types[at] = type;
      kept += 1;
    }
    jobs.length = kept;
    keys.length = kept;
    types.length = kept;
  }

  #isAfter(position: number, key: number, index: number): boolean {
    const other = this.#keys[position] as number;
    return other > key || (other === key && (this.#jobs[position] as JobView).index > index);
  }
}
