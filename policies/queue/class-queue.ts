import type { JobView } from '../../sim/job-view.ts';
import type { Order } from '../order/order.ts';
import { type JobClass, JobClasses, type Likeness } from './job-classes.ts';
import { OrderedHeap } from './ordered-heap.ts';

/** The queued jobs of a class. */
interface Lane {
  readonly jobClass: JobClass;
  readonly jobs: OrderedHeap<JobView>;
}

/**
 * The queue in the order (key, submission) without ever being scanned: jobs that are alike share a
 * heap, and a walk merges the heaps. Where one job of a class does not fit, none does, and the walk
 * drops the class. A walk that starts s jobs costs O(classes + s log jobs), however long the queue.
 *
 * A key is asked for once when a job enters. A job whose key changes while it is queued enters again;
 * the old entry is dropped when it comes up (`rekeys`), as is a job that has left the queue otherwise.
 */
export class ClassQueue {
  readonly #order: Order;
  readonly #rekeys: boolean;
  readonly #classes: JobClasses | null;
  readonly #lanes: Lane[] = [];
  readonly #open = new OrderedHeap<Lane>();
  #taken: JobView | null = null;

  /** @param likeness what makes jobs alike; null puts all in one class (strict head-of-line) */
  constructor(order: Order, likeness: Likeness | null) {
    this.#order = order;
    this.#rekeys = order.update !== undefined;
    this.#classes = likeness === null ? null : new JobClasses(likeness);
  }

  enter(job: JobView): void {
    this.#laneOf(job).jobs.push(this.#order.key(job), job.index, job);
  }

  /** Starts a walk: opens all classes whose gangs have at most `gpus` members. */
  open(gpus: number): void {
    this.#open.clear();
    this.#taken = null;
    for (const lane of this.#lanes) {
      if (lane.jobClass.gpuCount > gpus) continue;
      const job = this.#firstOf(lane);
      if (job !== null) this.#open.push(lane.jobs.firstKey, job.index, lane);
    }
  }

  /** First job of the open classes, or null when there is none. */
  get first(): JobView | null {
    return this.#open.first?.jobs.first ?? null;
  }
  /** Key of `first`; Infinity when there is none. */
  get firstKey(): number {
    return this.#open.firstKey;
  }
  /** Class of `first`, or null when there is none. */
  get firstClass(): JobClass | null {
    return this.#open.first?.jobClass ?? null;
  }

  /** `first` does not fit: neither does its class, for the rest of this walk. */
  dropClass(): void {
    this.#open.pop();
  }

  /** Takes `first` out of the queue. */
  take(): void {
    const lane = this.#open.first;
    if (lane === null) return;
    this.#taken = lane.jobs.pop();
    const next = this.#firstOf(lane);
    if (next === null) this.#open.pop();
    else this.#open.replaceFirst(lane.jobs.firstKey, next.index, lane);
  }

  /** First job of a class that is still queued under its present key. */
  #firstOf(lane: Lane): JobView | null {
    for (;;) {
      const job = lane.jobs.first;
      if (job === null || this.#isValid(lane, job)) return job;
      lane.jobs.pop();
    }
  }

  #isValid(lane: Lane, job: JobView): boolean {
    if (job.state !== 'queued' || job === this.#taken) return false;
    return !this.#rekeys || this.#order.key(job) === lane.jobs.firstKey;
  }

  #laneOf(job: JobView): Lane {
    const jobClass = this.#classes?.of(job) ?? ONE_CLASS;
    const known = this.#lanes[jobClass.index];
    if (known !== undefined) return known;
    const made: Lane = { jobClass, jobs: new OrderedHeap() };
    this.#lanes[jobClass.index] = made;
    return made;
  }
}

const ONE_CLASS: JobClass = {
  index: 0,
  gpuCount: 0,
  types: [],
  workload: '',
  referenceGpu: '',
  share: 1,
  maxSlowdown: null,
  memoryGib: [],
};
