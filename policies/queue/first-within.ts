import type { JobView } from '../../sim/job-view.ts';

/** A job in its place. */
interface Ranked {
  readonly job: JobView;
  readonly value: number;
  readonly rank: number;
}

/**
 * Jobs in the order of submission, or of another rank that they are added with, each with a value, that
 * finds the first whose value is at most a limit: a tree of minima over positions. Adding, changing,
 * removing and finding are O(log n).
 */
export class FirstWithin {
  #jobs: JobView[] = [];
  #ranks: number[] = [];
  #capacity = 1;
  /** Minima: leaf i is at `#capacity + i`, the parent of node k is k >> 1. */
  #minima: number[] = [Infinity, Infinity];
  #positions = new Map<number, number>();

  get size(): number {
    return this.#positions.size;
  }

  /** @param rank what the jobs are in order of; all of them, or none, come with one of their own */
  add(job: JobView, value: number, rank = job.index): void {
    const last = this.#ranks.at(-1);
    if (last !== undefined && last > rank) {
      // A job that comes back to an old place (after a failure): rare, O(n).
      const entries = [...this.#entries(), { job, value, rank }];
      this.#fill(entries.sort((a, b) => a.rank - b.rank));
      return;
    }
    if (this.#jobs.length === this.#capacity) this.#fill(this.#entries());
    const position = this.#jobs.push(job) - 1;
    this.#ranks.push(rank);
    this.#positions.set(job.index, position);
    this.#set(position, value);
  }

  /** Gives a job that is there another value; Infinity hides it. Does nothing when it is not there. */
  change(job: JobView, value: number): void {
    const position = this.#positions.get(job.index);
    if (position !== undefined) this.#set(position, value);
  }

  /** Rank of a job; Infinity when it is not there. */
  rankOf(job: JobView): number {
    const position = this.#positions.get(job.index);
    return position === undefined ? Infinity : (this.#ranks[position] as number);
  }

  /** Whether any value is at most `limit`; O(1). */
  has(limit: number): boolean {
    return (this.#minima[1] as number) <= Math.min(limit, Number.MAX_VALUE);
  }

  remove(job: JobView): void {
    const position = this.#positions.get(job.index);
    if (position === undefined) return;
    this.#positions.delete(job.index);
    if (this.#positions.size === 0) {
      this.#jobs = [];
      this.#ranks = [];
      this.#capacity = 1;
      this.#minima = [Infinity, Infinity];
      return;
    }
    this.#set(position, Infinity);
  }

  /** The first job whose value is at most `limit` (Infinity: the first of all), or null. */
  first(limit: number): JobView | null {
    // An empty place holds Infinity and must not be found.
    const most = Math.min(limit, Number.MAX_VALUE);
    if (!this.has(limit)) return null;
    let node = 1;
    while (node < this.#capacity) {
      node *= 2;
      if (!((this.#minima[node] as number) <= most)) node += 1;
    }
    return this.#jobs[node - this.#capacity] ?? null;
  }

  #set(position: number, value: number): void {
    let node = this.#capacity + position;
    this.#minima[node] = value;
    while (node > 1) {
      node >>= 1;
      const left = this.#minima[2 * node] as number;
      const right = this.#minima[2 * node + 1] as number;
      this.#minima[node] = Math.min(left, right);
    }
  }

  /** Jobs that are still in, with their values, in order. */
  #entries(): Ranked[] {
    const entries: Ranked[] = [];
    this.#jobs.forEach((job, position) => {
      if (this.#positions.get(job.index) !== position) return;
      const value = this.#minima[this.#capacity + position] as number;
      entries.push({ job, value, rank: this.#ranks[position] as number });
    });
    return entries;
  }

  #fill(entries: readonly Ranked[]): void {
    this.#capacity = 1;
    while (this.#capacity <= 2 * entries.length) this.#capacity *= 2;
    this.#minima = new Array<number>(2 * this.#capacity).fill(Infinity);
    this.#jobs = entries.map(({ job }) => job);
    this.#ranks = entries.map(({ rank }) => rank);
    this.#positions = new Map(entries.map(({ job }, position) => [job.index, position]));
    entries.forEach(({ value }, position) => {
      this.#minima[this.#capacity + position] = value;
    });
    for (let node = this.#capacity - 1; node >= 1; node -= 1) {
      const left = this.#minima[2 * node] as number;
      const right = this.#minima[2 * node + 1] as number;
      this.#minima[node] = Math.min(left, right);
    }
  }
}
