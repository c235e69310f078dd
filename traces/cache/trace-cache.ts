import { createHash, randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { JobColumns } from '../columns/job-columns.ts';
import { columnsBehind, jobsOf } from '../columns/jobs-view.ts';
import { addressOf, type CompanionUse, fileFingerprint, tableBeside } from '../csv/byte-source.ts';
import type { InputFile } from '../report.ts';
import type { ImportedTrace } from '../workload.ts';
import { codeVersion } from './code-version.ts';
import { readColumns, writeColumns } from './columns-file.ts';

/** Where imported traces are kept. */
export interface CacheOptions {
  readonly dir: string;
  /** Smaller files are not kept, as reading them takes no time: 1 MiB by default. */
  readonly minBytes?: number;
  /** The oldest kept traces go when all together take more: 4 GiB by default. */
  readonly maxBytes?: number;
  /** Told, in a line, when something kept could not be used or kept. */
  readonly notice?: (line: string) => void;
}

const MIN_BYTES = 2 ** 20;
const MAX_BYTES = 4 * 2 ** 30;
const SUFFIX = '.trace';
const PART = /\.part$/;
/** Parts older than this were left by a process that ended. */
const STALE_PART_MS = 3_600_000;

/** What an import depends on besides the content of its files. */
export type CacheQuestion = Readonly<Record<string, unknown>>;

/** An import with the other files that it asked for. */
export interface KeptImport {
  readonly trace: ImportedTrace;
  readonly companions: readonly CompanionUse[];
}

/** What is kept beside the jobs. */
interface About {
  readonly trace: Omit<ImportedTrace, 'jobs'>;
  readonly companions: readonly CompanionUse[];
}

/** Whether a file read along with `file` is what it was; content decides, not dates. */
async function isSame(file: string, use: CompanionUse): Promise<boolean> {
  const { name, where, file: was } = use;
  switch (where) {
    case 'archive':
      return true;
    case 'beside': {
      const beside = await tableBeside(file, name);
      if (beside === null || was === null) return beside === was;
      return isDeepStrictEqual(await fileFingerprint(beside), was);
    }
    case 'path':
      return isDeepStrictEqual(await fileFingerprint(name), was);
  }
}

/**
 * Imported traces as binary files, each named by a hash of all that the import depends on: the content of
 * the input (SHA-256), its name, the options, and the code that reads traces. Nothing is looked up by date
 * or size. A file that is damaged or of another version is as good as none.
 */
export class TraceCache {
  readonly #options: CacheOptions;

  constructor(options: CacheOptions) {
    this.#options = options;
  }

  #path(input: InputFile, question: CacheQuestion): string {
    const key = JSON.stringify([codeVersion(), input, question]);
    const name = createHash('sha256').update(key).digest('hex').slice(0, 40);
    return path.join(this.#options.dir, `${name}${SUFFIX}`);
  }

  /** Whether a file of this size is kept. */
  keeps({ bytes }: InputFile): boolean {
    return bytes >= (this.#options.minBytes ?? MIN_BYTES);
  }

  /** What was kept of the import of this file, if the tables next to it are the same; else null. */
  async find(input: InputFile, question: CacheQuestion): Promise<ImportedTrace | null> {
    const file = this.#path(input, question);
    if (!existsSync(file)) return null;
    try {
      const { columns, about } = readColumns(file);
      const { trace, companions } = about as About;
      const { file: beside } = addressOf(input.path);
      for (const use of companions) if (!(await isSame(beside, use))) return null;
      const now = new Date();
      utimesSync(file, now, now);
      const { report, ...names } = trace;
      return { ...names, jobs: jobsOf(columns), report };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#options.notice?.(`kept trace ${file} cannot be used (${reason}); reading anew`);
      return null;
    }
  }

  /**
   * Keeps an import. Written under another name first, so that a reader finds a whole file or none, and two
   * processes at once both write the same. What goes wrong is told and is no error.
   */
  keep(input: InputFile, question: CacheQuestion, { trace, companions }: KeptImport): void {
    const file = this.#path(input, question);
    const part = `${file}.${process.pid}-${randomUUID()}.part`;
    const { jobs, ...rest } = trace;
    const about: About = { trace: rest, companions };
    try {
      const columns = columnsBehind(jobs) ?? columnsOf(jobs);
      if (columns === null || !isDeepStrictEqual(JSON.parse(JSON.stringify(about)), about)) return;
      mkdirSync(this.#options.dir, { recursive: true });
      writeColumns(part, columns, about);
      renameSync(part, file);
      this.#makeRoom();
    } catch (error) {
      if (existsSync(part)) rmSync(part, { force: true });
      const reason = error instanceof Error ? error.message : String(error);
      this.#options.notice?.(`trace not kept in ${this.#options.dir} (${reason})`);
    }
  }

  /** Removes the traces used longest ago, and what ended processes left, until all take little enough. */
  #makeRoom(): void {
    const { dir, maxBytes = MAX_BYTES } = this.#options;
    const files = readdirSync(dir)
      .filter((name) => name.endsWith(SUFFIX) || PART.test(name))
      .flatMap((name) => {
        const file = path.join(dir, name);
        const stat = statSync(file, { throwIfNoEntry: false });
        return stat === undefined ? [] : [{ file, bytes: stat.size, usedMs: stat.mtimeMs }];
      })
      .toSorted((a, b) => b.usedMs - a.usedMs);
    let bytes = 0;
    for (const [rank, { file, bytes: size, usedMs }] of files.entries()) {
      if (PART.test(file)) {
        if (Date.now() - usedMs > STALE_PART_MS) rmSync(file, { force: true });
        continue;
      }
      bytes += size;
      if (bytes > maxBytes && rank > 0) rmSync(file, { force: true });
    }
  }
}

/** Columns of jobs that are objects; null when an id occurs twice, as columns cannot keep that. */
function columnsOf(jobs: ImportedTrace['jobs']): JobColumns | null {
  const columns = new JobColumns();
  for (const job of jobs) if (!columns.push(job)) return null;
  return columns;
}
