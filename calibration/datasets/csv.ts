import path from 'node:path';
import { CsvError, parse } from 'csv-parse/sync';
import { InputError } from '../../sim/errors.ts';
import { readTextFile } from '../yaml.ts';

/** A row of a CSV file, by column name, that can name its own place. */
export interface CsvRow {
  readonly text: (column: string) => string;
  /** A finite number. @throws {InputError} with the line of the row */
  readonly number: (column: string) => number;
  /** A finite number, or null where the field is empty. */
  readonly numberOrNull: (column: string) => number | null;
  readonly columns: readonly string[];
}

/**
 * Reads a small CSV file with a header into rows.
 *
 * @throws {InputError} when it cannot be read, is not CSV, or lacks a column that is asked for
 */
export function readCsv(folder: string, name: string): CsvRow[] {
  const file = path.join(folder, name);
  let records: string[][];
  try {
    records = parse(readTextFile(file), { bom: true, skip_empty_lines: true, trim: true });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error.lines === 'number' ? error.lines : null;
    throw new InputError(file, line, null, error.message.toLowerCase());
  }
  const [header, ...rows] = records;
  if (header === undefined) throw new InputError(file, 1, null, 'expected a header, found nothing');
  return rows.map((fields, i) => csvRow(file, i + 2, header, fields));
}

function csvRow(
  file: string,
  line: number,
  header: readonly string[],
  fields: readonly string[],
): CsvRow {
  const text = (column: string): string => {
    const index = header.indexOf(column);
    const field = index < 0 ? undefined : fields[index];
    if (field === undefined) {
      const detail = `expected a column '${column}', found: ${header.join(', ')}`;
      throw new InputError(file, line, null, detail);
    }
    return field;
  };
  const number = (column: string): number => {
    const field = text(column);
    const value = Number(field);
    if (field === '' || !Number.isFinite(value)) {
      throw new InputError(file, line, null, `${column}: expected a number, found '${field}'`);
    }
    return value;
  };
  const numberOrNull = (column: string): number | null =>
    text(column) === '' ? null : number(column);
  return { text, number, numberOrNull, columns: header };
}
