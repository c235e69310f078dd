import { InputError } from '../../sim/errors.ts';
import { JobColumns } from '../columns/job-columns.ts';
import { jobsOf } from '../columns/jobs-view.ts';
import { traceName } from '../container/names.ts';
import type { ByteSource } from '../csv/byte-source.ts';
import { type DropReason, type OptionValue, statisticsOf } from '../report.ts';
import type { ImportedTrace, TraceJob } from '../workload.ts';
import type { ReadOptions } from './importer.ts';

const BAD_ROW_EXAMPLES = 5;
/** Part of the rows that may be bad where no limit is given. */
export const BAD_ROW_FRACTION = 0.01;

/** Whether a later job takes the place of the one that was kept with its id. */
export type Replaces = (next: TraceJob, kept: TraceJob) => boolean;

/** What became of the rows read so far. Of jobs with one id the first is kept, unless another replaces it. */
export class Tally {
  readonly jobs = new JobColumns();
  readonly dropped: Partial<Record<DropReason, number>> = {};
  readonly badRows: InputError[] = [];
  /** To be set before the first job. */
  replaces: Replaces | null = null;
  rowsRead = 0;

  drop(reason: DropReason): void {
    this.dropped[reason] = (this.dropped[reason] ?? 0) + 1;
  }

  keep(result: TraceJob | DropReason): void {
    if (typeof result === 'string') {
      this.drop(result);
    } else if (!this.jobs.push(result)) {
      this.drop('duplicate_id');
      this.#replace(result);
    }
  }

  #replace(next: TraceJob): void {
    if (this.replaces === null) return;
    const place = this.jobs.placeOf(next.id);
    if (this.replaces(next, this.jobs.inPlace(place))) this.jobs.replace(place, next);
  }

  bad(error: InputError): void {
    this.drop('bad_row');
    if (this.badRows.length < BAD_ROW_EXAMPLES) this.badRows.push(error);
  }
}

function refuseTooManyBadRows(path: string, tally: Tally, maxBadRows: number | null): void {
  const [first] = tally.badRows;
  const bad = tally.dropped.bad_row ?? 0;
  if (first === undefined || bad <= (maxBadRows ?? tally.rowsRead * BAD_ROW_FRACTION)) return;
  const allowed = maxBadRows === null ? '1 % of the rows' : maxBadRows;
  const detail = `${first.detail} (${bad} of ${tally.rowsRead} rows are bad; allowed: ${allowed})`;
  throw new InputError(path, first.line, first.column, detail);
}

function refuseNoJobs(path: string, tally: Tally): void {
  if (tally.jobs.length > 0) return;
  const reasons = Object.entries(tally.dropped).map(([reason, count]) => `${count} ${reason}`);
  const left = reasons.length === 0 ? '' : `, left out: ${reasons.join(', ')}`;
  throw new InputError(path, null, null, `has no jobs: ${tally.rowsRead} rows read${left}`);
}

/** What an importer adds to a tally. */
export interface Conclusion {
  readonly format: string;
  readonly options: Readonly<Record<string, OptionValue>>;
  /** Told the first submission: the seconds to take off all of them, before `finish`. */
  timeZeroS?(firstS: number): number;
  /** Last look at all jobs, sorted by (submitS, row). */
  finish?(jobs: readonly TraceJob[]): readonly TraceJob[];
  /** Asked for after `finish`. */
  assumed?(): readonly string[];
}

/**
 * The trace that a tally of a whole file comes to.
 * @throws {InputError} when there are more bad rows than allowed, or no jobs
 */
export function concludeImport(
  source: ByteSource,
  { maxBadRows, recognisedBy }: ReadOptions,
  tally: Tally,
  conclusion: Conclusion,
): ImportedTrace {
  const { path } = source;
  const { format, options } = conclusion;
  refuseTooManyBadRows(path, tally, maxBadRows);
  refuseNoJobs(path, tally);
  tally.jobs.ids.forgetIndex();
  tally.jobs.sortBySubmission();
  const zeroS = conclusion.timeZeroS?.(tally.jobs.at(0).submitS) ?? 0;
  if (zeroS !== 0) tally.jobs.shiftSubmissions(zeroS);
  const sorted = jobsOf(tally.jobs);
  const jobs = conclusion.finish?.(sorted) ?? sorted;
  return {
    name: traceName(path),
    format,
    recognisedBy,
    jobs,
    report: {
      format,
      input: source.fingerprint(),
      options: { ...options, maxBadRows },
      rowsRead: tally.rowsRead,
      dropped: tally.dropped,
      badRowExamples: tally.badRows.map((error) => error.message),
      assumed: conclusion.assumed?.() ?? [],
      ...statisticsOf(jobs),
    },
  };
}
