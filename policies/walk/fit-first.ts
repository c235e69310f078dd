import type { Decision } from '../../sim/decisions.ts';
import type { JobView } from '../../sim/job-view.ts';
import type { View } from '../../sim/view.ts';
import type { Order } from '../order/order.ts';
import { ClassQueue } from '../queue/class-queue.ts';
import { NOTHING, type Starter } from './starter.ts';
import type { Walk } from './walk.ts';

/**
 * Starts every job that fits, in order, skipping those that do not (Tiresias `fjf`, Alibaba, Gavel).
 * O(classes of jobs + started jobs x log queue) an ask, however long the queue.
 */
export class FitFirst implements Walk {
  readonly #starter: Starter;
  readonly #queue: ClassQueue;

  constructor(order: Order, starter: Starter) {
    this.#starter = starter;
    const { sharing } = starter;
    this.#queue = new ClassQueue(order, sharing === null ? 'gang' : (sharing.likeness ?? 'seat'));
  }

  decide(view: View): Iterable<Decision> {
    this.#starter.noteLeft(view);
    for (const job of view.entered) if (job.state === 'queued') this.#queue.enter(job);
    const { sharing } = this.#starter;
    if (sharing !== null) {
      this.#queue.open(Infinity);
      const idle = this.#queue.first === null && sharing.adjust === undefined;
      return idle ? NOTHING : this.#walk(view);
    }
    const free = view.cluster.freeGpuTotal;
    if (free === 0 || view.queue.size === 0) return NOTHING;
    this.#queue.open(free);
    return this.#queue.first === null ? NOTHING : this.#walk(view);
  }

  *#walk(view: View): Generator<Decision> {
    const starter = this.#starter;
    const queue = this.#queue;
    for (let job: JobView | null = queue.first; job !== null; job = queue.first) {
      const gpus = starter.find(view, job);
      if (gpus === null) {
        queue.dropClass();
        continue;
      }
      queue.take();
      yield* starter.start(view, job, gpus);
    }
    if (starter.sharing !== null) yield* starter.adjust(view);
  }
}
