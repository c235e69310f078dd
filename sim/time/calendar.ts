/** What an event is about. Events at one instant are handled in this order, then by age. */
export const EVENT = {
  completion: 0,
  checkpointed: 1,
  gpuFailure: 2,
  nodeFailure: 3,
  clientFailure: 4,
  gpuRepair: 5,
  nodeRepair: 6,
  ready: 7,
  clockSettled: 8,
  nodeAwake: 9,
  contextExpired: 10,
  checkpointDue: 11,
  arrival: 12,
  policyTimer: 13,
  boundary: 14,
} as const;
export type EventKind = (typeof EVENT)[keyof typeof EVENT];

/** Names a scheduled event until it fires or is cancelled; the calendar may then reuse it. */
export type EventId = number;
export const NO_EVENT: EventId = -1;

const ARITY = 4;
/** Ages stay exact integers below 2^53 with the kind in front. */
const KIND_STRIDE = 2 ** 48;

/**
 * The event calendar: an indexed 4-ary heap on typed arrays in the total order (time, kind, age).
 * Scheduling and popping are O(log n), cancelling removes the event at once; nothing is allocated
 * but when the arrays double.
 */
export class Calendar {
  #time = new Float64Array(64);
  #order = new Float64Array(64);
  #kind = new Uint8Array(64);
  #target = new Int32Array(64);
  /** Heap position of each event, or -1; free events are chained through `#target`. */
  #position = new Int32Array(64).fill(-1);
  #heap = new Int32Array(64);
  #size = 0;
  #used = 0;
  #free = -1;
  #age = 0;

  /** Number of events that are scheduled. */
  get size(): number {
    return this.#size;
  }

  /** Time of the next event; Infinity when there is none. */
  get nextS(): number {
    return this.#size === 0 ? Infinity : (this.#time[this.#heap[0] as number] as number);
  }

  /** Schedules an event about `target` (a job, GPU or node index). @throws {RangeError} on NaN */
  schedule(timeS: number, kind: EventKind, target: number): EventId {
    if (!(timeS >= 0)) throw new RangeError(`event time ${timeS} s, expected a number >= 0`);
    const event = this.#take();
    this.#time[event] = timeS;
    this.#order[event] = kind * KIND_STRIDE + this.#age;
    this.#kind[event] = kind;
    this.#target[event] = target;
    this.#age += 1;
    this.#size += 1;
    this.#rise(this.#size - 1, event);
    return event;
  }

  /** Removes a scheduled event. @throws {RangeError} when it has fired or was cancelled */
  cancel(event: EventId): void {
    const position = this.#position[event];
    if (position === undefined || position < 0) {
      throw new RangeError(`event ${event} is not scheduled`);
    }
    this.#removeAt(position);
    this.#release(event);
  }

  /** Time and kind of a scheduled event. */
  timeOf(event: EventId): number {
    return this.#time[event] as number;
  }

  /**
   * Takes the next event off and returns its kind; `poppedTarget` then holds what it is about.
   * @throws {RangeError} when the calendar is empty
   */
  pop(): EventKind {
    if (this.#size === 0) throw new RangeError('the calendar is empty');
    const event = this.#heap[0] as number;
    const kind = this.#kind[event] as EventKind;
    this.poppedTarget = this.#target[event] as number;
    this.#removeAt(0);
    this.#release(event);
    return kind;
  }

  poppedTarget = -1;

  #take(): number {
    if (this.#free >= 0) {
      const event = this.#free;
      this.#free = this.#target[event] as number;
      return event;
    }
    if (this.#used === this.#time.length) this.#grow();
    this.#used += 1;
    return this.#used - 1;
  }

  #release(event: number): void {
    this.#position[event] = -1;
    this.#target[event] = this.#free;
    this.#free = event;
  }

  #removeAt(position: number): void {
    this.#size -= 1;
    const last = this.#heap[this.#size] as number;
    if (position === this.#size) return;
    const removed = this.#heap[position] as number;
    if (this.#before(last, removed)) this.#rise(position, last);
    else this.#sink(position, last);
  }

  #before(a: number, b: number): boolean {
    const ta = this.#time[a] as number;
    const tb = this.#time[b] as number;
    return ta < tb || (ta === tb && (this.#order[a] as number) < (this.#order[b] as number));
  }

  #put(position: number, event: number): void {
    this.#heap[position] = event;
    this.#position[event] = position;
  }

  #rise(from: number, event: number): void {
    let position = from;
    while (position > 0) {
      const parent = (position - 1) >> 2;
      const above = this.#heap[parent] as number;
      if (!this.#before(event, above)) break;
      this.#put(position, above);
      position = parent;
    }
    this.#put(position, event);
  }

  #sink(from: number, event: number): void {
    let position = from;
    for (;;) {
      const first = position * ARITY + 1;
      if (first >= this.#size) break;
      const end = Math.min(first + ARITY, this.#size);
      let child = first;
      for (let i = first + 1; i < end; i += 1) {
        if (this.#before(this.#heap[i] as number, this.#heap[child] as number)) child = i;
      }
      const below = this.#heap[child] as number;
      if (!this.#before(below, event)) break;
      this.#put(position, below);
      position = child;
    }
    this.#put(position, event);
  }

  #grow(): void {
    const length = this.#time.length * 2;
    const grown = <T extends Float64Array | Int32Array | Uint8Array>(to: T, from: T): T => {
      to.set(from);
      return to;
    };
    this.#time = grown(new Float64Array(length), this.#time);
    this.#order = grown(new Float64Array(length), this.#order);
    this.#kind = grown(new Uint8Array(length), this.#kind);
    this.#target = grown(new Int32Array(length), this.#target);
    this.#heap = grown(new Int32Array(length), this.#heap);
    this.#position = grown(new Int32Array(length).fill(-1), this.#position);
  }
}
