import { StringTable } from '../columns/string-table.ts';
import type { DropReason } from '../report.ts';
import type { TraceJob } from '../workload.ts';
import { type PaiTask, TYPE_SEPARATOR } from './pai-task.ts';

/** A GPU task of which no more is known than why it cannot run. */
export interface UnusableTask {
  readonly jobName: string;
  readonly key: string;
  readonly lacks: DropReason;
}

/** The GPU tasks of each job as one gang, from the first submission and start to the last end. */
export class PaiGangs {
  readonly #jobs = new StringTable();
  readonly #tasks = new StringTable();
  /** By number of the job; NaN for no end. */
  readonly #row: number[] = [];
  readonly #taskCount: number[] = [];
  readonly #gpuCount: number[] = [];
  readonly #gpus: number[] = [];
  readonly #submitS: number[] = [];
  readonly #startS: number[] = [];
  readonly #endS: number[] = [];
  readonly #lacks: (DropReason | null)[] = [];
  readonly #status: (string | null)[] = [];
  readonly #gpuType: (string | null)[] = [];
  readonly #share: number[] = [];
  readonly #unequal = new Set<number>();
  readonly #odd: number[] = [];

  /** Takes a task up, to be counted with its job; or says why not. */
  add(task: PaiTask | UnusableTask, row: number): 'duplicate_id' | null {
    if (this.#tasks.add(task.key) < 0) return 'duplicate_id';
    const job = this.#jobs.indexOf(task.jobName);
    if (job < 0) this.#addJob(task, row);
    else this.#addTask(job, task);
    return null;
  }

  #addJob(task: PaiTask | UnusableTask, row: number): void {
    const job = this.#jobs.add(task.jobName);
    const usable = 'lacks' in task ? null : task;
    this.#row[job] = row;
    this.#taskCount[job] = 1;
    this.#lacks[job] = 'lacks' in task ? task.lacks : null;
    this.#gpuCount[job] = usable?.gang.gpuCount ?? 0;
    this.#gpus[job] = (usable?.gang.gpuCount ?? 0) * (usable?.gang.share ?? 0);
    this.#share[job] = usable?.gang.share ?? 0;
    this.#submitS[job] = usable?.submitS ?? 0;
    this.#startS[job] = usable?.startS ?? 0;
    this.#endS[job] = usable?.endS ?? Number.NaN;
    this.#odd[job] = usable?.odd ?? 0;
    this.#status[job] = usable?.status ?? null;
    this.#gpuType[job] = usable?.gpuType ?? null;
  }

  #addTask(job: number, task: PaiTask | UnusableTask): void {
    this.#taskCount[job] = (this.#taskCount[job] ?? 0) + 1;
    if (this.#lacks[job] !== null) return;
    if ('lacks' in task) {
      this.#lacks[job] = task.lacks;
      return;
    }
    const { gang, submitS, startS, endS, status, gpuType } = task;
    this.#odd[job] = (this.#odd[job] ?? 0) | task.odd;
    this.#gpuCount[job] = (this.#gpuCount[job] ?? 0) + gang.gpuCount;
    this.#gpus[job] = (this.#gpus[job] ?? 0) + gang.gpuCount * gang.share;
    if (this.#share[job] !== gang.share) this.#unequal.add(job);
    this.#submitS[job] = Math.min(this.#submitS[job] ?? 0, submitS);
    this.#startS[job] = Math.min(this.#startS[job] ?? 0, startS);
    // NaN, for a task without an end, stays.
    this.#endS[job] = Math.max(this.#endS[job] ?? Number.NaN, endS ?? Number.NaN);
    if (this.#status[job] !== status) this.#status[job] = null;
    const types = this.#gpuType[job] ?? null;
    if (gpuType !== null && types?.split(TYPE_SEPARATOR).includes(gpuType) !== true) {
      this.#gpuType[job] = types === null ? gpuType : `${types}${TYPE_SEPARATOR}${gpuType}`;
    }
  }

  /** One result for each task taken up: a job or why there is none, and the rest of its tasks. */
  *results(
    jobOf: (gang: PaiTask, id: string, row: number) => TraceJob | DropReason,
  ): Generator<TraceJob | DropReason> {
    for (let job = 0; job < this.#jobs.size; job += 1) {
      const result =
        this.#lacks[job] ?? jobOf(this.#gang(job), this.#jobs.at(job), this.#row[job] ?? 0);
      yield result;
      const rest = typeof result === 'string' ? result : 'merged';
      for (let task = 1; task < (this.#taskCount[job] ?? 0); task += 1) yield rest;
    }
  }

  #gang(job: number): PaiTask {
    const gpuCount = this.#gpuCount[job] ?? 0;
    const share = this.#unequal.has(job)
      ? (this.#gpus[job] ?? 0) / gpuCount
      : (this.#share[job] ?? 0);
    const endS = this.#endS[job] ?? Number.NaN;
    const jobName = this.#jobs.at(job);
    return {
      jobName,
      key: jobName,
      gang: { gpuCount, share },
      submitS: this.#submitS[job] ?? 0,
      startS: this.#startS[job] ?? 0,
      odd: this.#odd[job] ?? 0,
      endS: Number.isNaN(endS) ? null : endS,
      status: this.#status[job] ?? null,
      gpuType: this.#gpuType[job] ?? null,
    };
  }

  /** For the report. */
  assumed(): readonly string[] {
    if (this.#unequal.size === 0) return [];
    return [
      `${this.#unequal.size} jobs have tasks of unequal shares: each GPU is asked for the mean of them`,
    ];
  }
}
