import { type Bounds, GPUS, quoted, type Row, RowError, strictNumber, TIME_S } from '../csv/row.ts';
import type { DropReason } from '../report.ts';
import type { TraceJob } from '../workload.ts';
import { csvImporter, type RowPlan, recognised, type TableFacts } from './csv-importer.ts';
import { type SettingDoc, wordSetting } from './importer.ts';
import { TimeZero } from './time-zero.ts';
import { traceJob } from './trace-job.ts';
import { ZERO_DURATION, ZeroDurationRule } from './zero-duration.ts';

const COLUMNS = ['id_job', 'state', 'time_submit', 'time_start', 'time_end', 'tres_alloc'];
/** Slurm's numbers of trackable resources on this cluster: `tres-mapping.txt` of the data set. */
const GPU_TESLA = 1001;
const GPU_VOLTA = 1002;
const VOLTA = 'V100';
/** Slurm's job states by number (slurm.h, `enum job_states`). */
const STATES = [
  'PENDING',
  'RUNNING',
  'SUSPENDED',
  'COMPLETED',
  'CANCELLED',
  'FAILED',
  'TIMEOUT',
  'NODE_FAIL',
  'PREEMPTED',
  'BOOT_FAIL',
  'DEADLINE',
  'OUT_OF_MEMORY',
];
const COMPLETED = 'COMPLETED';
const STATE: Bounds = { min: 0, max: 2 ** 32 };
/** Slurm's words for "unlimited" and "not set", as 32 bits. */
const NO_LIMITS = new Set([4_294_967_295, 4_294_967_294]);
const LARGEST_INT64 = 9_223_372_036_854_775_807n;

const SETTINGS: readonly SettingDoc[] = [
  {
    name: 'suspended',
    meaning:
      "time that a job was suspended: 'held' (default) counts in its run time, for it kept its GPUs; " +
      "'subtracted' does not",
  },
  {
    name: 'duplicates',
    meaning:
      "of rows with one id, keep the first that is 'completed' (default), or else the 'first'; " +
      "'first' keeps the first whatever its state",
  },
  ZERO_DURATION,
];

/** A cell of trackable resources: `1=20,2=170000,4=1,5=20,1002=2`. */
interface Resources {
  readonly tesla: number;
  readonly volta: number;
  /** Whether an amount is past what 64 bits hold, as those of memory sometimes are. */
  readonly overflowed: boolean;
}

const RESOURCE = /^\s*(\d{1,9})\s*=\s*(\d{1,40})\s*$/;
const NO_RESOURCES: Resources = { tesla: 0, volta: 0, overflowed: false };

