import type { JobPriority } from '../../sim/job.ts';
import type { TraceJob } from '../workload.ts';
import { StringTable } from './string-table.ts';
import { DictionaryColumn, NumberColumn } from './value-columns.ts';

const itself = <T extends string | number | null>(value: T) => value;
/** No name holds a line end: these are names of GPU types. */
const together = (names: readonly string[]) => names.join('\n');

/**
 * Jobs kept by column in typed arrays: some 100 bytes a job, where objects take 300. `at` makes the object
 * of a job anew at each call.
 */
export class JobColumns {
  readonly ids: StringTable;
  readonly numbers = {
    submitS: new NumberColumn(),
    durationS: new NumberColumn(),
    deadlineS: new NumberColumn(),
    queuedS: new NumberColumn(),
    requestedS: new NumberColumn(),
    row: new NumberColumn(),
  };
  readonly dictionaries = {
    gpuCount: new DictionaryColumn<number>(itself),
    share: new DictionaryColumn<number>(itself),
    memoryGib: new DictionaryColumn<number | null>(itself),
    maxSlowdown: new DictionaryColumn<number | null>(itself),
    referenceGpu: new DictionaryColumn<string | null>(itself),
    gpuTypes: new DictionaryColumn<readonly string[]>(together),
    model: new DictionaryColumn<string | null>(itself),
    priority: new DictionaryColumn<JobPriority | null>(itself),
    user: new DictionaryColumn<string | null>(itself),
    virtualCluster: new DictionaryColumn<string | null>(itself),
    status: new DictionaryColumn<string | null>(itself),
  };
  /** Order of submission; null while jobs are in it as they were pushed. */
  #order: Uint32Array | null = null;
  #length: number;

  /** @param ids of jobs whose columns are about to be restored */
  constructor(ids = new StringTable()) {
    this.ids = ids;
    this.#length = ids.size;
  }

  get length(): number {
    return this.#length;
  }

  /** Adds a job; false, and nothing added, when its id is there already. */
  push(job: TraceJob): boolean {
    if (this.ids.add(job.id) < 0) return false;
    const { numbers, dictionaries } = this;
    numbers.submitS.push(job.submitS);
    numbers.durationS.push(job.durationS);
    numbers.deadlineS.push(job.deadlineS);
    numbers.queuedS.push(job.queuedS);
    numbers.requestedS.push(job.requestedS);
    numbers.row.push(job.row);
    dictionaries.gpuCount.push(job.gpuCount);
    dictionaries.share.push(job.share);
    dictionaries.memoryGib.push(job.memoryGib);
    dictionaries.maxSlowdown.push(job.maxSlowdown);
    dictionaries.referenceGpu.push(job.referenceGpu);
    dictionaries.gpuTypes.push(job.gpuTypes);
    dictionaries.model.push(job.model);
    dictionaries.priority.push(job.priority);
    dictionaries.user.push(job.user);
    dictionaries.virtualCluster.push(job.virtualCluster);
    dictionaries.status.push(job.status);
    this.#length += 1;
    return true;
  }

  /** Where in the columns the job of this id is, or -1. */
  placeOf(id: string): number {
    return this.ids.indexOf(id);
  }

  /** Puts a job in the place of another of the same id. */
  replace(place: number, job: TraceJob): void {
    const { numbers, dictionaries } = this;
    numbers.submitS.set(place, job.submitS);
    numbers.durationS.set(place, job.durationS);
    numbers.deadlineS.set(place, job.deadlineS);
    numbers.queuedS.set(place, job.queuedS);
    numbers.requestedS.set(place, job.requestedS);
    numbers.row.set(place, job.row);
    dictionaries.gpuCount.set(place, job.gpuCount);
    dictionaries.share.set(place, job.share);
    dictionaries.memoryGib.set(place, job.memoryGib);
    dictionaries.maxSlowdown.set(place, job.maxSlowdown);
    dictionaries.referenceGpu.set(place, job.referenceGpu);
    dictionaries.gpuTypes.set(place, job.gpuTypes);
    dictionaries.model.set(place, job.model);
    dictionaries.priority.set(place, job.priority);
    dictionaries.user.set(place, job.user);
    dictionaries.virtualCluster.set(place, job.virtualCluster);
    dictionaries.status.set(place, job.status);
  }

  /** The job at a place in the order of submission. */
  at(index: number): TraceJob {
    return this.inPlace(this.place(index));
  }

  /** The job at a place in the columns. */
  inPlace(at: number): TraceJob {
    const { numbers, dictionaries } = this;
    return {
      id: this.ids.at(at),
      submitS: numbers.submitS.raw(at),
      durationS: numbers.durationS.raw(at),
      referenceGpu: dictionaries.referenceGpu.at(at),
      gpuCount: dictionaries.gpuCount.at(at),
      share: dictionaries.share.at(at),
      memoryGib: dictionaries.memoryGib.at(at),
      gpuTypes: dictionaries.gpuTypes.at(at),
      model: dictionaries.model.at(at),
      deadlineS: numbers.deadlineS.at(at),
      maxSlowdown: dictionaries.maxSlowdown.at(at),
      queuedS: numbers.queuedS.at(at),
      requestedS: numbers.requestedS.at(at),
      priority: dictionaries.priority.at(at),
      user: dictionaries.user.at(at),
      virtualCluster: dictionaries.virtualCluster.at(at),
      status: dictionaries.status.at(at),
      row: numbers.row.raw(at),
    };
  }

  /** Where in the columns the job at a place in the order of submission is. */
  place(index: number): number {
    return this.#order === null ? index : (this.#order[index] ?? 0);
  }

  /** Takes seconds off every submission; the order stays. */
  shiftSubmissions(byS: number): void {
    const { submitS } = this.numbers;
    for (let at = 0; at < this.#length; at += 1) submitS.set(at, submitS.raw(at) - byS);
  }

  /** Puts the jobs in the order of (submitS, row). */
  sortBySubmission(): void {
    const { submitS, row } = this.numbers;
    const compare = (a: number, b: number) =>
      submitS.raw(a) - submitS.raw(b) || row.raw(a) - row.raw(b);
    let sorted = true;
    for (let index = 1; index < this.#length && sorted; index += 1) {
      sorted = compare(index - 1, index) <= 0;
    }
    if (sorted) return;
    this.#order = new Uint32Array(this.#length).map((_, index) => index).sort(compare);
  }
}
