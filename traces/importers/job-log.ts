import { GPUS, quoted, type Row, RowError, TIME_S } from '../csv/row.ts';
import { elapsedS, epochS, type Instant, instantOf } from '../csv/wall-clock.ts';
import type { DropReason } from '../report.ts';
import type { TraceJob } from '../workload.ts';
import type { RowPlan, TableFacts } from './csv-importer.ts';
import { type SettingDoc, wordSetting } from './importer.ts';
import { TimeZero } from './time-zero.ts';
import { traceJob } from './trace-job.ts';
import { ZERO_DURATION, ZeroDurationRule } from './zero-duration.ts';

/** Columns of every log of this kind. */
export const JOB_LOG_COLUMNS: readonly string[] = [
  'job_id',
  'user',
  'gpu_num',
  'state',
  'submit_time',
  'start_time',
  'end_time',
  'duration',
  'queue',
];
const ANY_TIME_S = { min: -TIME_S.max, max: TIME_S.max };
const SLURM_STATES = ['COMPLETED', 'CANCELLED', 'FAILED', 'TIMEOUT', 'NODE_FAIL'];

/** What run time a job gets: `recomputed` is end - start, `raw` the column `duration`. */
export type DurationRule = 'recomputed' | 'raw';

/** How one log differs from the others of its kind. */
export interface JobLog {
  /** Distance from UTC of stamps that state none, and how a report calls it. */
  readonly offsetS: number;
  readonly zone: string;
  /** Default of the option `duration`. */
  readonly duration: DurationRule;
  /** Column of the virtual cluster, if there is one. */
  readonly virtualCluster: string | null;
  /** States that are documented besides those of Slurm that all logs have. */
  readonly moreStates: readonly string[];
}

/** The options of a job log. */
export function jobLogSettings(byDefault: DurationRule): readonly SettingDoc[] {
  const meanings = {
    recomputed: "'recomputed' is end - start of the stamps",
    raw: "'raw' the column duration",
  };
  const said = byDefault === 'raw' ? ['raw', 'recomputed'] : ['recomputed', 'raw'];
  const parts = said.map((rule) => meanings[rule as DurationRule]);
  const meaning = `run time: ${parts[0]} (default), ${parts[1]}`;
  return [{ name: 'duration', meaning }, ZERO_DURATION];
}

function stampOrNull(row: Row, column: string): Instant | null {
  const text = row.textOrNull(column);
  if (text === null) return null;
  const instant = instantOf(text);
  if (instant !== null) return instant;
  const expected = 'expected YYYY-MM-DD HH:MM:SS, perhaps with +HH:MM';
  throw new RowError(column, `${expected}, found ${quoted(text)}`);
}

/** Counts of what the rows with GPUs of a log say of themselves. */
class LogFacts {
  rows = 0;
  /** Stamps that state no distance from UTC. */
  unzoned = 0;
  durationNotSpan = 0;
  durationFromSubmission = 0;
  queueNotWait = 0;
  gpuTimeNotProduct = 0;
  readonly gpuS = new Map<string, number>();
  readonly otherStates = new Map<string, number>();
}

function counts(of: ReadonlyMap<string, number>): string {
  const sorted = [...of].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([name, count]) => `${name} ${count}`).join(', ');
}

function add(to: Map<string, number>, name: string, amount: number): void {
  to.set(name, (to.get(name) ?? 0) + amount);
}

/**
 * The plan of a log with one row a job, stamps for submission, start and end, and a duration and a queueing
 * time of its own: Helios and Acme. Rows without GPUs are counted unread. What the log's own duration comes
 * to is summed up for the report, whichever duration is taken, for that is what is published.
 */
