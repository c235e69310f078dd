import { InputError, nearest } from '../sim/errors.ts';
import { type ByteSource, type FileHead, openByteSource } from './csv/byte-source.ts';
import { quoted } from './csv/row.ts';
import { headerNames, missingColumn } from './csv/table.ts';
import type { Importer, Settings } from './importers/importer.ts';
import * as importers from './importers/index.ts';
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

const names = () => [...FORMATS.keys()].map(quoted).join(', ');

/** The error for a file in no known format; says what is missing for the closest one. */
function unknownFormat(path: string, firstLine: string): InputError {
  const found = headerNames(firstLine);
  const there = new Set(found);
  let closest: Importer | null = null;
  let closestPart = 0;
  for (const importer of FORMATS.values()) {
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
  if (match === undefined) throw unknownFormat(path, head.firstLine);
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

/** Reads a trace from an open source. */
export async function importSource(
  source: ByteSource,
  { format = AUTO_FORMAT, maxBadRows, settings = {} }: ImportOptions = {},
): Promise<ImportedTrace> {
  try {
    const [importer, recognisedBy] =
      format === AUTO_FORMAT
        ? recogniseFormat(source.path, source)
        : [formatNamed(source.path, format), null];
    return await importer.read(source, { settings, maxBadRows: maxBadRows ?? null, recognisedBy });
  } finally {
    source.close();
  }
}

/** Reads a trace file. Anything wrong with it is an `InputError`. */
export async function importTrace(path: string, options?: ImportOptions): Promise<ImportedTrace> {
  return await importSource(await openByteSource(path), options);
}
