import { InputError } from '../../sim/errors.ts';
import type { ByteSource } from '../csv/byte-source.ts';
import { quoted } from '../csv/row.ts';

/** Longest element: a bracket left open must not swallow a whole file into memory. */
const ELEMENT_LIMIT_BYTES = 4 * 1024 * 1024;
const TOO_LONG = `this object is longer than ${ELEMENT_LIMIT_BYTES} bytes; is it closed?`;
const DEPTH_LIMIT = 64;

const LINE_FEED = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const SPACE = 0x20;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** An object of a list with its place in the file. */
export interface JsonElement {
  readonly value: Readonly<Record<string, unknown>>;
  /** Where it starts: 1 is the first line, 1 the first byte of a line. */
  readonly line: number;
  readonly column: number;
}

/** What must come next. `within` is inside an element. */
type State = 'list' | 'first' | 'element' | 'within' | 'after' | 'end';

const EXPECTED: Readonly<Record<Exclude<State, 'within'>, string>> = {
  list: "a list of objects, which starts with '['",
  first: "an object, which starts with '{', or ']'",
  element: "an object, which starts with '{'",
  after: "',' or ']' after an object",
  end: 'nothing after the list',
};

function isBlank(byte: number): boolean {
  return byte === SPACE || byte === LINE_FEED || byte === 0x0d || byte === 0x09;
}

/** Finds where the elements of a list start and end; what is in them is left to `JSON.parse`. */
class Scanner {
  readonly #path: string;
  state: State = 'list';
  line = 1;
  /** Byte of the file at which the line starts. */
  #lineOffset = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** Byte of the file at which the chunk starts. */
  #offset = 0;
  startLine = 1;
  startColumn = 1;

  constructor(path: string) {
    this.#path = path;
  }

  fail(detail: string, column: number | null): never {
    throw new InputError(this.#path, this.line, column, detail);
  }

  failElement(detail: string): never {
    throw new InputError(this.#path, this.startLine, this.startColumn, detail);
  }

  /**
   * Goes on at `from` to where an element starts or ends, or to the end of the chunk. Gives the index of
   * its first byte, or of the byte after its last.
   */
  scan(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (this.state === 'within') {
        if (this.#within(byte, at)) return at + 1;
      } else if (byte === LINE_FEED) {
        this.#newLine(at);
      } else if (!isBlank(byte) && !this.#isMark(byte, at)) {
        if (this.#between(byte, at)) return at;
      }
    }
    return chunk.length;
  }

  /** Told after a chunk, of which `scan` has seen all. */
  advance(bytes: number): void {
    this.#offset += bytes;
  }

  /** Whether the byte belongs to a byte order mark. */
  #isMark(byte: number, at: number): boolean {
    const place = this.#offset + at;
    if (this.state !== 'list' || byte !== BYTE_ORDER_MARK[place]) return false;
    this.#lineOffset = place + 1;
    return true;
  }

  #newLine(at: number): void {
    this.line += 1;
    this.#lineOffset = this.#offset + at + 1;
  }

  #column(at: number): number {
    return this.#offset + at - this.#lineOffset + 1;
  }

  /** Whether the byte ends the element. */
  #within(byte: number, at: number): boolean {
    if (this.#inString) {
      if (byte < SPACE) {
        this.fail('a line end or control character in a text; is its quote closed?', null);
      }
      if (this.#escaped) this.#escaped = false;
      else if (byte === BACKSLASH) this.#escaped = true;
      else if (byte === QUOTE) this.#inString = false;
      return false;
    }
    switch (byte) {
      case QUOTE:
        this.#inString = true;
        return false;
      case LINE_FEED:
        this.#newLine(at);
        return false;
      case OPEN_OBJECT:
      case OPEN_LIST:
        this.#depth += 1;
        if (this.#depth > DEPTH_LIMIT) {
          this.fail(`brackets nested more than ${DEPTH_LIMIT} deep`, this.#column(at));
        }
        return false;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        this.#depth -= 1;
        if (this.#depth > 0) return false;
        this.state = 'after';
        return true;
      default:
        return false;
    }
  }

  /** Whether the byte starts an element. */
  #between(byte: number, at: number): boolean {
    const { state } = this;
    if (byte === OPEN_OBJECT && (state === 'first' || state === 'element')) {
      this.state = 'within';
      this.startLine = this.line;
      this.startColumn = this.#column(at);
      return true;
    }
    if (byte === OPEN_LIST && state === 'list') this.state = 'first';
    else if (byte === COMMA && state === 'after') this.state = 'element';
    else if (byte === CLOSE_LIST && (state === 'after' || state === 'first')) this.state = 'end';
    else if (state !== 'within') {
      const found = quoted(String.fromCharCode(byte));
      this.fail(`expected ${EXPECTED[state]}, found ${found}`, this.#column(at));
    }
    return false;
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function parsed(path: string, parts: readonly Buffer[], scanner: Scanner): JsonElement {
  const { startLine: line, startColumn: column } = scanner;
  const [only] = parts;
  const bytes = parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw new InputError(path, line, column, 'is not UTF-8 text');
  }
  try {
    return { value: JSON.parse(text) as JsonElement['value'], line, column };
  } catch (error) {
    const detail = `this object is not JSON: ${(error as Error).message}`;
    throw new InputError(path, line, column, detail);
  }
}

/**
 * The objects in a file that is one JSON list of objects, one at a time and in the memory of one. What is
 * not JSON is an `InputError` rather than a bad row: after it nobody knows where the next object starts.
 */
export async function* arrayElements(source: ByteSource): AsyncGenerator<JsonElement> {
  const { path } = source;
  const scanner = new Scanner(path);
  let parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of source.chunks()) {
    for (let at = 0; at < chunk.length; ) {
      const inside = scanner.state === 'within';
      const next = scanner.scan(chunk, at);
      if (inside) {
        parts.push(chunk.subarray(at, next));
        size += next - at;
        if (size > ELEMENT_LIMIT_BYTES) scanner.failElement(TOO_LONG);
        if (scanner.state === 'after') {
          yield parsed(path, parts, scanner);
          parts = [];
          size = 0;
        }
      }
      at = next;
    }
    scanner.advance(chunk.length);
  }
  if (scanner.state === 'list') throw new InputError(path, null, null, 'is empty');
  if (scanner.state !== 'end') scanner.fail("is cut off: the list is not closed with ']'", null);
}
