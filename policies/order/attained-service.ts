import type { JobView } from '../../sim/job-view.ts';
import type { View } from '../../sim/view.ts';
import { OrderedHeap } from '../queue/ordered-heap.ts';
import { type GittinsIndex, LearnedGittinsIndex } from './gittins.ts';
import type { Order } from './order.ts';

export interface AttainedServiceOptions {
  /** Service at which a job falls to the next queue, ascending; n limits make n + 1 queues. */
  readonly limits: readonly number[];
  /** What counts as service: GPUs x time running (2D-LAS), or time running alone. */
  readonly service: 'gpu-time' | 'time';
  /**
   * A job that has waited this many times the time it has run, both since it was last promoted, goes
   * back to the first queue; 0 switches it off.
   */
  readonly promoteKnob: number;
  /**
   * Within a queue, the job that is likelier to end soon goes first, by the service that counts; null
   * (or absent) for first come, first served.
   */
  readonly gittins?: GittinsIndex | null;
}

/** Queues are this far apart in the key; within one, running jobs come before waiting ones. */
const QUEUE_STRIDE = 2 ** 40;
const RUNNING_OFFSET = 2 ** 39;
/** Slack, relative to the time, within which a limit counts as reached. */
const SLACK = 1e-9;
/** What is due at once waits so long, since a policy is asked once an instant. */
const NEXT_S = 1e-6;

/** @throws {RangeError} unless the limits of the queues ascend above 0 */
export function checkLimits(limits: readonly number[]): void {
  let before = 0;
  for (const limit of limits) {
    if (!(limit > before)) {
      throw new RangeError(`queue limits are ${limits.join(', ')}, expected to ascend`);
    }
    before = limit;
  }
}

/** What is remembered of a job. */
interface Entry {
  readonly job: JobView;
  level: number;
  /** In the running part of its queue, or in the waiting part; place there. */
  runs: boolean;
  place: number;
  /** Time running and time waiting that count, since the last promotion. */
  attainedBeforeS: number;
  waitedS: number;
  waitsSinceS: number;
  /** When it falls or rises, as far as is known; in the heaps, another time marks a dead entry. */
  changesS: number;
}

/**
 * Discretised two-dimensional least attained service (Tiresias, NSDI 2019; order within a queue as in
 * the released simulator, run_sim.py `dlas_sim_jobs`): the first queue goes first; within a queue
 * running jobs in the order in which they got there, then waiting ones, first who was preempted last,
 * then first come first served. A job that falls goes to the end of the next queue, and it falls at the
 * very instant at which it reaches the limit.
 *
 * With a Gittins index, it orders each queue instead, ties by submission; it is looked at whenever a
 * job comes, goes, falls or rises.
 *
 * Holds state of one run. O(log jobs) a change.
 */
export class AttainedService implements Order {
  readonly name = 'attained-service';
  readonly readsDuration = false;
  readonly #options: AttainedServiceOptions;
  readonly #gittins: GittinsIndex | null;
  /** By number of the job. */
  readonly #entries: (Entry | undefined)[] = [];
  readonly #falls = new OrderedHeap<Entry>();
  readonly #rises = new OrderedHeap<Entry>();
  #runPlace = 0;
  #lastPlace = 0;
  #firstPlace = 0;

  /** @throws {RangeError} unless the limits ascend above 0 */
  constructor(options: AttainedServiceOptions) {
    checkLimits(options.limits);
    this.#options = options;
    this.#gittins = options.gittins ?? null;
  }

