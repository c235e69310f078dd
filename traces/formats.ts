import { InputError, nearest } from '../sim/errors.ts';
import { type CacheOptions, type KeptImport, TraceCache } from './cache/trace-cache.ts';
import { tableName } from './container/names.ts';
import {
  type ByteSource,
  type FileHead,
  fileFingerprint,
  filesInFolder,
  openByteSource,
} from './csv/byte-source.ts';
import { quoted } from './csv/row.ts';
import { headerNames, missingColumn } from './csv/table.ts';
import type { Importer, Settings } from './importers/importer.ts';
import * as importers from './importers/index.ts';
import { knownTable } from './no-trace.ts';
import type { InputFile } from './report.ts';
import type { ImportedTrace } from './workload.ts';

/** Every trace format that can be read, by name. */
export const FORMATS: ReadonlyMap<string, Importer> = new Map(
  Object.values(importers).map((importer): [string, Importer] => [importer.name, importer]),
);
export const AUTO_FORMAT = 'auto';

export interface ImportOptions {
  /** Name of a format; `auto`, the default, recognises it by the first line. */
  readonly format?: string;
  /** Bad rows that are still taken; by default 1 % of the rows. */
  readonly maxBadRows?: number;
  /** Options of the importer. */
  readonly settings?: Settings;
}

/** How a file is imported. */
export interface FileImportOptions extends ImportOptions {
  /** Where imports are kept, for the next time; nowhere by default. */
  readonly cache?: CacheOptions | null;
}

const names = () => [...FORMATS.keys()].map(quoted).join(', ');

/** The error for a file in no known format; says what is missing for the closest one. */
function unknownFormat(path: string, head: FileHead): InputError {
  const { firstLine } = head;
  const other = knownTable(head);
  if (other !== null) return new InputError(path, 1, null, `is no trace of jobs but ${other}`);
  const found = headerNames(firstLine);
  const there = new Set(found);
  let closest: Importer | null = null;
  let closestPart = 0;
  for (const importer of FORMATS.values()) {
    if (importer.columns.length === 0) continue;
    const part =
      importer.columns.filter((name) => there.has(name)).length / importer.columns.length;
    if (part <= closestPart) continue;
    closest = importer;
    closestPart = part;
  }
  const missing = closest?.columns.find((name) => !there.has(name));
  if (closest !== null && missing !== undefined && closestPart >= 0.5) {
    return missingColumn(path, missing, found, ` (closest format: ${quoted(closest.name)})`);
  }
  const detail = `format not recognised by the first line ${quoted(firstLine)}; known: ${names()}`;
  return new InputError(path, 1, null, detail);
}

/** The format of a file by how it starts, and how it was recognised. */
export function recogniseFormat(path: string, head: FileHead): [Importer, string] {
  const matches: [Importer, string][] = [];
  for (const importer of FORMATS.values()) {
    const reason = importer.detect(head);
    if (reason !== null) matches.push([importer, reason]);
  }
  const [match] = matches;
  if (match === undefined) throw unknownFormat(path, head);
  if (matches.length === 1) return match;
  const both = matches.map(([importer]) => quoted(importer.name)).join(' and ');
  throw new InputError(path, 1, null, `could be ${both}; name the format`);
}

/** The importer of a format. */
export function formatNamed(path: string, name: string): Importer {
  const importer = FORMATS.get(name);
  if (importer !== undefined) return importer;
  const near = nearest(name, [...FORMATS.keys(), AUTO_FORMAT]);
  const hint = near === null ? '' : `; did you mean ${quoted(near)}?`;
  throw new InputError(
    path,
    null,
    null,
    `unknown format ${quoted(name)}; known: ${names()}${hint}`,
  );
}

/** The importer that is named, or the one that the file starts like and why. */
function importerFor(head: FileHead, format: string): [Importer, string | null] {
  return format === AUTO_FORMAT
    ? recogniseFormat(head.path, head)
    : [formatNamed(head.path, format), null];
}

/** Reads a trace from an open source, and closes it. */
async function readSource(
  source: ByteSource,
  { format = AUTO_FORMAT, maxBadRows, settings = {} }: ImportOptions,
): Promise<KeptImport> {
  try {
    const [importer, recognisedBy] = importerFor(source, format);
    const options = { settings, maxBadRows: maxBadRows ?? null, recognisedBy };
    const trace = await importer.read(source, options);
    const uses = await source.companions();
    const { input } = trace.report;
    // The trace may be in a table next to the one that was named.
    const files = [await source.wholeFingerprint(), ...uses.flatMap(({ file }) => file ?? [])];
    const others = files.filter((file) => file.path !== input?.path);
    if (others.length === 0) return { trace, companions: uses };
    const report = { ...trace.report, companions: others };
    return { trace: { ...trace, report }, companions: uses };
  } finally {
    source.close();
  }
}

