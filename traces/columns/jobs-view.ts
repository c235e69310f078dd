import type { TraceJob } from '../workload.ts';
import type { JobColumns } from './job-columns.ts';

/** Fewer jobs than this are made objects at once: then memory is no matter and every use is quicker. */
export const VIEW_FROM_JOBS = 200_000;

const INDEX = /^(?:0|[1-9]\d{0,9})$/;
const columnsOf = new WeakMap<readonly unknown[], JobColumns>();

/** The index that a property name stands for, or -1. */
function indexOf(name: string | symbol, length: number): number {
  if (typeof name !== 'string' || !INDEX.test(name)) return -1;
  const index = Number(name);
  return index < length ? index : -1;
}

/** A job that reads each field from its columns when it is looked at; spread, it has none. */
class ColumnJob implements TraceJob {
  readonly #columns: JobColumns;
  readonly #at: number;

  constructor(columns: JobColumns, at: number) {
    this.#columns = columns;
    this.#at = at;
  }

  get id() {
    return this.#columns.ids.at(this.#at);
  }
  get submitS() {
    return this.#columns.numbers.submitS.raw(this.#at);
  }
  get durationS() {
    return this.#columns.numbers.durationS.raw(this.#at);
  }
  get referenceGpu() {
    return this.#columns.dictionaries.referenceGpu.at(this.#at);
  }
  get gpuCount() {
    return this.#columns.dictionaries.gpuCount.at(this.#at);
  }
  get share() {
    return this.#columns.dictionaries.share.at(this.#at);
  }
  get memoryGib() {
    return this.#columns.dictionaries.memoryGib.at(this.#at);
  }
  get gpuTypes() {
    return this.#columns.dictionaries.gpuTypes.at(this.#at);
  }
  get model() {
    return this.#columns.dictionaries.model.at(this.#at);
  }
  get deadlineS() {
    return this.#columns.numbers.deadlineS.at(this.#at);
  }
  get maxSlowdown() {
    return this.#columns.dictionaries.maxSlowdown.at(this.#at);
  }
  get queuedS() {
    return this.#columns.numbers.queuedS.at(this.#at);
  }
  get requestedS() {
    return this.#columns.numbers.requestedS.at(this.#at);
  }
  get priority() {
    return this.#columns.dictionaries.priority.at(this.#at);
  }
  get user() {
    return this.#columns.dictionaries.user.at(this.#at);
  }
  get virtualCluster() {
    return this.#columns.dictionaries.virtualCluster.at(this.#at);
  }
  get status() {
    return this.#columns.dictionaries.status.at(this.#at);
  }
  get row() {
    return this.#columns.numbers.row.raw(this.#at);
  }
}

/** An array that cannot be changed, whose elements are made anew whenever they are asked for. */
function viewOf(length: number, at: (index: number) => TraceJob): readonly TraceJob[] {
  function* walk() {
    for (let index = 0; index < length; index += 1) yield at(index);
  }
  return new Proxy<TraceJob[]>([], {
    get(target, name, receiver) {
      const index = indexOf(name, length);
      if (index >= 0) return at(index);
      if (name === 'length') return length;
      if (name === Symbol.iterator) return walk;
      return Reflect.get(target, name, receiver) as unknown;
    },
    has: (target, name) => indexOf(name, length) >= 0 || Reflect.has(target, name),
    ownKeys: () => [...Array.from({ length }, (_, index) => String(index)), 'length'],
    getOwnPropertyDescriptor(target, name) {
      const index = indexOf(name, length);
      if (index >= 0) {
        return { value: at(index), writable: false, enumerable: true, configurable: true };
      }
      const own = Reflect.getOwnPropertyDescriptor(target, name);
      return name === 'length' && own !== undefined ? { ...own, value: length } : own;
    },
    set: () => false,
    defineProperty: () => false,
    deleteProperty: () => false,
    preventExtensions: () => false,
    setPrototypeOf: () => false,
  });
}

/**
 * The jobs of columns as an array that must not be changed. Of many jobs the objects are made anew whenever
 * they are asked for: the array can be walked, filtered, mapped and compared like any other, but
 * `jobs[0] === jobs[0]` does not hold.
 */
export function jobsOf(columns: JobColumns, viewFrom = VIEW_FROM_JOBS): readonly TraceJob[] {
  const { length } = columns;
  if (length < viewFrom) return Array.from({ length }, (_, index) => columns.at(index));
  const jobs = viewOf(length, (index) => columns.at(index));
  columnsOf.set(jobs, columns);
  return jobs;
}

/** The columns of an array that `jobsOf` made without making the objects, or null for another array. */
export function columnsBehind(jobs: readonly unknown[]): JobColumns | null {
  return columnsOf.get(jobs) ?? null;
}

/**
 * The same jobs, made for passes that look at a few fields of each: where `jobs` are kept in columns, only
 * those fields are read. The jobs given must not be kept or spread.
 */
export function forReading<J>(jobs: readonly J[]): readonly J[] {
  const columns = columnsBehind(jobs);
  if (columns === null) return jobs;
  const light = viewOf(columns.length, (index) => new ColumnJob(columns, columns.place(index)));
  // Jobs kept in columns are trace jobs, whatever the caller knows of them.
  return light as unknown as readonly J[];
}
