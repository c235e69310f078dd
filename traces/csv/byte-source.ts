import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { InputError } from '../../sim/errors.ts';
import type { InputFile } from '../report.ts';

/** How much of a file formats are recognised by; its first line must end within. */
const HEAD_LIMIT_BYTES = 64 * 1024;
const NEWLINES = /\r\n|\n|\r/;

/** How a file starts: what formats are recognised by. */
export interface FileHead {
  /** As the user named it. */
  readonly path: string;
  /** Without byte order mark and line end. */
  readonly firstLine: string;
  /** The first lines, at most 64 KiB, without byte order mark; the last line may be cut off. */
  readonly text: string;
}

/** A file being read once, front to back; what the importers see of the file system. */
export interface ByteSource extends FileHead {
  /** The whole file, in order, once. Throws `InputError` on binary content and read errors. */
  chunks(): AsyncIterable<Buffer>;
  /** Hash and size of what `chunks` gave: of the whole file once it is exhausted. */
  fingerprint(): InputFile;
  /** Gives the file back; harmless after `chunks` has ended. */
  close(): void;
  /**
   * Opens another table of the same trace: the file next to this one (in its folder or archive) whose
   * name without folder and suffixes (`.csv`, `.gz`, `.tar.gz` ...) is `name`; null when there is none.
   */
  sibling(name: string): Promise<ByteSource | null>;
}

function systemError(path: string, error: unknown): InputError {
  const { code, message } = error as NodeJS.ErrnoException;
  const details: Record<string, string> = {
    ENOENT: 'no such file',
    ENOTDIR: 'no such file: a part of its path is not a folder',
    EISDIR: 'is a folder; expected a file',
    EACCES: 'permission denied',
  };
  return new InputError(path, null, null, details[code ?? ''] ?? `cannot be read: ${message}`);
}

/** What a file that is not text most likely is; null for text. */
function binaryHint(head: Buffer): string | null {
  if (head.length === 0) return 'is empty';
  if (head[0] === 0x1f && head[1] === 0x8b) return 'is gzip-compressed; unpack it first';
  if (head.toString('latin1', 0, 2) === 'PK') return 'is a zip archive; unpack it first';
  if (head.toString('latin1', 0, 4) === 'PAR1') return 'is a Parquet file; expected text';
  const mark = head.length < 2 ? 0 : head.readUInt16BE(0);
  if (mark === 0xfffe || mark === 0xfeff) return 'is UTF-16 text; expected UTF-8';
  if (head.toString('latin1', 0, 24) === 'version https://git-lfs.') {
    return 'is a Git LFS pointer, not the data; fetch the data itself';
  }
  return null;
}

function refuseNul(path: string, chunk: Buffer, offset: number): void {
  const at = chunk.indexOf(0);
  if (at < 0) return;
  const where = `NUL byte at offset ${offset + at}`;
  throw new InputError(path, null, null, `is binary (${where}); expected text`);
}

/**
 * The source over an already open sequence of chunks; `path` only names it. Reads up to the end of the
 * first line.
 */
export async function byteSource(
  path: string,
  input: AsyncIterable<Buffer>,
  close: () => void = () => undefined,
): Promise<ByteSource> {
  const iterator = input[Symbol.asyncIterator]();
  const hash = createHash('sha256');
  let bytes = 0;

  async function next(): Promise<Buffer | null> {
    const step = await iterator.next().catch((error: unknown) => {
      throw systemError(path, error);
    });
    if (step.done === true) return null;
    refuseNul(path, step.value, bytes);
    hash.update(step.value);
    bytes += step.value.length;
    return step.value;
  }

  async function readHead(): Promise<Buffer> {
    let head = Buffer.alloc(0);
    while (head.length < HEAD_LIMIT_BYTES) {
      const step = await iterator.next();
      if (step.done === true) break;
      head = Buffer.concat([head, step.value]);
    }
    return head;
  }

  const head = await readHead().catch((error: unknown) => {
    close();
    throw systemError(path, error);
  });
  try {
    const hint = binaryHint(head);
    if (hint !== null) throw new InputError(path, null, null, hint);
    refuseNul(path, head, 0);
  } catch (error) {
    close();
    throw error;
  }
  hash.update(head);
  bytes += head.length;
  const text = head.toString('utf8', 0, HEAD_LIMIT_BYTES).replace(/^\uFEFF/, '');

  return {
    path,
    firstLine: text.split(NEWLINES, 1)[0] ?? '',
    text,
    async *chunks() {
      yield head;
      for (let chunk = await next(); chunk !== null; chunk = await next()) yield chunk;
    },
    fingerprint: () => ({ path, sha256: hash.copy().digest('hex'), bytes }),
    close,
    sibling: () => Promise.resolve(null),
  };
}

/** Opens a file for an importer: the one place where traces are read from disk. */
export async function openByteSource(path: string): Promise<ByteSource> {
  const stream = createReadStream(path);
  return await byteSource(path, stream, () => {
    stream.destroy();
  });
}
