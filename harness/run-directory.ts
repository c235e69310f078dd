import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { threadId } from 'node:worker_threads';
import type { Summary } from '../sim/result.ts';
import { readableJson } from './canonical.ts';
import type { RunRecord, StoredRun } from './run-record.ts';

/** Folders whose name starts so are unfinished: never a run. */
const TEMPORARY_PREFIX = '.unfinished-';

/** Folder of a run below the output folder: label and seed for people, the id for certainty. */
export function runDirectoryName(label: string, seed: number, id: string): string {
  const safe = label.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+|-+$/g, '');
  return `${safe === '' ? 'policy' : safe.slice(0, 80)}-s${seed}-${id}`;
}

/** Writes the text pieces to a new file and forces them to disk. */
export function writeWhole(file: string, pieces: Iterable<string>): void {
  const descriptor = openSync(file, 'wx');
  try {
    for (const piece of pieces) writeSync(descriptor, piece);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Replaces a file in one step, so that a reader sees the old or the new content, never a part. */
export function replaceFile(file: string, content: string | Uint8Array): void {
  const temporary = path.join(
    path.dirname(file),
    `${TEMPORARY_PREFIX}${path.basename(file)}-${process.pid}`,
  );
  const descriptor = openSync(temporary, 'w');
  try {
    if (typeof content === 'string') writeSync(descriptor, content);
    else writeSync(descriptor, content);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(temporary, file);
}

/**
 * A run directory in the making. Files are written below `path`, which has a temporary name;
 * `commit` gives it its own, so a run that exists is whole. `discard` removes it.
 */
export class RunDirectory {
  readonly path: string;
  readonly #target: string;
  readonly #open: { close(): void }[] = [];

  constructor(out: string, name: string) {
    mkdirSync(out, { recursive: true });
    this.#target = path.join(out, name);
    this.path = path.join(out, `${TEMPORARY_PREFIX}${name}-${process.pid}-${threadId}`);
    rmSync(this.path, { recursive: true, force: true });
    mkdirSync(this.path);
  }

  writeJson(name: string, value: unknown): void {
    writeWhole(path.join(this.path, name), [readableJson(value)]);
  }

  writeText(name: string, pieces: Iterable<string>): void {
    writeWhole(path.join(this.path, name), pieces);
  }

  /** Closes a file that is still being written when the directory is done with, either way. */
  add<T extends { close(): void }>(file: T): T {
    this.#open.push(file);
    return file;
  }

  #closeAll(): void {
    for (const file of this.#open.splice(0)) file.close();
  }

  /** Gives the directory its name; one that exists under it is replaced. */
  commit(): void {
    this.#closeAll();
    const old = `${this.path}-replaced`;
    if (existsSync(this.#target)) renameSync(this.#target, old);
    renameSync(this.path, this.#target);
    rmSync(old, { recursive: true, force: true });
  }

  discard(): void {
    this.#closeAll();
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Removes what this process left unfinished below `out` (threads that were ended at once). */
export function removeUnfinished(out: string, names: Iterable<string>): void {
  for (const name of names) {
    rmSync(path.join(out, name), { recursive: true, force: true });
  }
}

/** Whether a name in an output folder is an unfinished directory or file of this process. */
export function isUnfinishedHere(name: string): boolean {
  return name.startsWith(TEMPORARY_PREFIX) && new RegExp(`-${process.pid}(-|$)`).test(name);
}

/**
 * Reads a finished run back, or null when there is none with this id, made by this program.
 * Infinite numbers come back as the words that JSON holds for them.
 */
export function readRun(
  directory: string,
  id: string,
  program: string,
  withTimeline = false,
): StoredRun | null {
  const read = (name: string): unknown => {
    try {
      return JSON.parse(readFileSync(path.join(directory, name), 'utf8'));
    } catch {
      return null;
    }
  };
  const record = read('run.json') as RunRecord | null;
  const summary = read('summary.json') as Summary | null;
  if (record === null || summary === null) return null;
  if (record.id !== id || record.program !== program) return null;
  return withTimeline && !existsSync(path.join(directory, 'gpus.csv')) ? null : { record, summary };
}
