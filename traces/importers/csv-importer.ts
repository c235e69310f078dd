import { InputError } from '../../sim/errors.ts';
import type { ByteSource } from '../csv/byte-source.ts';
import { quoted, Row, RowError } from '../csv/row.ts';
import {
  cellColumn,
  columnIndex,
  headerNames,
  missingColumn,
  readRecords,
  type TableRecord,
} from '../csv/table.ts';
import { type DropReason, type OptionValue, statisticsOf } from '../report.ts';
import type { ImportedTrace, TraceJob } from '../workload.ts';
import {
  checkSettings,
  type Importer,
  type ReadOptions,
  type SettingDoc,
  type Settings,
} from './importer.ts';

const BAD_ROW_EXAMPLES = 5;
const BAD_ROW_FRACTION = 0.01;

/** What an importer knows once the header is read. */
export interface TableFacts {
  readonly path: string;
  readonly settings: Settings;
  readonly hasColumn: (name: string) => boolean;
  /** Refuses a file without these columns. */
  readonly requireColumns: (names: readonly string[]) => void;
}

/** How the rows of one file become jobs. */
export interface RowPlan {
  /** Pure: one row to one job, or why there is none. Throws `RowError` for a bad row. */
  toJob(row: Row): TraceJob | DropReason;
  /** Last look at all jobs, sorted by (submitS, row): ids and arrivals that need their rank. */
  finish?(jobs: readonly TraceJob[]): readonly TraceJob[];
  /** Asked for after `finish`. */
  assumed?(): readonly string[];
  /** Options with their defaults, for the report. */
  readonly options: Readonly<Record<string, OptionValue>>;
}

/** A format with one job a row under a header line. */
export interface CsvFormat {
  readonly name: string;
  readonly title: string;
  readonly required: readonly string[];
  readonly settings: readonly SettingDoc[];
  detect(columns: readonly string[]): string | null;
  plan(facts: TableFacts): RowPlan;
}

class Tally {
  readonly jobs: TraceJob[] = [];
  readonly dropped: Partial<Record<DropReason, number>> = {};
  readonly badRows: InputError[] = [];
  readonly #ids = new Set<string>();
  rowsRead = 0;

  drop(reason: DropReason): void {
    this.dropped[reason] = (this.dropped[reason] ?? 0) + 1;
  }

  keep(result: TraceJob | DropReason): void {
    if (typeof result === 'string') {
      this.drop(result);
    } else if (this.#ids.has(result.id)) {
      this.drop('duplicate_id');
    } else {
      this.#ids.add(result.id);
      this.jobs.push(result);
    }
  }

  bad(error: InputError): void {
    this.drop('bad_row');
    if (this.badRows.length < BAD_ROW_EXAMPLES) this.badRows.push(error);
  }
}

/** A row with the wrong number of cells; thrown, not returned, when it is the torn end of a file. */
function wrongWidth(path: string, record: TableRecord, width: number): InputError {
  const found = record.cells.length;
  if (!record.ended && found < width) {
    const detail = `is cut off: the last line has ${found} of ${width} cells and no line end`;
    throw new InputError(path, record.line, null, detail);
  }
  return new InputError(path, record.line, null, `expected ${width} cells, found ${found}`);
}

function locate(
  path: string,
  record: TableRecord,
  columns: ReadonlyMap<string, number>,
  error: RowError,
): InputError {
  if (error.column === null) return new InputError(path, record.line, null, error.message);
  const at = columns.get(error.column);
  const column = at === undefined ? null : cellColumn(record.cells, at);
  return new InputError(path, record.line, column, `${error.column}: ${error.message}`);
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

async function readTable(
  format: CsvFormat,
  source: ByteSource,
  { settings, maxBadRows, recognisedBy }: ReadOptions,
): Promise<ImportedTrace> {
  const { path } = source;
  checkSettings(path, format.name, settings, format.settings);
  const tally = new Tally();
  let columns: ReadonlyMap<string, number> | null = null;
  let width = 0;
  let plan: RowPlan | null = null;

  for await (const record of readRecords(source)) {
    if (columns === null || plan === null) {
      const names = record.cells.map((name) => name.trim());
      const index = columnIndex(path, names, format.required);
      columns = index;
      width = names.length;
      plan = format.plan({
        path,
        settings,
        hasColumn: (name) => index.has(name),
        requireColumns: (wanted) => {
          for (const name of wanted) if (!index.has(name)) throw missingColumn(path, name, names);
        },
      });
      continue;
    }
    tally.rowsRead += 1;
    if (record.cells.length !== width) {
      tally.bad(wrongWidth(path, record, width));
      continue;
    }
    try {
      tally.keep(plan.toJob(new Row(columns, record.cells, tally.rowsRead)));
    } catch (error) {
      if (!(error instanceof RowError)) throw error;
      tally.bad(locate(path, record, columns, error));
    }
  }
  if (plan === null) throw new InputError(path, null, null, 'is empty');
  refuseTooManyBadRows(path, tally, maxBadRows);
  refuseNoJobs(path, tally);

  // The sort is stable, so jobs of one instant stay in file order.
  const sorted = tally.jobs.sort((a, b) => a.submitS - b.submitS);
  const jobs = plan.finish?.(sorted) ?? sorted;
  return {
    name: path.replace(/^.*[/\\]/, '').replace(/\.[^.]*$/, ''),
    format: format.name,
    recognisedBy,
    jobs,
    report: {
      format: format.name,
      input: source.fingerprint(),
      options: { ...plan.options, maxBadRows },
      rowsRead: tally.rowsRead,
      dropped: tally.dropped,
      badRowExamples: tally.badRows.map((error) => error.message),
      assumed: plan.assumed?.() ?? [],
      ...statisticsOf(jobs),
    },
  };
}

/** The importer of a CSV format. */
export function csvImporter(format: CsvFormat): Importer {
  return {
    name: format.name,
    title: format.title,
    columns: format.required,
    settings: format.settings,
    detect: ({ firstLine }) => format.detect(headerNames(firstLine)),
    read: (source, options) => readTable(format, source, options),
  };
}

/** A reason for `detect`: all these columns are there and none of those; null otherwise. */
export function recognised(
  columns: readonly string[],
  all: readonly string[],
  none: readonly string[] = [],
): string | null {
  const there = new Set(columns);
  if (!all.every((name) => there.has(name)) || none.some((name) => there.has(name))) return null;
  return `the header has the columns ${all.map(quoted).join(', ')}`;
}
