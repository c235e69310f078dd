import { createReadStream } from 'node:fs';
import { InputError } from '../../sim/errors.ts';

const DETAILS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file: a part of its path is not a folder',
  EISDIR: 'is a folder; expected a file',
  EACCES: 'permission denied',
  ENOSPC: 'no space is left on its disk',
};

/** What went wrong with a file, as an error of the input. */
export function systemError(path: string, error: unknown): InputError {
  if (error instanceof InputError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  return new InputError(path, null, null, DETAILS[code ?? ''] ?? `cannot be read: ${message}`);
}

/**
 * The bytes of a file on disk from an offset on.
 * @param path for messages
 * @throws {InputError} when it cannot be read
 */
export async function* fileChunks(path: string, file: string, from = 0): AsyncGenerator<Buffer> {
  const stream = createReadStream(file, { start: from });
  try {
    for await (const chunk of stream) yield chunk as Buffer;
  } catch (error) {
    throw systemError(path, error);
  } finally {
    stream.destroy();
  }
}
