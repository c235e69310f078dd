import type { JobView } from '../../sim/job-view.ts';
import type { View } from '../../sim/view.ts';
import { OrderedHeap } from '../queue/ordered-heap.ts';
import type { Order } from './order.ts';

/** Service that a job has had: the time it has run, times its GPUs. */
export function attainedService({
  attainedS,
  gpuCount,
}: Pick<JobView, 'attainedS' | 'gpuCount'>): number {
  return attainedS * gpuCount;
}

/**
 * Least attained service first, without queues: at every arrival and departure, and at the ends of
 * rounds by which a running job has had more than one that waits. Rounds begin at multiples of their
 * length. What a running job has had counts as of the end of the last round, or of its start if that is
 * later, so that jobs that have had the same take turns instead of changing places at every event.
 *
 * Holds state of one run. O(running + log jobs) an ask.
 *
 * @param roundS length of a round in seconds, above 0
 */
export class LeastAttained implements Order {
  readonly name = 'least-attained';
  readonly readsDuration = false;
  readonly #roundS: number;
  readonly #waiting = new OrderedHeap<JobView>();
  /** Service that counts, by number of the job. */
  readonly #counted: number[] = [];
  #holding: readonly JobView[] = [];
  #round = 0;

  constructor(roundS: number) {
    if (!(roundS > 0)) throw new RangeError(`a round is ${roundS} s, expected above 0`);
    this.#roundS = roundS;
  }

  key(job: JobView): number {
    return this.#counted[job.index] ?? 0;
  }

  update(view: View): readonly JobView[] {
    const round = Math.floor(view.nowS / this.#roundS);
    if (round > this.#round) {
      this.#round = round;
      for (const job of this.#holding) this.#count(job, view.nowS - round * this.#roundS);
    }
    for (const job of view.entered) if (job.state === 'queued') this.#waits(job);
    return [];
  }

  decided(_view: View, holding: readonly JobView[], preempted: readonly JobView[]): void {
    this.#holding = holding;
    for (const job of preempted) this.#waits(job);
  }

  nextChangeS(view: View): number {
    const least = this.#leastWaiting();
    if (least === Infinity) return Infinity;
    const { nowS } = view;
    let passesS = Infinity;
    for (const job of this.#holding) {
      if (job.gpus.length === 0) continue;
      const inS = (least - attainedService(job)) / job.gpuCount;
      passesS = Math.min(passesS, nowS + Math.max(0, inS));
    }
    if (passesS === Infinity) return Infinity;
    const roundEndS = Math.ceil(passesS / this.#roundS) * this.#roundS;
    return roundEndS > nowS ? roundEndS : roundEndS + this.#roundS;
  }

  /** Counts what a job had had so many seconds ago, or at its start if that is later. */
  #count(job: JobView, agoS: number): void {
    const service = (job.attainedS - agoS) * job.gpuCount;
    this.#counted[job.index] = Math.max(this.key(job), service);
  }

  #waits(job: JobView): void {
    const service = attainedService(job);
    this.#counted[job.index] = service;
    this.#waiting.push(service, job.index, job);
  }

  /** Least service of a job that waits; entries of jobs that do not, or no more so, are dropped. */
  #leastWaiting(): number {
    for (;;) {
      const job = this.#waiting.first;
      if (job === null) return Infinity;
      const key = this.#waiting.firstKey;
      if (job.state === 'queued' && this.key(job) === key) return key;
      this.#waiting.pop();
    }
  }
}
