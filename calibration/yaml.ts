import { readFileSync } from 'node:fs';
import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { InputError } from '../sim/errors.ts';
import { findingsOf } from './schema-findings.ts';

/** Steps from the top of a document to a value: keys of mappings, indices of lists. */
export type YamlPath = readonly PropertyKey[];

/**
 * An error about the value at a path, or about the nearest part of it that exists; `onKey` points
 * at the last key of the path and not at its value.
 */
export type ErrorAt = (path: YamlPath, detail: string, onKey?: boolean) => InputError;

/** A value read from YAML or JSON that still knows where each part of it stands. */
export interface YamlSource<T> {
  readonly value: T;
  readonly file: string;
  readonly errorAt: ErrorAt;
}

/** Larger files are refused: no input that people write is near this size. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Aliases may not multiply a document into more than this many copies of a part. */
const MAX_ALIASES = 100;

/**
 * Parses YAML 1.2 (JSON is a part of it) and checks it against a schema. Custom tags, duplicate
 * keys and bombs of aliases are refused.
 *
 * @throws {InputError} with file, line and column of the first thing that is wrong
 */
export function parseYamlSource<S extends z.ZodType>(
  text: string,
  file: string,
  schema: S,
): YamlSource<z.output<S>> {
  const lines = new LineCounter();
  const errorAtOffset = (offset: number, detail: string): InputError => {
    const { line, col } = lines.linePos(offset);
    return new InputError(file, line, col, detail);
  };
  let document: Document.Parsed;
  let raw: unknown;
  try {
    document = parseDocument(text, { lineCounter: lines, prettyErrors: false, schema: 'core' });
    const [problem] = [...document.errors, ...document.warnings];
    if (problem !== undefined) throw errorAtOffset(problem.pos[0], lowerFirst(problem.message));
    raw = document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    if (error instanceof InputError) throw error;
    // The parser recurses: a file of a million brackets overflows the stack.
    const reason = error instanceof Error ? lowerFirst(error.message) : String(error);
    throw new InputError(file, null, null, `not readable as YAML: ${reason}`);
  }
  const errorAt: ErrorAt = (path, detail, onKey = false) => {
    const place = path.map(String).join('.');
    const offset = offsetOf(document, path, onKey);
    return errorAtOffset(offset, place === '' ? detail : `${place}: ${detail}`);
  };
  const parsed = schema.safeParse(raw);
  if (parsed.success) return { value: parsed.data, file, errorAt };

  const findings = findingsOf(parsed.error.issues, schema, raw);
  const errors = findings.map(({ path, detail, onKey }) => errorAt(path, detail, onKey));
  errors.sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
  const [first] = errors;
  if (first === undefined) throw new InputError(file, null, null, parsed.error.message);
  if (errors.length === 1) throw first;
  const more = `${first.detail} (and ${errors.length - 1} more)`;
  throw new InputError(file, first.line, first.column, more);
}

/** The checked value alone of `parseYamlSource`. */
export function parseYaml<S extends z.ZodType>(text: string, file: string, schema: S): z.output<S> {
  return parseYamlSource(text, file, schema).value;
}

/** Reads and parses a file with `parseYamlSource`. @throws {InputError} */
export function readYamlSource<S extends z.ZodType>(
  path: string,
  schema: S,
): YamlSource<z.output<S>> {
  return parseYamlSource(readTextFile(path), path, schema);
}

/** Reads a YAML or JSON file and checks it against a schema. @throws {InputError} */
export function parseYamlFile<S extends z.ZodType>(path: string, schema: S): z.output<S> {
  return readYamlSource(path, schema).value;
}

/**
 * The text of a file that a user named.
 *
 * @throws {InputError} when there is none, when it is a folder, too large, or not UTF-8 text
 */
export function readTextFile(path: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new InputError(path, null, null, readFailure(error));
  }
  if (bytes.length > MAX_BYTES) {
    const found = `found ${bytes.length} bytes, expected at most ${MAX_BYTES}`;
    throw new InputError(path, null, null, found);
  }
  const text = decodeUtf8(bytes);
  if (text === null || text.includes('\u0000')) {
    throw new InputError(path, null, null, 'expected UTF-8 text, found a binary file');
  }
  return text;
}

function decodeUtf8(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function readFailure(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENOENT') return 'no such file';
  if (code === 'EISDIR') return 'expected a file, found a folder';
  if (code === 'EACCES') return 'no permission to read the file';
  return `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
}

/** Where the value at a path, or the nearest ancestor that exists, begins in the text. */
function offsetOf(document: Document.Parsed, path: YamlPath, onKey: boolean): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const sub = path.slice(0, length);
    if (onKey && length === path.length && length > 0) {
      const offset = keyOffset(document.getIn(sub.slice(0, -1), true), sub.at(-1));
      if (offset !== null) return offset;
    }
    const node = length === 0 ? document.contents : document.getIn(sub, true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

function keyOffset(node: unknown, name: PropertyKey | undefined): number | null {
  if (!isMap(node) || name === undefined) return null;
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(name));
  return isScalar(pair?.key) && pair.key.range ? pair.key.range[0] : null;
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}