export function jobLogPlan({ path, settings, hasColumn }: TableFacts, log: JobLog): RowPlan {
  const other: DurationRule = log.duration === 'raw' ? 'recomputed' : 'raw';
  const duration = wordSetting(path, settings, 'duration', [log.duration, other]);
  const zero = new ZeroDurationRule(path, settings);
  const timeZero = new TimeZero();
  const facts = new LogFacts();
  const known = new Set([...SLURM_STATES, ...log.moreStates]);
  const hasGpuTime = hasColumn('gpu_time');

  function stamp(row: Row, column: string): Instant | null {
    const instant = stampOrNull(row, column);
    if (instant === null || instant.offsetS !== null) return instant;
    facts.unzoned += 1;
    return { ...instant, offsetS: log.offsetS };
  }

  function note(row: Row, gpuCount: number, state: string, rawS: number | null): void {
    facts.rows += 1;
    if (!known.has(state)) add(facts.otherStates, state, 1);
    if (rawS === null) return;
    add(facts.gpuS, state, gpuCount * rawS);
    const gpuTimeS = hasGpuTime ? row.decimalOrNull('gpu_time', ANY_TIME_S) : null;
    if (gpuTimeS !== null && gpuTimeS !== gpuCount * rawS) facts.gpuTimeNotProduct += 1;
  }

  function toJob(row: Row): TraceJob | DropReason {
    const gpuCount = row.integer('gpu_num', GPUS);
    if (gpuCount === 0) return 'cpu_only';
    const id = row.text('job_id');
    const status = row.textOrNull('state');
    const rawS = row.decimalOrNull('duration', ANY_TIME_S);
    const queueS = row.decimalOrNull('queue', ANY_TIME_S);
    const submit = stamp(row, 'submit_time');
    const start = stamp(row, 'start_time');
    const end = stamp(row, 'end_time');
    if (submit === null) throw new RowError('submit_time', 'expected a time, found none');
    note(row, gpuCount, status ?? 'none', rawS);
    if (start === null) return 'no_start';
    if (end === null) return 'no_end';
    const spanS = elapsedS(start, end);
    const waitS = elapsedS(submit, start);
    if (rawS !== null && rawS !== spanS) {
      facts.durationNotSpan += 1;
      if (rawS === elapsedS(submit, end)) facts.durationFromSubmission += 1;
    }
    if (queueS !== null && queueS !== waitS) facts.queueNotWait += 1;
    const ranS = duration === 'raw' ? rawS : spanS;
    if (ranS === null) return 'no_end';
    const durationS = zero.apply(ranS);
    if (durationS === null) return 'nonpositive_duration';
    const queuedS = queueS ?? waitS;
    return traceJob({
      id,
      submitS: epochS(submit) + submit.nanoS / 1e9,
      durationS,
      gpuCount,
      queuedS: queuedS < 0 ? null : queuedS,
      user: row.textOrNull('user'),
      virtualCluster: log.virtualCluster === null ? null : row.textOrNull(log.virtualCluster),
      status,
      row: row.number,
    });
  }

  function assumed(): readonly string[] {
    const lines = [timeZero.assumed()];
    const taken = duration === 'raw' ? 'the column duration' : 'end_time - start_time';
    lines.push(`run time is ${taken}`);
    if (facts.unzoned > 0) {
      lines.push(`${facts.unzoned} stamps state no zone and are read as ${log.zone}`);
    }
    if (facts.durationNotSpan > 0) {
      const part =
        facts.durationFromSubmission > 0
          ? ` (${facts.durationFromSubmission} of them are end_time - submit_time)`
          : '';
      lines.push(`${facts.durationNotSpan} durations are not end_time - start_time${part}`);
    }
    if (facts.queueNotWait > 0) {
      lines.push(`${facts.queueNotWait} queueing times are not start_time - submit_time`);
    }
    if (facts.gpuTimeNotProduct > 0) {
      lines.push(`${facts.gpuTimeNotProduct} times gpu_time is not gpu_num x duration`);
    }
    const total = [...facts.gpuS.values()].reduce((sum, value) => sum + value, 0);
    lines.push(
      `gpu_num x the column duration is ${total} GPU-seconds over the ${facts.rows} rows with ` +
        `GPUs, left out or not: ${counts(facts.gpuS)}`,
    );
    if (facts.otherStates.size > 0) {
      lines.push(`states that are not documented: ${counts(facts.otherStates)}`);
    }
    return [...lines, ...zero.assumed()];
  }

  return {
    options: { duration, zeroDuration: zero.choice },
    toJob,
    timeZeroS: (firstS) => timeZero.take(firstS),
    assumed,
  };
}
