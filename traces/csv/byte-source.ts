import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileChunks, systemError } from '../container/file.ts';
import { DEFAULT_GROWTH, type GrowthLimits } from '../container/growth.ts';
import { ENTRY_MARK, isLitter, tableName } from '../container/names.ts';
import { archiveFiles, unwrap, type WrappedFile } from '../container/unwrap.ts';
import type { InputFile } from '../report.ts';
import { type ByteSource, type FoundSibling, openSource } from './text-source.ts';

export type { ByteSource, CompanionUse, FileHead } from './text-source.ts';

/** How files are opened. */
export interface OpenOptions {
  /** How much compressed files may grow. */
  readonly growth?: GrowthLimits;
}

/** A file on disk and, where it is an archive, the file in it that is meant. */
export interface Address {
  readonly file: string;
  readonly entry: string | null;
}

/**
 * What `FILE` or `ARCHIVE::ENTRY` names. A file that has `::` in its own name is found first.
 */
export function addressOf(text: string): Address {
  if (existsSync(text)) return { file: text, entry: null };
  for (
    let at = text.indexOf(ENTRY_MARK);
    at >= 0;
    at = text.indexOf(ENTRY_MARK, at + ENTRY_MARK.length)
  ) {
    const file = text.slice(0, at);
    if (existsSync(file)) return { file, entry: text.slice(at + ENTRY_MARK.length) };
  }
  return { file: text, entry: null };
}

/** Hashes the bytes of a file on disk as they are read for its content, and the rest in the end. */
class FileHash {
  readonly #path: string;
  readonly #file: string;
  readonly #hash = createHash('sha256');
  #bytes = 0;

  constructor(named: string, file: string) {
    this.#path = named;
    this.#file = file;
  }

  readonly add = (chunk: Buffer): void => {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
  };

  /** The fingerprint of the whole file; what was not read yet is read. */
  async fingerprint(): Promise<InputFile> {
    for await (const chunk of fileChunks(this.#path, this.#file, this.#bytes)) this.add(chunk);
    return { path: this.#path, sha256: this.#hash.copy().digest('hex'), bytes: this.#bytes };
  }
}

/** Tables next to a file, by name: plain ones first, then by how they are wrapped. */
async function tablesBeside(file: string, name: string): Promise<readonly string[]> {
  const folder = path.dirname(file);
  const there = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return there
    .filter((entry) => !entry.isDirectory() && tableName(entry.name) === name)
    .map((entry) => path.join(folder, entry.name))
    .filter((found) => path.resolve(found) !== path.resolve(file))
    .toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1));
}

/** The file on disk next to `file` that is the table of this name; null for none. */
export async function tableBeside(file: string, name: string): Promise<string | null> {
  const [first] = await tablesBeside(file, name);
  return first ?? null;
}

/** Opens the table of this name in the same archive or, if there is none, in the same folder. */
async function openSibling(
  wrapped: WrappedFile,
  entry: string | null,
  name: string,
): Promise<FoundSibling | null> {
  const { file, limits } = wrapped;
  if (entry !== null) {
    const names = (await archiveFiles(wrapped)) ?? [];
    const inside = names.find((other) => other !== entry && tableName(other) === name);
    if (inside !== undefined) {
      const named = `${file}${ENTRY_MARK}${inside}`;
      const source = await openAddress(named, { file, entry: inside }, limits);
      return { source, where: 'archive' };
    }
  }
  const beside = await tableBeside(file, name);
  if (beside === null) return null;
  const source = await openAddress(beside, { file: beside, entry: null }, limits);
  return { source, where: 'beside' };
}

async function openAddress(
  named: string,
  { file, entry }: Address,
  limits: GrowthLimits,
): Promise<ByteSource> {
  const wrapped: WrappedFile = { path: named, file, limits };
  const content = await unwrap(wrapped, entry);
  const hash = new FileHash(named, file);
  return await openSource({
    path: named,
    text: content.open(hash.add),
    fingerprint: () => hash.fingerprint(),
    sibling: (name) => openSibling(wrapped, content.archive?.entry ?? null, name),
    other: (other) => openAddress(other, addressOf(other), limits),
  });
}

/**
 * Opens a trace file for an importer: the one place where traces are read from disk. Gzip, zstd, xz, tar
 * and zip, and tar under any of these compressions, are recognised by content and unpacked as they are
 * read; nothing is written. An archive of several files needs one named, as `ARCHIVE::ENTRY`.
 * @throws {InputError} when it cannot be read or has nothing to read
 */
export async function openByteSource(
  named: string,
  { growth = DEFAULT_GROWTH }: OpenOptions = {},
): Promise<ByteSource> {
  return await openAddress(named, addressOf(named), growth);
}

/** The source over a text that is at hand; `path` only names it, and no table is next to it. */
export async function byteSource(named: string, text: AsyncIterable<Buffer>): Promise<ByteSource> {
  return await openSource({
    path: named,
    text,
    other: (other) => openAddress(other, addressOf(other), DEFAULT_GROWTH),
  });
}

/** Names of the files in a folder that could be tables, sorted; null when it is no folder. */
export async function filesInFolder(folder: string): Promise<readonly string[] | null> {
  try {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return null;
    const there = await readdir(folder, { withFileTypes: true });
    return there
      .filter((entry) => !entry.isDirectory() && !isLitter(entry.name))
      .map((entry) => path.join(folder, entry.name))
      .toSorted();
  } catch (error) {
    throw systemError(folder, error);
  }
}

/** Hash and size of the file that a trace is named by. @throws {InputError} when it cannot be read */
export async function fileFingerprint(named: string): Promise<InputFile> {
  return await new FileHash(named, addressOf(named).file).fingerprint();
}
