import { StringTable } from '../columns/string-table.ts';
import { type Row, TIME_S } from '../csv/row.ts';
import type { PaiTable } from './pai-tables.ts';

/** Words that occur often, kept once and named by a number; -1 stands for none. */
class Words {
  readonly #known: string[] = [];
  readonly #numbers = new Map<string, number>();

  number(word: string | null): number {
    if (word === null) return -1;
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    this.#numbers.set(word, this.#known.length);
    return this.#known.push(word) - 1;
  }

  word(number: number | undefined): string | null {
    return this.#known[number ?? -1] ?? null;
  }
}

/** What the other tables say of a job. */
export interface JoinedJob {
  /** Seconds on the trace's clock; null when missing. */
  readonly startS: number | null;
  readonly user: string | null;
  readonly status: string | null;
  /** Its `workload` tag. */
  readonly model: string | null;
  /** As `gpu_type_spec` has it. */
  readonly gpuTypes: string | null;
}

const NOTHING_JOINED: JoinedJob = {
  startS: null,
  user: null,
  status: null,
  model: null,
  gpuTypes: null,
};

/** Name of a task in the trace. */
export function taskKey(jobName: string, taskName: string): string {
  return `${jobName}/${taskName}`;
}

/**
 * What the other tables of PAI say of jobs and tasks, as numbers by name: the tables themselves are too
 * large to keep. They build on each other in this order: machines, tags, jobs, instances.
 */
export class PaiJoins {
  readonly found = new Set<PaiTable>();
  readonly #words = new Words();
  readonly #machineTypes = new Map<string, number>();

  readonly #tagged = new StringTable();
  /** Of each tagged job: numbers of two words. */
  readonly #tagWorkload: number[] = [];
  readonly #tagTypes: number[] = [];

  readonly #jobs = new StringTable();
  readonly #jobStartS: number[] = [];
  readonly #jobUser: number[] = [];
  readonly #jobStatus: number[] = [];
  readonly #jobTag: number[] = [];

  readonly #tasks = new StringTable();
  readonly #taskStartS: number[] = [];
  readonly #taskType: number[] = [];

  readMachine(row: Row): void {
    this.#machineTypes.set(row.text('machine'), this.#words.number(row.textOrNull('gpu_type')));
  }

  readTag(row: Row): void {
    const instId = row.text('inst_id');
    const workload = row.textOrNull('workload');
    const types = row.textOrNull('gpu_type_spec');
    // Nine of ten jobs have no workload tag, and few ask for a type.
    if (workload === null && types === null) return;
    const known = this.#tagged.indexOf(instId);
    const at = known < 0 ? this.#tagged.add(instId) : known;
    this.#tagWorkload[at] = this.#words.number(workload);
    this.#tagTypes[at] = this.#words.number(types);
  }

  /** Number of a job; a new one has no more than its tag. */
  #job(name: string, instId: string | null): number {
    const known = this.#jobs.indexOf(name);
    if (known >= 0) return known;
    this.#jobStartS.push(0);
    this.#jobUser.push(-1);
    this.#jobStatus.push(-1);
    this.#jobTag.push(instId === null ? -1 : this.#tagged.indexOf(instId));
    return this.#jobs.add(name);
  }

  readJob(row: Row): void {
    const startS = row.decimalOrNull('start_time', TIME_S) ?? 0;
    const job = this.#job(row.text('job_name'), row.textOrNull('inst_id'));
    this.#jobStartS[job] = startS;
    this.#jobUser[job] = this.#words.number(row.textOrNull('user'));
    this.#jobStatus[job] = this.#words.number(row.textOrNull('status'));
  }

  readInstance(row: Row): void {
    const startS = row.decimalOrNull('start_time', TIME_S) ?? 0;
    const jobName = row.text('job_name');
    // Without the job table, only the instances know the id that tags are given by.
    if (this.#tagged.size > 0 && !this.found.has('pai_job_table')) {
      this.#job(jobName, row.textOrNull('inst_id'));
    }
    if (startS === 0) return;
    const key = taskKey(jobName, row.text('task_name'));
    const known = this.#tasks.indexOf(key);
    if (known >= 0 && (this.#taskStartS[known] ?? 0) <= startS) return;
    const at = known < 0 ? this.#tasks.add(key) : known;
    this.#taskStartS[at] = startS;
    this.#taskType[at] = this.#machineTypes.get(row.textOrNull('machine') ?? '') ?? -1;
  }

  /** When the first instance of a task started, on the trace's clock; null when that is not known. */
  firstInstanceS(key: string): number | null {
    if (this.#tasks.size === 0) return null;
    return this.#taskStartS[this.#tasks.indexOf(key)] ?? null;
  }

  /** GPU type of the machine on which the first instance of a task ran. */
  machineType(key: string): string | null {
    if (this.#tasks.size === 0) return null;
    return this.#words.word(this.#taskType[this.#tasks.indexOf(key)]);
  }

  job(name: string): JoinedJob {
    if (this.#jobs.size === 0) return NOTHING_JOINED;
    const job = this.#jobs.indexOf(name);
    const tag = this.#jobTag[job] ?? -1;
    const startS = this.#jobStartS[job] ?? 0;
    return {
      startS: startS === 0 ? null : startS,
      user: this.#words.word(this.#jobUser[job]),
      status: this.#words.word(this.#jobStatus[job]),
      model: this.#words.word(this.#tagWorkload[tag]),
      gpuTypes: this.#words.word(this.#tagTypes[tag]),
    };
  }
}
