import { CsvError, parse } from 'csv-parse/sync';
import { InputError, nearest } from '../../sim/errors.ts';
import { readTextFile } from '../yaml.ts';
import { isNoValue, parseQuantity, type Quantity, quoted } from './quantity.ts';

/** A value that must be there is absent or spelled NaN. A reader drops and counts such rows. */
export class MissingValue extends InputError {
  readonly field: string;

  constructor(file: string, line: number | null, column: number | null, field: string, found = '') {
    const what = found === '' ? 'none' : quoted(found);
    super(file, line, column, `${field}: expected a value, found ${what}`);
    this.field = field;
  }
}

/** A row of a CSV file, by column name, that can name the place of each cell. */
export class CsvRow {
  readonly file: string;
  readonly line: number;
  readonly #header: readonly string[];
  readonly #cells: readonly string[];

  constructor(file: string, line: number, header: readonly string[], cells: readonly string[]) {
    this.file = file;
    this.line = line;
    this.#header = header;
    this.#cells = cells;
  }

  /** The cell of a column without blanks around it, '' where there is no such column. */
  raw(column: string): string {
    return this.#cells[this.#header.indexOf(column)]?.trim() ?? '';
  }

  /** An error about a cell: file, line and column of it. */
  fail(column: string, detail: string): InputError {
    return new InputError(this.file, this.line, this.#columnOf(column), `${column}: ${detail}`);
  }

  /** @throws {MissingValue} where the cell is empty */
  text(column: string): string {
    const text = this.raw(column);
    if (text !== '') return text;
    throw new MissingValue(this.file, this.line, this.#columnOf(column), column);
  }

  /**
   * A decimal number within bounds.
   *
   * @throws {MissingValue} where the cell is empty or NaN
   * @throws {InputError} where it is anything else
   */
  number(column: string, quantity: Quantity): number {
    const text = this.raw(column);
    if (isNoValue(text)) {
      throw new MissingValue(this.file, this.line, this.#columnOf(column), column, text);
    }
    const value = parseQuantity(text, quantity);
    if (typeof value === 'string') throw this.fail(column, value);
    return value;
  }

  /** Like `number`, but null where the cell or its column is not there. */
  numberOrNull(column: string, quantity: Quantity): number | null {
    return isNoValue(this.raw(column)) ? null : this.number(column, quantity);
  }

  /** Where the cell starts in its line, 1 being the first character; right without quotes before. */
  #columnOf(column: string): number | null {
    const index = this.#header.indexOf(column);
    if (index < 0) return null;
    let place = 1;
    for (const cell of this.#cells.slice(0, index)) place += cell.length + 1;
    return place;
  }
}

/** A CSV file with a header. */
export interface CsvTable {
  readonly file: string;
  readonly header: readonly string[];
  readonly rows: readonly CsvRow[];
}

interface ParsedRecord {
  readonly record: string[];
  readonly info: { readonly lines: number };
}

/** Column names of the first line that is not blank, for recognising a format. */
export function headerOf(text: string): string[] {
  const line = text.replace(/^\uFEFF/, '').match(/[^\r\n]+/)?.[0] ?? '';
  return line.split(',').map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
}

/**
 * Parses a small CSV file with a header: any line ends, blank lines skipped, blanks around a cell
 * ignored. A row with too few cells, or with more that are not empty, is an error.
 *
 * @throws {InputError} when it is empty, not CSV, or names a column twice
 */
export function parseCsv(text: string, file: string): CsvTable {
  const [first, ...rest] = records(text, file);
  if (first === undefined) throw new InputError(file, 1, 1, 'expected a header, found nothing');
  const header = first.record.map((name) => name.trim());
  const twice = header.find((name, i) => name !== '' && header.indexOf(name) !== i);
  if (twice !== undefined) {
    throw new InputError(file, 1, null, `column ${quoted(twice)} occurs twice`);
  }
  if (rest.length === 0) {
    throw new InputError(file, 2, 1, 'expected rows after the header, found none');
  }
  const rows = rest.map(({ record, info }) => {
    const extra = record.slice(header.length).some((cell) => cell.trim() !== '');
    if (record.length < header.length || extra) {
      const detail = `expected ${header.length} cells as in the header, found ${record.length}`;
      throw new InputError(file, info.lines, null, detail);
    }
    return new CsvRow(file, info.lines, header, record);
  });
  return { file, header, rows };
}

function records(text: string, file: string): ParsedRecord[] {
  try {
    const parsed: unknown = parse(text, {
      bom: true,
      info: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
    });
    return parsed as ParsedRecord[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error.lines === 'number' ? error.lines : null;
    throw new InputError(file, line, null, error.message.toLowerCase());
  }
}

/** Reads a CSV file and checks that it has the columns that are needed. @throws {InputError} */
export function readCsv(file: string, needed: readonly string[]): CsvTable {
  const table = parseCsv(readTextFile(file), file);
  for (const name of needed) {
    if (!table.header.includes(name)) throw missingColumn(file, name, table.header);
  }
  return table;
}

/** An error that says which column is missing, which there are and which was perhaps meant. */
export function missingColumn(
  file: string,
  name: string,
  header: readonly string[],
  note = '',
): InputError {
  const near = nearest(name, header);
  const hint = near === null ? '' : `; did you mean ${quoted(near)}?`;
  const shown = header.slice(0, 16).map(quoted).join(', ');
  const more = header.length > 16 ? ` and ${header.length - 16} more` : '';
  const detail = `expected a column ${quoted(name)}, found: ${shown}${more}${hint}${note}`;
  return new InputError(file, 1, 1, detail);
}
