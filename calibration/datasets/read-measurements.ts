import { type Dirent, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { InputError } from '../../sim/errors.ts';
import type { MeasurementTable } from '../measurement.ts';
import { readTextFile } from '../yaml.ts';
import { headerOf } from './csv.ts';
import { detectFormat, formatNamed, unknownFormat } from './formats.ts';
import type { FileHead, MeasurementFormat } from './importer.ts';
import type { MeasurementOptions } from './options.ts';
import { TableBuilder } from './table-builder.ts';

/** How `readMeasurements` reads. */
export interface ReadMeasurementsOptions {
  /** Name of a format; `auto`, the default, recognises each file by its content. */
  readonly format?: string;
  readonly options?: MeasurementOptions;
}

/** Kinds of file in a folder of measurements that may hold some. */
const DATA_FILE = /\.(?:csv|json|jsonl)$/i;
/** Folders within folders are looked into this far. */
const MAX_DEPTH = 4;

interface Candidate {
  readonly path: string;
  /** Whether it came from a folder: then it may be in no known format. */
  readonly fromFolder: boolean;
}

/**
 * Reads measurement files, and folders of them, into one table. A file that is named must be in a
 * known format; of a folder, files in none are left out and the report says so.
 *
 * @throws {InputError} with file, line and column of the first thing that is wrong
 */
export function readMeasurements(
  paths: readonly string[],
  { format = 'auto', options }: ReadMeasurementsOptions = {},
): MeasurementTable {
  const named = format === 'auto' ? null : formatNamed(format, 'format');
  const builder = new TableBuilder(options);
  const groups = new Map<MeasurementFormat, string[]>();
  for (const candidate of candidates(paths)) {
    const found = formatOf(candidate, named);
    if (found === null) {
      builder.assume(`${path.basename(candidate.path)} left out: in no known format`);
      continue;
    }
    groups.set(found, [...(groups.get(found) ?? []), candidate.path]);
  }
  if (groups.size === 0) {
    const detail = 'expected measurement files, found none in a known format';
    throw new InputError(paths[0] ?? 'measurements', null, null, detail);
  }
  for (const [found, files] of groups) found.read(builder, files);
  const table = builder.table();
  if (table.rows.length > 0) return table;
  const reasons = Object.entries(table.report.dropped).map(([why, count]) => `${why}: ${count}`);
  const detail = `expected measurements, found none that can be kept (${reasons.join('; ')})`;
  throw new InputError(table.report.files[0] ?? 'measurements', null, null, detail);
}

function formatOf(
  { path: file, fromFolder }: Candidate,
  named: MeasurementFormat | null,
): MeasurementFormat | null {
  const text = readTextFile(file);
  const head: FileHead = { path: file, text, header: headerOf(text) };
  if (named !== null) return !fromFolder || named.detect(head) ? named : null;
  const found = detectFormat(head);
  if (found === null && !fromFolder) throw unknownFormat(head);
  return found;
}

function candidates(paths: readonly string[]): Candidate[] {
  const seen = new Set<string>();
  const result: Candidate[] = [];
  const take = (file: string, fromFolder: boolean): void => {
    if (seen.has(path.resolve(file))) return;
    seen.add(path.resolve(file));
    result.push({ path: file, fromFolder });
  };
  for (const given of paths) {
    if (isFolder(given)) for (const file of filesIn(given, MAX_DEPTH)) take(file, true);
    else take(given, false);
  }
  return result;
}

function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function filesIn(folder: string, depth: number): string[] {
  const entries = entriesOf(folder);
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) return depth > 1 ? filesIn(full, depth - 1) : [];
    return DATA_FILE.test(entry.name) ? [full] : [];
  });
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InputError(folder, null, null, `cannot be read: ${reason}`);
  }
}
