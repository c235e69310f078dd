import { InputError } from '../../sim/errors.ts';
import type { ByteSource } from '../csv/byte-source.ts';
import { Row, RowError } from '../csv/row.ts';
import { columnIndex, readRecords } from '../csv/table.ts';
import { locate, wrongWidth } from './csv-importer.ts';
import { BAD_ROW_FRACTION } from './tally.ts';

/** The columns of a table that is no job list. */
export interface TableShape {
  /** Columns that are read. Without a header, all columns, in order. */
  readonly columns: readonly string[];
  /** Whether the first line names the columns; where it need not, a line that does is passed over. */
  readonly header: boolean;
}

/** How many rows a table had, and how many of them were bad. */
export interface TableCount {
  readonly rows: number;
  readonly bad: number;
}

/** Whether a first line is the names of the columns. */
export function isHeader(cells: readonly string[], columns: readonly string[]): boolean {
  return cells.length === columns.length && columns.every((name, at) => cells[at]?.trim() === name);
}

/**
 * Hands every row of a table to `onRow`, which throws `RowError` for a bad one.
 * @throws {InputError} for the first bad row when there are more than `maxBadRows` (null: 1 % of them)
 */
export async function readTableRows(
  source: ByteSource,
  { columns: names, header }: TableShape,
  maxBadRows: number | null,
  onRow: (row: Row) => void,
): Promise<TableCount> {
  const { path } = source;
  let columns: ReadonlyMap<string, number> | null = header ? null : columnIndex(path, names, []);
  let width = names.length;
  let first = true;
  let rows = 0;
  let bad = 0;
  let firstBad: InputError | null = null;
  for await (const record of readRecords(source)) {
    const isFirst = first;
    first = false;
    if (columns === null) {
      columns = columnIndex(path, record.cells, names);
      width = record.cells.length;
      continue;
    }
    if (isFirst && isHeader(record.cells, names)) continue;
    rows += 1;
    let error: InputError | null = null;
    if (record.cells.length === width) {
      try {
        onRow(new Row(columns, record.cells, rows));
      } catch (thrown) {
        if (!(thrown instanceof RowError)) throw thrown;
        error = locate(path, record, columns, thrown);
      }
    } else {
      error = wrongWidth(path, record, width);
    }
    if (error === null) continue;
    bad += 1;
    firstBad ??= error;
    if (maxBadRows !== null && bad > maxBadRows) throw firstBad;
  }
  if (firstBad !== null && maxBadRows === null && bad > rows * BAD_ROW_FRACTION) {
    const detail = `${firstBad.detail} (${bad} of ${rows} rows are bad; allowed: 1 % of the rows)`;
    throw new InputError(path, firstBad.line, firstBad.column, detail);
  }
  return { rows, bad };
}