/** Reads a trace from an open source, and closes it. */
export async function importSource(
  source: ByteSource,
  options: ImportOptions = {},
): Promise<ImportedTrace> {
  return (await readSource(source, options)).trace;
}

/** Reads a trace file, or what was kept of it. */
async function importFile(path: string, options: FileImportOptions): Promise<ImportedTrace> {
  const { cache, format = AUTO_FORMAT, maxBadRows = null, settings = {} } = options;
  const read = async () => await readSource(await openByteSource(path), options);
  if (cache == null) return (await read()).trace;
  const kept = new TraceCache(cache);
  const input = await fileFingerprint(path);
  if (!kept.keeps(input)) return (await read()).trace;
  const question = { format, maxBadRows, settings: Object.entries(settings).toSorted() };
  const found = await kept.find(input, question);
  if (found !== null) return found;
  const imported = await read();
  const { trace } = imported;
  const files = [trace.report.input, ...(trace.report.companions ?? [])];
  // Someone may have changed the file meanwhile.
  const same = files.some((file) => file?.path === path && file.sha256 === input.sha256);
  if (same) kept.keep(input, question, imported);
  return trace;
}

/** A file in a folder that starts like a trace, and its importer. */
interface FoundTrace {
  readonly path: string;
  readonly importer: Importer;
}

async function tracesIn(folder: string, format: string): Promise<readonly FoundTrace[]> {
  const found: FoundTrace[] = [];
  for (const path of (await filesInFolder(folder)) ?? []) {
    try {
      const source = await openByteSource(path);
      source.close();
      const importers = format === AUTO_FORMAT ? FORMATS.values() : [formatNamed(path, format)];
      for (const importer of importers) {
        if (importer.detect(source) !== null) found.push({ path, importer });
      }
    } catch (error) {
      // A folder may hold anything.
      if (!(error instanceof InputError)) throw error;
    }
  }
  return found;
}

/**
 * The file that a folder stands for: the first in it that is recognised as a trace. The others must be
 * tables that it is read together with.
 * @throws {InputError} when there is none, or when there are several traces
 */
async function fileInFolder(
  folder: string,
  { format = AUTO_FORMAT, settings = {} }: ImportOptions,
): Promise<string> {
  const found = await tracesIn(folder, format);
  const [first] = found;
  if (first === undefined) {
    throw new InputError(folder, null, null, 'is a folder without a trace; name a file');
  }
  const { path, importer } = first;
  const tables = importer.readsAlso?.(settings).tables ?? [];
  const belongs = (other: FoundTrace) =>
    other.importer === importer && tables.includes(tableName(other.path));
  if (found.length > 1 && !found.every(belongs)) {
    const files = found.map((each) => `${quoted(each.path)} (${each.importer.name})`).join(', ');
    throw new InputError(folder, null, null, `holds several traces, name one: ${files}`);
  }
  return path;
}

/** The file that a trace is named by: itself, or the first table in a folder of tables. */
async function fileOf(path: string, options: ImportOptions): Promise<string> {
  return (await filesInFolder(path)) === null ? path : await fileInFolder(path, options);
}

/** Files that a trace may be read together with. */
async function othersOf(
  source: ByteSource,
  { format = AUTO_FORMAT, settings = {} }: ImportOptions,
): Promise<readonly InputFile[]> {
  const [importer] = importerFor(source, format);
  const { tables, paths } = importer.readsAlso?.(settings) ?? { tables: [], paths: [] };
  const others: InputFile[] = [];
  for (const table of tables) {
    const sibling = tableName(source.path) === table ? null : await source.sibling(table);
    sibling?.close();
    if (sibling !== null) others.push(await sibling.wholeFingerprint());
  }
  for (const path of paths) others.push(await fileFingerprint(path));
  return others;
}

/**
 * Fingerprints of the files that a trace may be read from: first the one that it is named by, then the
 * tables next to it and the files that options name. What is wrong with their content is left to the
 * import to say.
 * @throws {InputError} when the file cannot be read at all
 */
export async function traceFiles(
  path: string,
  options: ImportOptions = {},
): Promise<readonly [InputFile, ...InputFile[]]> {
  const file = await fileOf(path, options);
  const fingerprint = await fileFingerprint(file);
  try {
    const source = await openByteSource(file);
    try {
      return [fingerprint, ...(await othersOf(source, options))];
    } finally {
      source.close();
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return [fingerprint];
  }
}

/**
 * Reads a trace file: plain, compressed, in an archive (`ARCHIVE::ENTRY` names one of several files in it),
 * or a folder of its tables. Anything wrong with it is an `InputError`.
 */
export async function importTrace(
  path: string,
  options: FileImportOptions = {},
): Promise<ImportedTrace> {
  return await importFile(await fileOf(path, options), options);
}
