import type { Decision } from '../../sim/decisions.ts';
import type { JobView } from '../../sim/job-view.ts';
import type { View } from '../../sim/view.ts';
import type { Order } from '../order/order.ts';
import { fitsByCount } from '../placement/placement.ts';
import { ClassQueue } from '../queue/class-queue.ts';
import { NOTHING, type Starter } from './starter.ts';
import type { Walk } from './walk.ts';

/**
 * Starts jobs in order and stops at the first that does not fit (strict head-of-line; Tiresias `fifo`,
 * Lucid fifo, sjf and qssf). O(1) an ask in the order of submission, O(log queue) a job in another.
 */
export function headOfLine(order: Order, starter: Starter): Walk {
  return order.bySubmission === true ? new Submission(starter) : new Ordered(order, starter);
}

/** The order of submission is the queue itself. */
class Submission implements Walk {
  readonly #starter: Starter;

  constructor(starter: Starter) {
    this.#starter = starter;
  }

  decide(view: View): Iterable<Decision> {
    this.#starter.noteLeft(view);
    const head = view.queue.first;
    if (this.#starter.sharing === null && (head === null || !fitsByCount(view.cluster, head))) {
      return NOTHING;
    }
    return this.#walk(view);
  }

  *#walk(view: View): Generator<Decision> {
    const starter = this.#starter;
    for (let job = view.queue.first; job !== null; job = view.queue.first) {
      const gpus = starter.find(view, job);
      if (gpus === null) break;
      yield* starter.start(view, job, gpus);
    }
    if (starter.sharing !== null) yield* starter.adjust(view);
  }
}

class Ordered implements Walk {
  readonly #starter: Starter;
  readonly #queue: ClassQueue;

  constructor(order: Order, starter: Starter) {
    this.#starter = starter;
    this.#queue = new ClassQueue(order, null);
  }

  decide(view: View): Iterable<Decision> {
    this.#starter.noteLeft(view);
    for (const job of view.entered) if (job.state === 'queued') this.#queue.enter(job);
    this.#queue.open(Infinity);
    const head = this.#queue.first;
    if (this.#starter.sharing === null && (head === null || !fitsByCount(view.cluster, head))) {
      return NOTHING;
    }
    return this.#walk(view);
  }

  *#walk(view: View): Generator<Decision> {
    const starter = this.#starter;
    const queue = this.#queue;
    for (let job: JobView | null = queue.first; job !== null; job = queue.first) {
      const gpus = starter.find(view, job);
      if (gpus === null) break;
      queue.take();
      yield* starter.start(view, job, gpus);
    }
    if (starter.sharing !== null) yield* starter.adjust(view);
  }
}
