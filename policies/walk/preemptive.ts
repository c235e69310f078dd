import type { Decision } from '../../sim/decisions.ts';
import type { JobView } from '../../sim/job-view.ts';
import type { View } from '../../sim/view.ts';
import type { Order } from '../order/order.ts';
import { ClassQueue } from '../queue/class-queue.ts';
import { GpuRoom, NO_TYPE, SEVERAL_TYPES, typeHeld } from './gpu-room.ts';
import { SortedRunning } from './sorted-running.ts';
import { NOTHING, type Starter } from './starter.ts';
import type { Walk } from './walk.ts';

/** A job that is to start on a type. */
interface Chosen {
  readonly job: JobView;
  readonly type: number;
}

/** What a walk has found: jobs that get GPUs (all, and those to start), and jobs that lose them. */
interface Plan {
  readonly given: readonly JobView[];
  readonly starting: readonly Chosen[];
  readonly moving: readonly JobView[];
  readonly preempted: readonly JobView[];
}

/**
 * Preemptive fit-first (Tiresias simulator): running and queued jobs are walked in one order, and GPUs
 * are given, by count, to each that fits. Running jobs that get none are preempted, queued jobs that
 * get some start.
 *
 * By type: a running job counts on the type that it holds, and moves (preempt, then start) only when
 * that is taken while another has room; one that keeps its count keeps its GPUs. A queued job takes a
 * type on which it displaces nobody before one on which it does, in the type order of the placement.
 * GPUs of a job that still writes its checkpoint count as coming: who gets them starts when they are
 * there.
 *
 * O(running + classes + started jobs x log queue) an ask; nothing when the queue is empty.
 */
export class Preemptive implements Walk {
  readonly #order: Order;
  readonly #starter: Starter;
  readonly #queue: ClassQueue;
  readonly #running: SortedRunning;
  /** Jobs that were preempted and still write their checkpoints. */
  readonly #leaving = new Set<JobView>();
  /** Time for which a call-back is under way. */
  #calledBackS = -Infinity;

  constructor(order: Order, starter: Starter) {
    this.#order = order;
    this.#starter = starter;
    this.#queue = new ClassQueue(order, 'gang');
    this.#running = new SortedRunning(order);
  }

  decide(view: View): Iterable<Decision> {
    const rekeyed = this.#order.update?.(view);
    for (const job of view.entered) if (job.state === 'queued') this.#queue.enter(job);
    if (rekeyed !== undefined) for (const job of rekeyed) this.#queue.enter(job);
    if (view.queue.size === 0 && this.#order.nextChangeS === undefined) return NOTHING;
    return this.#decisions(view);
  }

  *#decisions(view: View): Generator<Decision> {
    if (view.queue.size > 0) yield* this.#carryOut(view, this.#plan(view));
    const nextS = this.#order.nextChangeS?.(view) ?? Infinity;
    const isUnderWay = this.#calledBackS > view.nowS && this.#calledBackS <= nextS;
    if (nextS === Infinity || isUnderWay) return;
    this.#calledBackS = nextS;
    yield { kind: 'call-back', atS: nextS };
  }

  /** Walks running and queued jobs in one order and gives GPUs away. */
  #plan(view: View): Plan {
    const running = this.#running;
    const queue = this.#queue;
    const room = this.#countRoom(view);
    const given: JobView[] = [];
    const starting: Chosen[] = [];
    const moving: JobView[] = [];
    const preempted: JobView[] = [];

    const give = (job: JobView): boolean => {
      const type = room.give(job, this.#starter.placement.types(job));
      if (type === NO_TYPE) return false;
      starting.push({ job, type });
      given.push(job);
      return true;
    };
    queue.open(room.total);
    let position = 0;
    for (;;) {
      const queued = room.total > 0 ? queue.first : null;
      const holder = position < running.size ? running.job(position) : null;
      if (queued !== null && (holder === null || this.#isBefore(queued, holder, position))) {
        if (give(queued)) queue.take();
        else queue.dropClass();
        continue;
      }
      if (holder === null) break;
      const type = running.type(position);
      position += 1;
      if (room.keep(holder, type)) given.push(holder);
      else if (give(holder)) moving.push(holder);
      else preempted.push(holder);
    }
    return { given, starting, moving, preempted };
  }

  #countRoom(view: View): GpuRoom {
    const room = new GpuRoom(view.cluster);
    for (const job of this.#leaving) {
      if (job.state === 'checkpointing') room.add(job, typeHeld(view.cluster, job));
      else this.#leaving.delete(job);
    }
    const running = this.#running;
    running.refresh();
    for (let i = 0; i < running.size; i += 1) room.add(running.job(i), running.type(i));
    return room;
  }

  #isBefore(queued: JobView, holder: JobView, position: number): boolean {
    const key = this.#queue.firstKey;
    const other = this.#running.key(position);
    return key < other || (key === other && queued.index < holder.index);
  }

  *#carryOut(view: View, plan: Plan): Generator<Decision> {
    const { given, starting, moving, preempted } = plan;
    for (const job of preempted) yield* this.#preempt(job);
    for (const job of moving) yield* this.#preempt(job);
    const waiting: JobView[] = [];
    for (const { job, type } of starting) {
      // A job that moves may still write its checkpoint: it enters the queue by itself.
      if (job.state !== 'queued') continue;
      const { placement } = this.#starter;
      const gpus =
        type === SEVERAL_TYPES
          ? placement.place(view.cluster, job)
          : placement.placeOn(view.cluster, job, type);
      if (gpus === null) {
        waiting.push(job);
        continue;
      }
      yield* this.#starter.start(view, job, gpus);
      this.#running.add(view.cluster, job);
    }
    this.#order.decided?.(view, given, preempted);
    for (const job of waiting) this.#queue.enter(job);
  }

  *#preempt(job: JobView): Generator<Decision> {
    yield { kind: 'preempt', job };
    this.#running.remove(job);
    if (job.state === 'checkpointing') this.#leaving.add(job);
  }
}
