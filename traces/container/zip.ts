import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { InputError } from '../../sim/errors.ts';
import type { ArchiveEntry, EntryType } from './archive.ts';
import { cutOff, damaged } from './damage.ts';
import { Growth, type GrowthLimits } from './growth.ts';

const KIND = 'zip';
const FILE_TYPE = 0xf000;
const REGULAR = 0x8000;

function typeOf({ fileName, externalFileAttributes }: Entry): EntryType {
  if (fileName.endsWith('/')) return 'folder';
  // Archives made on Unix keep the mode of a file in the upper half; others leave it 0.
  const type = (externalFileAttributes >>> 16) & FILE_TYPE;
  return type === 0 || type === REGULAR ? 'file' : 'other';
}

function zipError(path: string, error: unknown): unknown {
  if (error instanceof InputError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (/end of central directory|unexpected end|truncated/i.test(message)) {
    return cutOff(path, KIND);
  }
  if (/relative path|absolute path|file name/.test(message)) {
    return new InputError(path, null, null, `has an unsafe entry: ${message}`);
  }
  if (/encrypt|compression method/i.test(message)) {
    return new InputError(path, null, null, `cannot be read: ${message}; unpack it yourself`);
  }
  if (code === 'ENOENT' || code === 'EACCES') {
    return new InputError(path, null, null, `cannot be read: ${message}`);
  }
  return damaged(path, KIND, message);
}

/** The content of an entry, its size and checksum verified. */
async function* contentOf(
  path: string,
  zip: ZipFile,
  entry: Entry,
  limits: GrowthLimits,
): AsyncGenerator<Buffer> {
  const growth = new Growth(path, limits);
  growth.add(entry.compressedSize, 0);
  let stream: Readable | null = null;
  let sum = 0;
  try {
    stream = await zip.openReadStreamPromise(entry);
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      sum = crc32(chunk, sum);
      growth.add(0, chunk.length);
      yield chunk;
    }
  } catch (error) {
    throw zipError(path, error);
  } finally {
    stream?.destroy();
  }
  if (sum !== entry.crc32 >>> 0) throw damaged(path, KIND, 'a wrong checksum');
}

/**
 * The entries of a zip file on disk, in the order of its directory.
 * @param path for messages
 * @throws {InputError} on damaged data, encryption, and names that lead out of a folder
 */
export async function* zipEntries(
  path: string,
  file: string,
  limits: GrowthLimits,
): AsyncGenerator<ArchiveEntry> {
  let zip: ZipFile | null = null;
  try {
    zip = await openPromise(file, { autoClose: false, lazyEntries: true });
    // Late errors are also thrown by what was going on; without a listener they would end the process.
    zip.on('error', () => undefined);
    for await (const entry of zip.eachEntry()) {
      yield {
        name: entry.fileName,
        type: typeOf(entry),
        bytes: entry.uncompressedSize,
        content: contentOf(path, zip, entry, limits),
      };
    }
  } catch (error) {
    throw zipError(path, error);
  } finally {
    zip?.close();
  }
}
