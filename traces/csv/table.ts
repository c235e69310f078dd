import { pipeline, Readable } from 'node:stream';
import { CsvError, type Options, Parser } from 'csv-parse';
import { InputError, nearest } from '../../sim/errors.ts';
import type { ByteSource } from './byte-source.ts';
import { quoted } from './row.ts';

/** Longest record in bytes: a stray quote must not swallow a whole file into memory. */
const RECORD_LIMIT_BYTES = 128_000;
const LINE_ENDS = /\r\n|\n|\r/g;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** A record with its place in the file. */
export interface TableRecord {
  readonly cells: readonly string[];
  /** Line on which it starts; 1 is the first of the file. */
  readonly line: number;
  /** Whether a line end follows: false only for the last record of a file that ends without one. */
  readonly ended: boolean;
}

type Place = Omit<TableRecord, 'ended'>;

/**
 * The parser, giving the records of a chunk together and with their lines: one stream event a record, or
 * the text of each to count line ends in, would take longer than the parsing.
 */
class PlacedRecords extends Parser {
  #batch: Place[] = [];
  #lastLine = 0;
  #blankLines = 0;
  /** What the parser's count of lines is too high by: it takes CRLF in quotes for two line ends. */
  #excess = 0;
  /** Whether cells without text are none: separators that follow each other are one. */
  readonly #onlyText: boolean;

  constructor(options: Options, onlyText: boolean) {
    super(options);
    this.#onlyText = onlyText;
  }

  override push(record: readonly string[] | null): boolean {
    if (record === null) return super.push(null);
    const line = this.#lastLine + 1 + this.info.empty_lines - this.#blankLines;
    this.#blankLines = this.info.empty_lines;
    this.#lastLine = this.info.lines - this.#excess;
    if (this.#lastLine !== line) {
      // There are line ends within cells.
      let within = 0;
      for (const cell of record) within += cell.match(LINE_ENDS)?.length ?? 0;
      this.#lastLine = line + within;
      this.#excess = this.info.lines - this.#lastLine;
    }
    const cells = this.#onlyText ? record.filter((cell) => cell !== '') : record;
    if (cells.length > 0) this.#batch.push({ cells, line });
    return true;
  }

  #give(callback: (error?: Error | null) => void): (error?: Error | null) => void {
    return (error) => {
      const batch = this.#batch;
      this.#batch = [];
      if (batch.length > 0) super.push(batch);
      callback(error);
    };
  }

  override _transform(
    chunk: Buffer,
    encoding: BufferEncoding,
    callback: (error?: Error | null) => void,
  ): void {
    super._transform(chunk, encoding, this.#give(callback));
  }

  override _flush(callback: (error?: Error | null) => void): void {
    super._flush(this.#give(callback));
  }

  /** Number of a line that the parser counted. */
  lineOf(counted: number): number {
    return counted - this.#excess;
  }
}

function syntaxError(path: string, parser: PlacedRecords, error: unknown): unknown {
  if (!(error instanceof CsvError)) return error;
  const { lines } = error as unknown as { readonly lines?: number };
  const details: Record<string, string> = {
    CSV_INVALID_CLOSING_QUOTE: 'text after the closing quote of a cell; double a quote to keep it',
    CSV_QUOTE_NOT_CLOSED: 'a quote is opened and never closed',
    CSV_MAX_RECORD_SIZE: `a record is longer than ${RECORD_LIMIT_BYTES} bytes; is a quote left open?`,
    INVALID_OPENING_QUOTE: 'a quote inside a cell that does not start with one',
  };
  const detail = details[error.code] ?? error.message.toLowerCase();
  return new InputError(path, lines === undefined ? null : parser.lineOf(lines), null, detail);
}

/** How the cells of a table are written. */
export interface TableSyntax {
  /** What separates cells; `whitespace` is any run of blanks and tabs, also around the line. */
  readonly delimiter?: ',' | '\t' | 'whitespace';
  /** Whether cells may be in double quotes: by default those of `,` only. */
  readonly quote?: boolean;
}

const DELIMITERS = { ',': ',', '\t': '\t', whitespace: [' ', '\t'] };

/**
 * The records of a table, header included, one at a time in constant memory. Takes a byte order mark,
 * any line ends, blank lines and a missing final newline. Broken quoting is an `InputError`, not a bad
 * row: after it nobody knows where the next row starts.
 */
export async function* readRecords(
  source: ByteSource,
  { delimiter = ',', quote = delimiter === ',' }: TableSyntax = {},
): AsyncGenerator<TableRecord> {
  const options: Options = {
    delimiter: DELIMITERS[delimiter],
    quote: quote ? '"' : null,
    bom: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: RECORD_LIMIT_BYTES,
  };
  const parser = new PlacedRecords(options, delimiter === 'whitespace');
  let lastByte = LINE_FEED;
  async function* watched() {
    for await (const chunk of source.chunks()) {
      lastByte = chunk.at(-1) ?? lastByte;
      yield chunk;
    }
  }
  // The parser is destroyed with the source's error and so the loop below throws it.
  pipeline(Readable.from(watched()), parser, () => undefined);
  let held: Place | null = null;
  try {
    for await (const batch of parser as AsyncIterable<readonly Place[]>) {
      for (const record of batch) {
        if (held !== null) yield { cells: held.cells, line: held.line, ended: true };
        held = record;
      }
    }
  } catch (error) {
    throw syntaxError(source.path, parser, error);
  }
  if (held === null) return;
  yield { ...held, ended: lastByte === LINE_FEED || lastByte === CARRIAGE_RETURN };
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
