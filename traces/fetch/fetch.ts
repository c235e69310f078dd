import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { InputError } from '../../sim/errors.ts';
import type { CatalogEntry, CatalogFile } from '../catalog/index.ts';
import { systemError } from '../container/file.ts';
import { download, type Fetched, realWait, type TransferOptions } from './download.ts';
import { dispatcherFor, type Environment } from './proxy.ts';
import { type UnpackedFile, unpack } from './unpack.ts';

/** How a trace is fetched. */
export interface FetchOptions {
  /** Folder in which the folder of the trace is made. */
  readonly out: string;
  /** Where the files are instead, each by its name; null for where the catalog says. */
  readonly baseUrl: string | null;
  readonly env: Environment;
  /** Tries of a file without progress before it is given up: 6 by default. */
  readonly tries?: number;
  readonly signal: AbortSignal;
  readonly progress: FetchProgress;
  /** Waits between tries; by the clock by default. */
  readonly wait?: (seconds: number) => Promise<void>;
}

/** Told how a fetch goes. */
export interface FetchProgress {
  /** A file begins. */
  file(name: string): void;
  /** So many bytes of it are there; `total` is null where nobody knows. */
  bytes(done: number, total: number | null): void;
  /** Something to know: a try that failed, a file that was there. */
  line(text: string): void;
}

/** A file of a trace that is there now. */
export interface FetchedFile extends Fetched {
  readonly path: string;
  readonly url: string;
  /** What was unpacked of it. */
  readonly unpacked: readonly UnpackedFile[];
}

/** What a fetch did. */
export interface FetchReport {
  readonly name: string;
  readonly folder: string;
  readonly licence: string;
  readonly cite: string;
  readonly files: readonly FetchedFile[];
}

const TRIES = 6;

/** The address of a file: in the catalog, or below another one. */
function addressOf({ name, url }: CatalogFile, baseUrl: string | null): string {
  if (baseUrl === null) return url;
  const base = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (base === null || !/^https?:$/.test(base.protocol)) {
    const detail = `expected an address like https://host/folder, found '${baseUrl}'`;
    throw new InputError('--base-url', null, null, detail);
  }
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  return new URL(encodeURIComponent(name), base).href;
}

/**
 * Fetches all files of a trace into a folder, verifies them and unpacks what is to be unpacked. Files that
 * are there already are kept.
 * @throws {InputError} when one cannot be fetched or is not what it should be; and whatever ends the signal
 */
export async function fetchTrace(
  entry: CatalogEntry,
  { out, baseUrl, env, tries = TRIES, signal, progress, wait = realWait(signal) }: FetchOptions,
): Promise<FetchReport> {
  const folder = path.join(out, entry.folder);
  const dispatcher = dispatcherFor(env);
  const options: TransferOptions = {
    dispatcher,
    env,
    tries,
    wait,
    signal,
    progress: (bytes, total) => {
      progress.bytes(bytes, total);
    },
    notice: (line) => {
      progress.line(line);
    },
  };
  const files: FetchedFile[] = [];
  try {
    await mkdir(folder, { recursive: true });
    for (const file of entry.files) {
      signal.throwIfAborted();
      const url = addressOf(file, baseUrl);
      const target = path.join(folder, file.name);
      progress.file(file.name);
      const fetched = await download({ ...file, url, target }, options);
      const unpacked =
        file.unpack === null ? [] : await unpack(target, folder, file.unpack, signal);
      files.push({ path: target, url, ...fetched, unpacked });
    }
  } catch (error) {
    if (signal.aborted || !isSystemError(error)) throw error;
    throw systemError(folder, error);
  } finally {
    await dispatcher.destroy();
  }
  const { name, licence, cite } = entry;
  return { name, folder, licence, cite, files };
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
