import { pipeline, Readable } from 'node:stream';
import { extract, type Header } from 'tar-stream';
import { InputError } from '../../sim/errors.ts';
import type { ArchiveEntry, EntryType } from './archive.ts';
import type { Chunks } from './bytes.ts';
import { cutOff, damaged } from './damage.ts';

const KIND = 'tar';
const BLOCK_BYTES = 512;

/** Whether a file that starts like this is a tar archive: by the checksum of its first header. */
export function looksLikeTar(head: Buffer): boolean {
  if (head.length < BLOCK_BYTES) return false;
  const stated = /^ *([0-7]{1,7})[ \0]/.exec(head.toString('latin1', 148, 156))?.[1];
  if (stated === undefined) return false;
  let sum = 8 * 32;
  for (let at = 0; at < BLOCK_BYTES; at += 1) if (at < 148 || at >= 156) sum += head[at] ?? 0;
  return sum === Number.parseInt(stated, 8);
}

function typeOf(type: Header['type']): EntryType {
  if (type === 'file' || type === 'contiguous-file') return 'file';
  return type === 'directory' ? 'folder' : 'other';
}

function tarError(path: string, error: unknown): unknown {
  if (error instanceof InputError) return error;
  const { message } = error as Error;
  if (message === 'Unexpected end of data') return cutOff(path, KIND);
  return damaged(path, KIND, /header/i.test(message) ? 'a broken header' : message);
}

// The declared options lack this one: archives older than POSIX have no mark in their headers.
const OPTIONS = { allowUnknownFormat: true } as Parameters<typeof extract>[0];

/**
 * The entries of tar data, in order, up to the end of it.
 * @throws {InputError} on damaged data
 */
export async function* tarEntries(path: string, input: Chunks): AsyncGenerator<ArchiveEntry> {
  const extraction = extract(OPTIONS);
  let tail = Buffer.alloc(0);
  async function* watched() {
    for await (const chunk of input) {
      tail = Buffer.from(
        Buffer.concat([tail, chunk.subarray(-BLOCK_BYTES)]).subarray(-BLOCK_BYTES),
      );
      yield chunk;
    }
  }
  const failed: unknown[] = [];
  // The extraction is destroyed with the input's error and so the loops below throw it.
  pipeline(Readable.from(watched()), extraction as unknown as NodeJS.WritableStream, (error) => {
    if (error) failed.push(error);
  });
  try {
    for await (const entry of extraction) {
      const { name, type, size } = entry.header;
      yield { name, type: typeOf(type), bytes: size, content: contentOf(path, entry) };
      entry.resume();
    }
  } catch (error) {
    throw tarError(path, error);
  }
  const [error] = failed;
  if (error !== undefined) throw tarError(path, error);
  // An archive ends in blocks of zeros; one cut between two entries does not.
  if (tail.length < BLOCK_BYTES || tail.some((byte) => byte !== 0)) throw cutOff(path, KIND);
}

async function* contentOf(path: string, entry: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of entry) yield chunk as Buffer;
  } catch (error) {
    throw tarError(path, error);
  }
}
