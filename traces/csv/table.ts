import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { InputError, nearest } from '../../sim/errors.ts';
import type { ByteSource } from './byte-source.ts';
import { quoted } from './row.ts';

/** Longest record in bytes: a stray quote must not swallow a whole file into memory. */
const RECORD_LIMIT_BYTES = 128_000;
const LINE_ENDS = /\r\n|\n|\r/g;
const LEADING_LINE_ENDS = /^(?:\r\n|\n|\r)+/;

/** A record with its place in the file. */
export interface TableRecord {
  readonly cells: readonly string[];
  /** Line on which it starts; 1 is the first of the file. */
  readonly line: number;
  /** Whether a line end follows: false only for the last record of a file that ends without one. */
  readonly ended: boolean;
}

interface RawRecord {
  readonly record: readonly string[];
  readonly raw: string;
}

const countLineEnds = (text: string) => text.match(LINE_ENDS)?.length ?? 0;

function syntaxError(path: string, error: unknown): unknown {
  if (!(error instanceof CsvError)) return error;
  const { lines } = error as unknown as { readonly lines?: number };
  const details: Record<string, string> = {
    CSV_INVALID_CLOSING_QUOTE: 'text after the closing quote of a cell; double a quote to keep it',
    CSV_QUOTE_NOT_CLOSED: 'a quote is opened and never closed',
    CSV_MAX_RECORD_SIZE: `a record is longer than ${RECORD_LIMIT_BYTES} bytes; is a quote left open?`,
    INVALID_OPENING_QUOTE: 'a quote inside a cell that does not start with one',
  };
  const detail = details[error.code] ?? error.message.toLowerCase();
  return new InputError(path, lines ?? null, null, detail);
}

/**
 * The records of a CSV file, header included, one at a time in constant memory. Takes a byte order mark,
 * any line ends, blank lines and a missing final newline. Broken quoting is an `InputError`, not a bad
 * row: after it nobody knows where the next row starts.
 */
export async function* readRecords(source: ByteSource): AsyncGenerator<TableRecord> {
  const parser = parse({
    bom: true,
    raw: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: RECORD_LIMIT_BYTES,
  });
  // The parser is destroyed with the source's error and so the loop below throws it.
  pipeline(Readable.from(source.chunks()), parser, () => undefined);
  let line = 1;
  try {
    for await (const { record, raw } of parser as AsyncIterable<RawRecord>) {
      const blank = LEADING_LINE_ENDS.exec(raw)?.[0] ?? '';
      const start = line + countLineEnds(blank);
      line += countLineEnds(raw);
      yield { cells: record, line: start, ended: raw.endsWith('\n') || raw.endsWith('\r') };
    }
  } catch (error) {
    throw syntaxError(source.path, error);
  }
}

/** The column names in a CSV header line, trimmed. */
export function headerNames(firstLine: string): readonly string[] {
  return firstLine.split(',').map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
}

/** `'a', 'b'` */
export function nameList(names: readonly string[]): string {
  return names.map(quoted).join(', ');
}

/** An error that says which column is missing, which there are, and which was perhaps meant. */
export function missingColumn(
  path: string,
  name: string,
  found: readonly string[],
  note = '',
): InputError {
  const only = found[0] ?? '';
  const separator =
    found.length === 1 ? [';', '\t', '|'].find((mark) => only.includes(mark)) : undefined;
  const near = nearest(name, found);
  const hint =
    separator !== undefined
      ? `; cells must be separated by ',', not ${quoted(separator)}`
      : near === null
        ? ''
        : `; did you mean ${quoted(near)}?`;
  const detail = `column ${quoted(name)} is missing; found: ${nameList(found)}${hint}${note}`;
  return new InputError(path, 1, 1, detail);
}

/** Index of each column by name. A missing required column or one named twice is an `InputError`. */
export function columnIndex(
  path: string,
  header: readonly string[],
  required: readonly string[],
): ReadonlyMap<string, number> {
  const names = header.map((name) => name.trim());
  const index = new Map<string, number>();
  for (const [at, name] of names.entries()) {
    if (name !== '' && index.has(name)) {
      throw new InputError(path, 1, null, `column ${quoted(name)} occurs twice`);
    }
    index.set(name, at);
  }
  for (const name of required) if (!index.has(name)) throw missingColumn(path, name, names);
  return index;
}

/** Where a cell starts in its line, 1 being the first character; right for cells without quotes. */
export function cellColumn(cells: readonly string[], index: number): number {
  let column = 1;
  for (const cell of cells.slice(0, index)) column += cell.length + 1;
  return column;
}
