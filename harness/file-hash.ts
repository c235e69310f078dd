import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { InputError } from '../sim/errors.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file: a part of its path is not a folder',
  EISDIR: 'is a folder; expected a file',
  EACCES: 'permission denied',
};

/** SHA-256 of a file's content, read as a stream. @throws {InputError} when it cannot be read */
export async function fileSha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new InputError(file, null, null, REASONS[code ?? ''] ?? `cannot be read: ${message}`);
  }
  return hash.digest('hex');
}
