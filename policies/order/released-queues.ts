import type { JobView } from '../../sim/job-view.ts';
import type { View } from '../../sim/view.ts';
import { checkLimits } from './attained-service.ts';
import type { GittinsIndex } from './gittins.ts';
import type { Order } from './order.ts';

export interface ReleasedQueuesOptions {
  /** Service at which a job falls to the next queue, ascending; n limits make n + 1 queues. */
  readonly limits: readonly number[];
  /** What counts as service: GPUs x time running, or time running alone. */
  readonly service: 'gpu-time' | 'time';
  /**
   * A job that has waited this many times the time it has run, both since it was last promoted, goes
   * back to the first queue; 0 switches it off.
   */
  readonly promoteKnob: number;
  /** Within a queue, highest index first, then in order of submission; null for first come. */
  readonly gittins: GittinsIndex | null;
}

/** What is remembered of a job. */
interface Entry {
  readonly job: JobView;
  level: number;
  /** Whether it held GPUs after the last walk. */
  runs: boolean;
  /** Time running before the last promotion, and time waiting since it. */
  attainedBeforeS: number;
  waitedS: number;
  checkedS: number;
  index: number;
  place: number;
}

/**
 * The queues of Tiresias as its released simulator keeps them (run_sim.py, `dlas_sim_jobs`), for
 * comparison with its outputs: lists that are rearranged at events, which are arrivals, completions
 * and the time at which it would look again. It looks at a job at events only, one queue down at a
 * time, and takes GPU time for time when it computes when to look again, so that gangs fall late. After
 * each walk those that wait go behind those that run, in their order.
 *
 * Holds state of one run. Looks at all jobs at each event.
 */
export class ReleasedQueues implements Order {
  readonly name = 'released-queues';
  readonly readsDuration = false;
  readonly #options: ReleasedQueuesOptions;
  readonly #queues: Entry[][];
  /** All jobs in the order in which they came. */
  #known: Entry[] = [];
  /** By number of the job. */
  readonly #entries: (Entry | undefined)[] = [];
  #promotions = new Map<number, number>();
  #jumpS = Infinity;
  #isEvent = false;

  /** @throws {RangeError} unless the limits ascend above 0 */
  constructor(options: ReleasedQueuesOptions) {
    checkLimits(options.limits);
    this.#options = options;
    this.#queues = [...options.limits, Infinity].map(() => []);
  }

  /** How many times a job, by its number, was promoted. */
  promotions(index: number): number {
    return this.#promotions.get(index) ?? 0;
  }

  key(job: JobView): number {
    return this.#entry(job).place;
  }

