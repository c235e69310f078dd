import { InputError } from '../../sim/errors.ts';
import type { ByteSource, FileHead } from '../csv/byte-source.ts';
import { quoted, Row, RowError } from '../csv/row.ts';
import {
  cellColumn,
  columnIndex,
  headerNames,
  missingColumn,
  readRecords,
  type TableRecord,
} from '../csv/table.ts';
import type { DropReason, OptionValue } from '../report.ts';
import type { ImportedTrace, TraceJob } from '../workload.ts';
import {
  checkSettings,
  type Importer,
  type ReadOptions,
  type SettingDoc,
  type Settings,
} from './importer.ts';
import { concludeImport, type Replaces, Tally } from './tally.ts';

/** What separates the cells of a row. */
export type Delimiter = ',' | '\t' | 'whitespace';

/** What an importer knows once the header is read. */
export interface TableFacts {
  readonly path: string;
  /** The file itself, for what it is recognised by and for the tables next to it. */
  readonly source: ByteSource;
  readonly settings: Settings;
  readonly hasColumn: (name: string) => boolean;
  /** Refuses a file without these columns. */
  readonly requireColumns: (names: readonly string[]) => void;
}

/** How the rows of one file become jobs. */
export interface RowPlan {
  /**
   * One row to one job, or why there is none. Several jobs (at least one) count as so many rows; null holds the row
   * back for `rest`. Throws `RowError` for a bad row.
   */
  toJob(row: Row): TraceJob | DropReason | readonly TraceJob[] | null;
  /** What the rows held back came to: one result for each of them. */
  rest?(): Iterable<TraceJob | DropReason>;
  /** Which of two jobs with one id is kept; the first, when this is left out. */
  readonly replaces?: Replaces;
  /** Told the first submission: the seconds to take off all of them, before `finish`. */
  timeZeroS?(firstS: number): number;
  /** Last look at all jobs, sorted by (submitS, row): ids and arrivals that need their rank. */
  finish?(jobs: readonly TraceJob[]): readonly TraceJob[];
  /** Asked for after `finish`. */
  assumed?(): readonly string[];
  /** Options with their defaults, for the report. */
  readonly options: Readonly<Record<string, OptionValue>>;
}

/** A format with one job a row. */
export interface CsvFormat {
  readonly name: string;
  readonly title: string;
  readonly required: readonly string[];
  readonly settings: readonly SettingDoc[];
  /** Where the names of the columns stand: in the first line, by default, or here. */
  readonly header?: 'first-line' | { readonly columns: readonly string[] };
  /** What separates the cells; `,` by default. */
  readonly delimiter?: Delimiter;
  /** Told the cells of the first line: names, or values when the file has no header. */
  detect(cells: readonly string[], head: FileHead): string | null;
  /** What it may read besides the file; nothing by default. */
  readonly readsAlso?: Importer['readsAlso'];
  plan(facts: TableFacts): RowPlan | Promise<RowPlan>;
}

/** A file whose columns are known. */
interface Table {
  readonly columns: ReadonlyMap<string, number>;
  readonly width: number;
  readonly plan: RowPlan;
}

/** A row with the wrong number of cells; thrown, not returned, when it is the torn end of a file. */
export function wrongWidth(path: string, record: TableRecord, width: number): InputError {
  const found = record.cells.length;
  if (!record.ended && found < width) {
    const detail = `is cut off: the last line has ${found} of ${width} cells and no line end`;
    throw new InputError(path, record.line, null, detail);
  }
  return new InputError(path, record.line, null, `expected ${width} cells, found ${found}`);
}

/** The error of a bad cell, with its place in the file. */
export function locate(
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

async function openTable(
  format: CsvFormat,
  source: ByteSource,
  settings: Settings,
  header: readonly string[],
): Promise<Table> {
  const { path } = source;
  const names = header.map((name) => name.trim());
  const columns = columnIndex(path, names, format.required);
  const plan = await format.plan({
    path,
    source,
    settings,
    hasColumn: (name) => columns.has(name),
    requireColumns: (wanted) => {
      for (const name of wanted) if (!columns.has(name)) throw missingColumn(path, name, names);
    },
  });
  return { columns, width: names.length, plan };
}

function keepResult(tally: Tally, result: ReturnType<RowPlan['toJob']>): void {
  if (result === null) return;
  if (typeof result === 'string' || 'id' in result) {
    tally.keep(result);
    return;
  }
  tally.rowsRead += result.length - 1;
  for (const job of result) tally.keep(job);
}

/** Reads a file in a format. Anything wrong with it is an `InputError`. */
export async function readJobTable(
  format: CsvFormat,
  source: ByteSource,
  options: ReadOptions,
): Promise<ImportedTrace> {
  const { path } = source;
  const { settings } = options;
  const { header = 'first-line', delimiter = ',' } = format;
  checkSettings(path, format.name, settings, format.settings);
  const tally = new Tally();
  let table =
    header === 'first-line' ? null : await openTable(format, source, settings, header.columns);

  for await (const record of readRecords(source, { delimiter })) {
    if (table === null) {
      table = await openTable(format, source, settings, record.cells);
      continue;
    }
    const { columns, width, plan } = table;
    tally.replaces = plan.replaces ?? null;
    tally.rowsRead += 1;
    if (record.cells.length !== width) {
      tally.bad(wrongWidth(path, record, width));
      continue;
    }
    try {
      keepResult(tally, plan.toJob(new Row(columns, record.cells, tally.rowsRead)));
    } catch (error) {
      if (!(error instanceof RowError)) throw error;
      tally.bad(locate(path, record, columns, error));
    }
  }
  if (table === null) throw new InputError(path, null, null, 'is empty');
  const { plan } = table;
  for (const result of plan.rest?.() ?? []) tally.keep(result);
  return concludeImport(source, options, tally, {
    format: format.name,
    options: plan.options,
    timeZeroS: (firstS) => plan.timeZeroS?.(firstS) ?? 0,
    finish: (jobs) => plan.finish?.(jobs) ?? jobs,
    assumed: () => plan.assumed?.() ?? [],
  });
}

/** The cells of the first line of a file. */
export function firstCells(head: FileHead, delimiter: Delimiter): readonly string[] {
  const { firstLine } = head;
  switch (delimiter) {
    case ',':
      return headerNames(firstLine);
    case '\t':
      return firstLine.split('\t');
    case 'whitespace':
      return firstLine.trim().split(/[ \t]+/);
  }
}

/** The importer of a CSV format. */
export function csvImporter(format: CsvFormat): Importer {
  const { header = 'first-line', delimiter = ',' } = format;
  return {
    name: format.name,
    title: format.title,
    columns: header === 'first-line' ? format.required : [],
    settings: format.settings,
    ...(format.readsAlso === undefined ? {} : { readsAlso: format.readsAlso }),
    detect: (head) => format.detect(firstCells(head, delimiter), head),
    read: (source, options) => readJobTable(format, source, options),
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
