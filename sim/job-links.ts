/** Jobs in the order in which they were added: a doubly linked list over job numbers. */
export class JobLinks {
  readonly #next: Int32Array;
  readonly #previous: Int32Array;
  #first = -1;
  #last = -1;
  #size = 0;

  constructor(capacity: number) {
    this.#next = new Int32Array(capacity).fill(-1);
    this.#previous = new Int32Array(capacity).fill(-1);
  }

  get size(): number {
    return this.#size;
  }

  /** First job, or -1. */
  first(): number {
    return this.#first;
  }

  /** The job behind `job`, or -1. */
  next(job: number): number {
    return this.#next[job] as number;
  }

  append(job: number): void {
    this.#previous[job] = this.#last;
    this.#next[job] = -1;
    if (this.#last >= 0) this.#next[this.#last] = job;
    else this.#first = job;
    this.#last = job;
    this.#size += 1;
  }

  remove(job: number): void {
    const before = this.#previous[job] as number;
    const after = this.#next[job] as number;
    if (before >= 0) this.#next[before] = after;
    else this.#first = after;
    if (after >= 0) this.#previous[after] = before;
    else this.#last = before;
    this.#size -= 1;
  }
}
