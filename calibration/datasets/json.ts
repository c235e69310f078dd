import { InputError } from '../../sim/errors.ts';
import { quoted } from './quantity.ts';

/** A value of a JSON file that knows where it stands. */
export interface JsonNode {
  /** A number may be NaN, as Python writes it. */
  readonly value: string | number | boolean | null | JsonNode[] | ReadonlyMap<string, JsonNode>;
  readonly line: number;
  readonly column: number;
}

const MAX_DEPTH = 32;
const NUMBER = /-?(?:\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|Infinity)|NaN/y;
const STRING = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy;
const BLANKS = /[ \t\r\n]*/y;
const WORDS: readonly (readonly [string, boolean | null])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

/**
 * Parses JSON as Python writes it (NaN among the numbers), keeping places.
 *
 * @param firstLine number of the line that the text begins with
 * @throws {InputError} for anything else, and for a key that occurs twice in an object
 */
export function parseJson(text: string, file: string, firstLine = 1): JsonNode {
  const reader = new JsonReader(text, file, firstLine);
  return reader.document();
}

class JsonReader {
  readonly #text: string;
  readonly #file: string;
  #at = 0;
  #line: number;
  #lineStart = 0;

  constructor(text: string, file: string, firstLine: number) {
    this.#text = text;
    this.#file = file;
    this.#line = firstLine;
  }

  document(): JsonNode {
    const node = this.#node(0);
    this.#skip();
    if (this.#at < this.#text.length) throw this.#error('expected the end of the file');
    return node;
  }

  #error(expected: string): InputError {
    const rest = this.#text.slice(this.#at, this.#at + 20).split(/[\r\n]/)[0] ?? '';
    const end = this.#at >= this.#text.length;
    const found = end ? 'the end of the file' : quoted(rest);
    return new InputError(this.#file, this.#line, this.#column(), `${expected}, found ${found}`);
  }

  #column(): number {
    return this.#at - this.#lineStart + 1;
  }

  #skip(): void {
    BLANKS.lastIndex = this.#at;
    const [blanks = ''] = BLANKS.exec(this.#text) ?? [];
    for (let i = blanks.indexOf('\n'); i >= 0; i = blanks.indexOf('\n', i + 1)) {
      this.#line += 1;
      this.#lineStart = this.#at + i + 1;
    }
    this.#at += blanks.length;
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    if (found === undefined) return null;
    this.#at += found.length;
    return found;
  }

  #take(mark: string): boolean {
    this.#skip();
    if (!this.#text.startsWith(mark, this.#at)) return false;
    this.#at += mark.length;
    return true;
  }

  #node(depth: number): JsonNode {
    if (depth > MAX_DEPTH) throw this.#error(`expected at most ${MAX_DEPTH} levels`);
    this.#skip();
    const place = { line: this.#line, column: this.#column() };
    if (this.#take('{')) return { value: this.#object(depth), ...place };
    if (this.#take('[')) return { value: this.#list(depth), ...place };
    for (const [word, value] of WORDS) if (this.#take(word)) return { value, ...place };
    if (this.#text[this.#at] === '"') return { value: this.#string(), ...place };
    const number = this.#match(NUMBER);
    if (number !== null) return { value: Number(number), ...place };
    throw this.#error('expected a JSON value');
  }

  #string(): string {
    const text = this.#match(STRING);
    if (text === null) throw this.#error('expected a text in double quotes');
    return JSON.parse(text) as string;
  }

  #object(depth: number): Map<string, JsonNode> {
    const entries = new Map<string, JsonNode>();
    if (this.#take('}')) return entries;
    do {
      this.#skip();
      if (this.#text[this.#at] !== '"') throw this.#error('expected a key in double quotes');
      const place = [this.#line, this.#column()] as const;
      const key = this.#string();
      if (entries.has(key)) {
        throw new InputError(this.#file, ...place, `expected ${quoted(key)} once, found it twice`);
      }
      if (!this.#take(':')) throw this.#error("expected ':'");
      entries.set(key, this.#node(depth + 1));
    } while (this.#take(','));
    if (!this.#take('}')) throw this.#error("expected ',' or '}'");
    return entries;
  }

  #list(depth: number): JsonNode[] {
    const items: JsonNode[] = [];
    if (this.#take(']')) return items;
    do items.push(this.#node(depth + 1));
    while (this.#take(','));
    if (!this.#take(']')) throw this.#error("expected ',' or ']'");
    return items;
  }
}

/** An error about a value of a JSON file. */
export function jsonError(node: JsonNode, file: string, detail: string): InputError {
  return new InputError(file, node.line, node.column, detail);
}

/** The entries of an object. @throws {InputError} when it is none */
export function jsonObject(
  node: JsonNode,
  file: string,
  what: string,
): ReadonlyMap<string, JsonNode> {
  if (node.value instanceof Map) return node.value as ReadonlyMap<string, JsonNode>;
  throw jsonError(node, file, `${what}: expected an object, found ${describe(node)}`);
}

/** The items of a list. @throws {InputError} when it is none */
export function jsonList(node: JsonNode, file: string, what: string): readonly JsonNode[] {
  if (Array.isArray(node.value)) return node.value;
  throw jsonError(node, file, `${what}: expected a list, found ${describe(node)}`);
}

/** What a value is, for a message. */
export function describe({ value }: JsonNode): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'string' ? quoted(value) : String(value);
}