  update(view: View): readonly JobView[] {
    this.#isEvent = view.nowS === this.#jumpS;
    for (const job of view.left) {
      if (job.state === 'done' || job.state === 'failed') this.#forget(job);
    }
    this.#letRunnersPass();
    for (const job of view.entered) {
      if (job.state === 'queued') this.#enters(job, view.nowS);
    }
    if (this.#isEvent) {
      for (const entry of this.#known) this.#look(entry, view.nowS);
      if (this.#options.gittins !== null) this.#sort(this.#options.gittins);
    }
    return this.#number();
  }

  decided(_view: View, holding: readonly JobView[]): void {
    for (const entry of this.#known) entry.runs = false;
    for (const job of holding) this.#entry(job).runs = true;
  }

  nextChangeS(view: View): number {
    if (this.#isEvent) this.#jumpS = this.#nextLookS(view.nowS);
    return this.#jumpS;
  }

  #entry(job: JobView): Entry {
    const entry = this.#entries[job.index];
    if (entry === undefined) throw new RangeError(`job '${job.id}' has not entered the queue`);
    return entry;
  }

  #enters(job: JobView, nowS: number): void {
    const known = this.#entries[job.index];
    if (known !== undefined) {
      known.runs = false;
      return;
    }
    const made: Entry = {
      job,
      level: 0,
      runs: false,
      attainedBeforeS: 0,
      waitedS: 0,
      checkedS: nowS,
      index: 0,
      place: -1,
    };
    this.#entries[job.index] = made;
    this.#known.push(made);
    this.#queues[0]?.push(made);
    this.#isEvent = true;
  }

  #forget(job: JobView): void {
    const entry = this.#entries[job.index];
    if (entry === undefined) return;
    this.#entries[job.index] = undefined;
    this.#known = this.#known.filter((known) => known !== entry);
    remove(this.#queues[entry.level] as Entry[], entry);
    this.#isEvent = true;
  }

  #letRunnersPass(): void {
    for (const queue of this.#queues) {
      const waiting = queue.filter(({ runs }) => !runs);
      if (waiting.length === 0 || waiting.length === queue.length) continue;
      const running = queue.filter(({ runs }) => runs);
      queue.splice(0, queue.length, ...running, ...waiting);
    }
  }

  /** A job over its limit falls by one queue; one that has waited enough rises. */
  #look(entry: Entry, nowS: number): void {
    const { promoteKnob, gittins } = this.#options;
    const ranS = this.#ranS(entry);
    if (entry.runs) {
      if (this.#service(entry) >= this.#limit(entry)) this.#move(entry, entry.level + 1);
    } else {
      if (ranS > 0) entry.waitedS += nowS - entry.checkedS;
      const mayRise = promoteKnob > 0 && entry.level > 0 && ranS > 0;
      if (mayRise && entry.waitedS >= Math.floor(ranS * promoteKnob)) this.#rise(entry);
    }
    entry.checkedS = nowS;
    if (gittins !== null) entry.index = gittins.index(this.#service(entry));
  }

  #rise(entry: Entry): void {
    const { job } = entry;
    entry.attainedBeforeS = job.attainedS;
    entry.waitedS = 0;
    this.#move(entry, 0);
    this.#promotions.set(job.index, this.promotions(job.index) + 1);
  }

  #move(entry: Entry, level: number): void {
    remove(this.#queues[entry.level] as Entry[], entry);
    entry.level = level;
    this.#queues[level]?.push(entry);
  }

  #sort(gittins: GittinsIndex): void {
    for (const queue of this.#queues) {
      for (const entry of queue) entry.index = gittins.index(this.#service(entry));
      queue.sort((a, b) => b.index - a.index || a.job.submitS - b.job.submitS);
    }
  }

  /** Numbers the jobs queue by queue. @returns those that wait under another number than before */
  #number(): JobView[] {
    const rekeyed: JobView[] = [];
    let place = 0;
    for (const queue of this.#queues) {
      for (const entry of queue) {
        if (entry.place !== place) {
          entry.place = place;
          if (entry.job.state === 'queued') rekeyed.push(entry.job);
        }
        place += 1;
      }
    }
    return rekeyed;
  }

  /** Running time since the last promotion. */
  #ranS({ job, attainedBeforeS }: Entry): number {
    return job.attainedS - attainedBeforeS;
  }

  #service(entry: Entry): number {
    return this.#ranS(entry) * this.#weight(entry);
  }

  #limit({ level }: Entry): number {
    return this.#options.limits[level] ?? Infinity;
  }

  #weight({ job }: Entry): number {
    return this.#options.service === 'gpu-time' ? job.gpuCount : 1;
  }

  #nextLookS(nowS: number): number {
    const { promoteKnob } = this.#options;
    let nextS = Infinity;
    for (const entry of this.#known) {
      const ranS = this.#ranS(entry);
      let inS = Infinity;
      if (entry.runs) inS = Math.floor((this.#limit(entry) - ranS) / this.#weight(entry));
      else if (promoteKnob > 0 && entry.level > 0 && ranS > 0) {
        inS = Math.floor(ranS * promoteKnob - entry.waitedS);
      }
      if (inS > 0) nextS = Math.min(nextS, nowS + inS);
    }
    return nextS;
  }
}

function remove(queue: Entry[], entry: Entry): void {
  queue.splice(queue.indexOf(entry), 1);
}
