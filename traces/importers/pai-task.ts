import { type Bounds, GPUS, type Row, TIME_S } from '../csv/row.ts';
import type { DropReason } from '../report.ts';
import { type Gang, gangOf } from './gang.ts';
import { type PaiJoins, taskKey } from './pai-joins.ts';

/** Percent of a GPU. */
const PLAN: Bounds = { min: 0, max: 100 * GPUS.max };
/** Older GPUs of several types, which the trace does not tell apart. */
const MIXED_TYPE = 'MISC';
/** The V100 with 32 GiB runs as fast as the other one. */
const SAME_SPEED: Readonly<Record<string, string>> = { V100M32: 'V100' };
/** Separates types that the tasks of one gang ran on. */
export const TYPE_SEPARATOR = '|';

/** What had to be read into a task: bits of `PaiTask.odd`, and what the report says of so many jobs. */
export const ODD = {
  noInstNum: 1,
  noStart: 2,
  noType: 4,
  startedEarly: 8,
  noInstance: 16,
  noEnd: 32,
} as const;
const ODD_LINES: readonly (readonly [number, string])[] = [
  [ODD.noInstNum, 'inst_num is missing for %: one instance'],
  [ODD.noStart, 'start_time is missing for %: submitted when pai_job_table has their job start'],
  [ODD.noType, 'gpu_type is missing for %: that of the machine of their first instance'],
  [ODD.startedEarly, 'the first instance starts before the task for %: no wait'],
];

/** What of a task's row jobs are made from. Times are seconds on the trace's clock. */
export interface PaiTask {
  readonly jobName: string;
  readonly key: string;
  readonly gang: Gang;
  readonly submitS: number;
  readonly startS: number;
  /** Null when it has no end. */
  readonly endS: number | null;
  readonly status: string | null;
  /** GPU type that it ran on, as the trace names it. */
  readonly gpuType: string | null;
  /** Bits of `ODD`. */
  readonly odd: number;
}

/** A time of the trace; 0 and an empty cell are none. */
function timeOrNull(row: Row, column: string): number | null {
  const timeS = row.decimalOrNull(column, TIME_S);
  return timeS === 0 ? null : timeS;
}

/**
 * A row of pai_task_table, with what the other tables say of it. `plan_gpu` is per instance, in percent
 * of a GPU. A task is submitted at its start_time, and starts with its first instance where the
 * instances are known.
 */
export function taskOf(row: Row, joins: PaiJoins): PaiTask | DropReason {
  const jobName = row.text('job_name');
  const key = taskKey(jobName, row.text('task_name'));
  const instances = row.textOrNull('inst_num') === null ? null : row.integer('inst_num', GPUS);
  const planGpu = row.decimalOrNull('plan_gpu', PLAN) ?? 0;
  const taskS = timeOrNull(row, 'start_time');
  const endS = timeOrNull(row, 'end_time');
  const gang = gangOf(instances ?? 1, planGpu / 100);
  if (gang === null) return 'cpu_only';

  const submitS = taskS ?? joins.job(jobName).startS;
  const firstS = joins.firstInstanceS(key);
  const startS = firstS ?? taskS;
  if (submitS === null || startS === null) return 'no_start';
  const statedType = row.textOrNull('gpu_type');
  const gpuType = statedType ?? joins.machineType(key);
  const odd =
    (instances === null ? ODD.noInstNum : 0) +
    (taskS === null ? ODD.noStart : 0) +
    (gpuType === statedType ? 0 : ODD.noType) +
    (startS < submitS ? ODD.startedEarly : 0) +
    (firstS === null ? ODD.noInstance : 0);
  return {
    jobName,
    key,
    gang,
    submitS,
    startS: Math.max(startS, submitS),
    endS,
    status: row.textOrNull('status'),
    gpuType,
    odd,
  };
}

/** Time from submission to start, in seconds; null where no instance says when it started. */
export function waitOf({ submitS, startS, odd }: PaiTask): number | null {
  return (odd & ODD.noInstance) === 0 ? startS - submitS : null;
}

/** The type that run times on a trace's type refer to; null for a mix. */
export function referenceTypeOf(gpuType: string | null): string | null {
  if (gpuType === null || gpuType === MIXED_TYPE || gpuType.includes(TYPE_SEPARATOR)) return null;
  return SAME_SPEED[gpuType] ?? gpuType;
}

/** Counts what was odd of the tasks that became jobs. */
export class OddCounts {
  readonly #counts = new Map<number, number>();

  add(odd: number): void {
    for (let bit = 1; bit <= odd; bit *= 2) {
      if ((odd & bit) !== 0) this.#counts.set(bit, this.of(bit) + 1);
    }
  }

  of(bit: number): number {
    return this.#counts.get(bit) ?? 0;
  }

  /** For the report. `instances` says whether pai_instance_table is joined. */
  lines(instances: boolean, unendedDurationS: number | null): readonly string[] {
    const lines = [
      instances
        ? 'a task waits from its start_time until its first instance starts, and then runs'
        : 'without pai_instance_table a run time is end_time - start_time of the task, waiting included',
    ];
    const unknown = this.of(ODD.noInstance);
    if (instances && unknown > 0) {
      lines.push(`no instance is known to have started for ${unknown} jobs: they ran all the time`);
    }
    for (const [bit, text] of ODD_LINES) {
      if (this.of(bit) > 0) lines.push(text.replace('%', `${this.of(bit)} jobs`));
    }
    const unended = this.of(ODD.noEnd);
    if (unended > 0)
      lines.push(`end_time is missing for ${unended} jobs: they run for ${unendedDurationS} s`);
    return lines;
  }
}