function resourcesOf(row: Row, column: string): Resources {
  const text = row.textOrNull(column);
  if (text === null) return NO_RESOURCES;
  const gpus = new Map([
    [GPU_TESLA, 0],
    [GPU_VOLTA, 0],
  ]);
  const seen = new Set<number>();
  let overflowed = false;
  for (const part of text.replace(/^\s*['"]|['"]\s*$/g, '').split(',')) {
    const [, name = '', amount = ''] = RESOURCE.exec(part) ?? [];
    if (amount === '') {
      throw new RowError(column, `expected numbers like 1=20,1002=2, found ${quoted(part)}`);
    }
    const id = Number(name);
    if (seen.has(id)) throw new RowError(column, `resource ${id} occurs twice`);
    seen.add(id);
    if (!gpus.has(id)) {
      if (amount.length > 18 && BigInt(amount) > LARGEST_INT64) overflowed = true;
      continue;
    }
    const count = Number(amount);
    if (count > GPUS.max) {
      throw new RowError(column, `expected 0 to ${GPUS.max} GPUs, found ${quoted(amount)}`);
    }
    gpus.set(id, count);
  }
  return { tesla: gpus.get(GPU_TESLA) ?? 0, volta: gpus.get(GPU_VOLTA) ?? 0, overflowed };
}

/** Seconds since 1970; null for 0, by which Slurm means that it has not happened. */
function instantOrNull(row: Row, column: string): number | null {
  const epochS = row.decimalOrNull(column, TIME_S);
  return epochS === 0 ? null : epochS;
}

function requestedOf(row: Row): number | null {
  const minutes = row.decimalOrNull('timelimit', TIME_S);
  return minutes === null || NO_LIMITS.has(minutes) ? null : minutes * 60;
}

function supercloudPlan({ path, settings }: TableFacts): RowPlan {
  const suspended = wordSetting(path, settings, 'suspended', ['held', 'subtracted']);
  const duplicates = wordSetting(path, settings, 'duplicates', ['completed', 'first']);
  const zero = new ZeroDurationRule(path, settings);
  const timeZero = new TimeZero();
  const notes = { roundedIds: 0, overflows: 0, gresOnly: 0, suspensions: 0, otherStates: 0 };

  /** The id as text. Spreadsheets and pandas write long ones as floating point numbers. */
  function idOf(row: Row): string {
    const text = row.text('id_job');
    const value = strictNumber(text);
    if (value === null) {
      throw new RowError('id_job', `expected a number, found ${quoted(text)}`);
    }
    if (/^\d+$/.test(text)) return text;
    if (/^\d+\.0*$/.test(text)) return text.replace(/\..*$/, '');
    notes.roundedIds += 1;
    return text;
  }

  function statusOf(row: Row): string {
    const state = row.integer('state', STATE);
    const name = STATES[state];
    if (name !== undefined) return name;
    notes.otherStates += 1;
    return String(state);
  }

  function toJob(row: Row): TraceJob | DropReason {
    const id = idOf(row);
    const { tesla, volta, overflowed } = resourcesOf(row, 'tres_alloc');
    if (overflowed) notes.overflows += 1;
    const gpuCount = tesla + volta;
    if (gpuCount === 0) {
      if (row.textOrNull('gres_used')?.includes('gpu') === true) notes.gresOnly += 1;
      return 'cpu_only';
    }
    const status = statusOf(row);
    const submitS = row.decimal('time_submit', TIME_S);
    const startS = instantOrNull(row, 'time_start');
    const endS = instantOrNull(row, 'time_end');
    const suspendedS = row.decimalOrNull('time_suspended', TIME_S) ?? 0;
    const requestedS = requestedOf(row);
    if (startS === null) return 'no_start';
    if (endS === null) return 'no_end';
    if (suspendedS > 0) notes.suspensions += 1;
    const ranS = endS - startS - (suspended === 'subtracted' ? suspendedS : 0);
    const durationS = zero.apply(ranS);
    if (durationS === null) return 'nonpositive_duration';
    return traceJob({
      id,
      submitS,
      durationS,
      gpuCount,
      referenceGpu: tesla === 0 ? VOLTA : null,
      queuedS: startS < submitS ? null : startS - submitS,
      requestedS: requestedS === 0 ? null : requestedS,
      user: row.textOrNull('id_user'),
      virtualCluster: row.textOrNull('partition'),
      status,
      row: row.number,
    });
  }

  function assumed(): readonly string[] {
    const lines = [
      timeZero.assumed(),
      'GPUs are those of tres_alloc: 1001 (tesla) and 1002 (volta, taken to be V100)',
    ];
    const said: readonly (readonly [number, string])[] = [
      [notes.roundedIds, 'ids are written as rounded numbers; different jobs may have one'],
      [notes.overflows, 'rows allocate amounts past 64 bits of what is not a GPU; not used'],
      [notes.gresOnly, 'rows without GPUs in tres_alloc name a gpu in gres_used: cpu_only'],
      [
        notes.suspensions,
        suspended === 'held'
          ? 'jobs were suspended for a time that counts in their run time'
          : 'jobs were suspended for a time that is taken off their run time',
      ],
      [notes.otherStates, 'jobs have a state that Slurm does not list; it is kept as a number'],
    ];
    for (const [count, what] of said) if (count > 0) lines.push(`${count} ${what}`);
    return [...lines, ...zero.assumed()];
  }

  const plan: RowPlan = {
    options: { suspended, duplicates, zeroDuration: zero.choice },
    toJob,
    timeZeroS: (firstS) => timeZero.take(firstS),
    assumed,
  };
  if (duplicates === 'first') return plan;
  return {
    ...plan,
    replaces: (next, kept) => next.status === COMPLETED && kept.status !== COMPLETED,
  };
}

/**
 * `slurm-log.csv` of the MIT Supercloud data set (Samsi et al., HPEC 2021): one row a job or task of a job
 * array, seconds since 1970. Every task of an array is a job; `nodelist`, `constraints` and host memory are
 * not read. Time 0 is the first submission that is kept.
 */
export const supercloud = csvImporter({
  name: 'supercloud',
  title: 'MIT Supercloud Slurm log',
  required: COLUMNS,
  settings: SETTINGS,
  detect: (columns) => recognised(columns, [...COLUMNS, 'tres_req']),
  plan: supercloudPlan,
});
