import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { InputError } from '../../sim/errors.ts';
import type { Chunks } from './bytes.ts';
import { cutOff, damaged } from './damage.ts';

const CHUNK_BYTES = 64 * 1024;

/**
 * The content of gzip data (RFC 1952), of all its members, with their checksums verified.
 * @throws {InputError} on damaged data
 */
export async function* gunzip(path: string, input: Chunks): AsyncGenerator<Buffer> {
  const decoder = createGunzip({ chunkSize: CHUNK_BYTES });
  // The decoder is destroyed with the input's error and so the loop below throws it.
  pipeline(Readable.from(input), decoder, () => undefined);
  try {
    for await (const chunk of decoder) yield chunk as Buffer;
  } catch (error) {
    if (error instanceof InputError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw code === 'Z_BUF_ERROR' ? cutOff(path, 'gzip') : damaged(path, 'gzip', message);
  }
}