  key(job: JobView): number {
    const entry = this.#entry(job);
    const { level, runs, place } = entry;
    if (this.#gittins !== null) {
      // Between the queue and the next one, the higher the index the lower.
      return level + 1 / (1 + this.#gittins.index(this.#ranS(entry) * this.#weight(entry)));
    }
    return level * QUEUE_STRIDE + (runs ? place - RUNNING_OFFSET : place);
  }

  update(view: View): readonly JobView[] {
    let learned = false;
    for (const job of view.left) {
      if (job.state !== 'done' && job.state !== 'failed') continue;
      if (job.state === 'done' && this.#learns(job)) learned = true;
      this.#forget(job);
    }
    for (const job of view.entered) if (job.state === 'queued') this.#enters(job, view.nowS);
    const changed = this.#changeInTime(view);
    return learned ? [...view.queue] : changed;
  }

  decided(view: View, given: readonly JobView[], preempted: readonly JobView[]): void {
    const { nowS } = view;
    for (const job of given) {
      const entry = this.#entry(job);
      if (entry.runs || job.gpus.length === 0) continue;
      if (entry.waitsSinceS < Infinity && this.#ranS(entry) > 0) {
        entry.waitedS += nowS - entry.waitsSinceS;
      }
      entry.waitsSinceS = Infinity;
      entry.runs = true;
      entry.place = this.#nextRun();
      this.#expectFall(entry, nowS, nowS + NEXT_S);
    }
    // In front of all that wait, in their own order.
    for (let i = preempted.length - 1; i >= 0; i -= 1) {
      this.#stops(this.#entry(preempted[i] as JobView), nowS);
    }
  }

  nextChangeS(view: View): number {
    if (view.queue.size === 0) return Infinity;
    return Math.min(firstOf(this.#falls, true), firstOf(this.#rises, false));
  }

  #entry(job: JobView): Entry {
    const entry = this.#entries[job.index];
    if (entry === undefined) throw new RangeError(`job '${job.id}' has not entered the queue`);
    return entry;
  }

  #enters(job: JobView, nowS: number): void {
    const known = this.#entries[job.index];
    if (known === undefined) {
      const made: Entry = {
        job,
        level: 0,
        runs: false,
        place: this.#nextLast(),
        attainedBeforeS: 0,
        waitedS: 0,
        waitsSinceS: nowS,
        changesS: Infinity,
      };
      this.#entries[job.index] = made;
      return;
    }
    this.#stops(known, nowS);
  }

  /** What a job took in all. @returns whether the index has changed */
  #learns(job: JobView): boolean {
    const entry = this.#entries[job.index];
    if (entry === undefined || !(this.#gittins instanceof LearnedGittinsIndex)) return false;
    return this.#gittins.learn(job.attainedS * this.#weight(entry));
  }

  #forget(job: JobView): void {
    this.#entries[job.index] = undefined;
  }

  /** The job holds GPUs no more, or will not when its checkpoint is written. */
  #stops(entry: Entry, nowS: number): void {
    if (entry.runs) {
      entry.runs = false;
      this.#firstPlace -= 1;
      entry.place = this.#firstPlace;
    }
    entry.waitsSinceS = nowS - entry.job.waitingS;
    entry.changesS = Infinity;
    const { promoteKnob } = this.#options;
    const ranS = this.#ranS(entry);
    if (promoteKnob === 0 || entry.level === 0 || ranS <= 0) return;
    const dueS = entry.waitsSinceS + ranS * promoteKnob - entry.waitedS;
    entry.changesS = Math.max(dueS, nowS + NEXT_S);
    this.#rises.push(entry.changesS, entry.job.index, entry);
  }

  #rise(entry: Entry, nowS: number): void {
    entry.level = 0;
    entry.place = this.#nextLast();
    entry.attainedBeforeS = entry.job.attainedS;
    entry.waitedS = 0;
    entry.waitsSinceS = nowS;
    entry.changesS = Infinity;
  }

  /** Jobs fall and rise in the order of their instants. @returns who has risen */
  #changeInTime(view: View): readonly JobView[] {
    const { nowS } = view;
    const slackS = SLACK * Math.max(nowS, 1);
    const risen: JobView[] = [];
    for (;;) {
      const fallS = firstOf(this.#falls, true);
      const riseS = firstOf(this.#rises, false);
      if (Math.min(fallS, riseS) > nowS) return risen;
      if (riseS < fallS || (riseS === fallS && this.#rises.firstTie < this.#falls.firstTie)) {
        const entry = this.#rises.pop() as Entry;
        this.#rise(entry, nowS);
        risen.push(entry.job);
        continue;
      }
      const entry = this.#falls.pop() as Entry;
      if (this.#restS(entry) <= slackS) this.#fall(entry, view, fallS < nowS - slackS);
      else this.#expectFall(entry, nowS, -Infinity);
    }
  }

  /** Who falls now goes behind those who wait there; who fell while nobody waited runs there. */
  #fall(entry: Entry, view: View, isLate: boolean): void {
    entry.level += 1;
    entry.runs = isLate || view.queue.size === 0;
    entry.place = entry.runs ? this.#nextRun() : this.#nextLast();
    if (entry.runs) this.#expectFall(entry, view.nowS, -Infinity);
  }

  /** Running time since the last promotion. */
  #ranS(entry: Entry): number {
    return entry.job.attainedS - entry.attainedBeforeS;
  }

  /** Running time that is left to the limit of its queue; Infinity in the last queue. */
  #restS(entry: Entry): number {
    const limit = this.#options.limits[entry.level] ?? Infinity;
    return limit / this.#weight(entry) - this.#ranS(entry);
  }

  #weight(entry: Entry): number {
    return this.#options.service === 'gpu-time' ? entry.job.gpuCount : 1;
  }

  /** A lower bound while the job still starts; looked at again when it is reached. */
  #expectFall(entry: Entry, nowS: number, earliestS: number): void {
    entry.changesS = Math.max(nowS + this.#restS(entry), earliestS);
    if (entry.changesS < Infinity) this.#falls.push(entry.changesS, entry.job.index, entry);
  }

  #nextRun(): number {
    this.#runPlace += 1;
    return this.#runPlace;
  }

  #nextLast(): number {
    this.#lastPlace += 1;
    return this.#lastPlace;
  }
}

/** Time of the first entry of a heap that still holds, dropping dead ones. */
function firstOf(heap: OrderedHeap<Entry>, runs: boolean): number {
  for (;;) {
    const entry = heap.first;
    if (entry === null) return Infinity;
    const holds = entry.runs === runs && entry.changesS === heap.firstKey;
    if (holds && entry.job.state !== 'done' && entry.job.state !== 'failed') return heap.firstKey;
    heap.pop();
  }
}
