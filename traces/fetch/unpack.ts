import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { InputError } from '../../sim/errors.ts';
import type { Unpacking } from '../catalog/index.ts';
import type { ArchiveEntry } from '../container/archive.ts';
import { DEFAULT_GROWTH, type GrowthLimits } from '../container/growth.ts';
import { isLitter } from '../container/names.ts';
import { archiveEntries } from '../container/unwrap.ts';

/** A file that came out of an archive. */
export interface UnpackedFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly verified: boolean;
}

/** The path of an entry below a folder. @throws {InputError} for one that would lead out of it */
function placeOf(archive: string, folder: string, name: string): string {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  const unsafe =
    name.startsWith('/') ||
    /[\\\0]|^[a-z]:/i.test(name) ||
    parts.includes('..') ||
    parts.length === 0;
  if (!unsafe) return path.join(folder, ...parts);
  const detail = `has an unsafe entry ${JSON.stringify(name)}; nothing more is unpacked`;
  throw new InputError(archive, null, null, detail);
}

/** Whether an entry is one that is wanted, in whatever folder it is. */
function isWanted(name: string, only: readonly string[] | null): boolean {
  return only === null || only.some((wanted) => name === wanted || name.endsWith(`/${wanted}`));
}

async function writeEntry(
  archive: string,
  place: string,
  { name, content }: ArchiveEntry,
  known: string | null,
  signal: AbortSignal,
): Promise<UnpackedFile> {
  await mkdir(path.dirname(place), { recursive: true });
  const part = `${place}.part`;
  // A link that someone put there is not followed.
  await rm(part, { force: true });
  let file: FileHandle | null = await open(part, 'wx');
  try {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of content) {
      signal.throwIfAborted();
      hash.update(chunk);
      bytes += chunk.length;
      await file.appendFile(chunk);
    }
    await file.close();
    file = null;
    const sha256 = hash.digest('hex');
    if (known !== null && known !== sha256) {
      const detail = `'${name}' has the wrong checksum: expected sha256 ${known}, found ${sha256}`;
      throw new InputError(archive, null, null, detail);
    }
    await rename(part, place);
    return { path: place, bytes, sha256, verified: known !== null };
  } catch (error) {
    await file?.close();
    await rm(part, { force: true });
    throw error;
  }
}

/**
 * Unpacks an archive into a folder: regular files only, each whole and under its name or not at all.
 * Links and devices are left out; an entry that would lead out of the folder is an error.
 * @throws {InputError} on a damaged archive, an unsafe entry, a wrong checksum, or a missing entry
 */
export async function unpack(
  archive: string,
  folder: string,
  { only, sha256 }: Unpacking,
  signal: AbortSignal,
  limits: GrowthLimits = DEFAULT_GROWTH,
): Promise<readonly UnpackedFile[]> {
  const files: UnpackedFile[] = [];
  const missing = new Set(only ?? []);
  for await (const entry of archiveEntries({ path: archive, file: archive, limits })) {
    signal.throwIfAborted();
    const { name, type } = entry;
    if (type === 'folder') continue;
    const place = placeOf(archive, folder, name);
    if (type !== 'file' || isLitter(name) || !isWanted(name, only)) continue;
    const known = sha256[path.basename(place)] ?? null;
    files.push(await writeEntry(archive, place, entry, known, signal));
    missing.delete(path.basename(place));
  }
  if (missing.size > 0) {
    const names = [...missing].map((name) => `'${name}'`).join(', ');
    throw new InputError(archive, null, null, `has no file ${names}`);
  }
  return files;
}
