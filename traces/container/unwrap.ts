import { InputError, nearest } from '../../sim/errors.ts';
import type { ArchiveEntry } from './archive.ts';
import { ByteReader, type Chunks } from './bytes.ts';
import { fileChunks } from './file.ts';
import { bounded, type GrowthLimits } from './growth.ts';
import { gunzip } from './gzip.ts';
import { type Archive, type Compression, KIND_BYTES, kindOf } from './kind.ts';
import { ENTRY_MARK, isLitter } from './names.ts';
import { tarEntries } from './tar.ts';
import { unxz } from './xz.ts';
import { zipEntries } from './zip.ts';
import { unzstd } from './zstd.ts';

const DECODERS = { gzip: gunzip, zstd: unzstd, xz: unxz } as const;
/** Compressions around one another and around archives; more are a trick. */
const MOST_LAYERS = 4;
/** Entries named in a message. */
const ENTRIES_SHOWN = 20;

/** Is told every chunk of the file on disk. */
export type Tap = (chunk: Buffer) => void;

/** Opens something to be read from its start; may be done more than once. */
type Opener = (tap: Tap | null) => Chunks;

/** A file on disk, with all that is wrapped around its content. */
export interface WrappedFile {
  /** As the user named it; for messages. */
  readonly path: string;
  /** Of the file on disk. */
  readonly file: string;
  readonly limits: GrowthLimits;
}

/** What is inside a wrapped file. */
export interface Content {
  /** The archive that the content came out of, if any, and its entries as far as they were listed. */
  readonly archive: { readonly kind: Archive; readonly entry: string } | null;
  /** Content from its start; `tap` is told the bytes of the file on disk that are read for it. */
  open(tap: Tap | null): Chunks;
}

async function* tapped(chunks: Chunks, tap: Tap | null): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    tap?.(chunk);
    yield chunk;
  }
}

async function kindAt(open: Opener): Promise<Compression | Archive | null> {
  const reader = new ByteReader(open(null));
  try {
    return kindOf(await reader.peek(KIND_BYTES));
  } finally {
    await reader.close();
  }
}

/** Takes off compressions until there is something else. */
async function uncompressed(
  { path, limits }: WrappedFile,
  open: Opener,
): Promise<[open: Opener, kind: Archive | null]> {
  let inner = open;
  for (let layers = 0; layers <= MOST_LAYERS; layers += 1) {
    const kind = await kindAt(inner);
    if (kind === null || kind === 'tar' || kind === 'zip') return [inner, kind];
    const outer = inner;
    inner = (tap) => bounded(path, outer(tap), (input) => DECODERS[kind](path, input), limits);
  }
  throw new InputError(path, null, null, `is compressed more than ${MOST_LAYERS} times over`);
}

/** The entries of an archive on disk, which may be compressed. */
function entriesOf(
  { path, file, limits }: WrappedFile,
  kind: Archive,
  open: Opener,
  tap: Tap | null,
): AsyncIterable<ArchiveEntry> {
  return kind === 'tar' ? tarEntries(path, open(tap)) : zipEntries(path, file, limits);
}

/** Names of the files in an archive, without litter. */
async function fileNames(
  wrapped: WrappedFile,
  kind: Archive,
  open: Opener,
): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { name, type } of entriesOf(wrapped, kind, open, null)) {
    if (type === 'file' && !isLitter(name)) names.push(name);
  }
  return names;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, ENTRIES_SHOWN).map((name) => `'${name}'`);
  const more = names.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The one file of an archive. */
function onlyOne({ path, file }: WrappedFile, names: readonly string[]): string {
  const [only] = names;
  if (only === undefined) throw new InputError(path, null, null, 'is an archive without files');
  if (names.length === 1) return only;
  const example = `name one as ${file}${ENTRY_MARK}${only}`;
  const detail = `is an archive of ${names.length} files; ${example}; it has ${listed(names)}`;
  throw new InputError(path, null, null, detail);
}

function noSuchFile(path: string, wanted: string, names: readonly string[]): InputError {
  const near = nearest(wanted, names);
  const hint = near === null ? '' : `; did you mean '${near}'?`;
  return new InputError(
    path,
    null,
    null,
    `has no file '${wanted}'; it has ${listed(names)}${hint}`,
  );
}

const sameEntry = (name: string, wanted: string) => name === wanted || name === `./${wanted}`;

/** The content of one entry; the rest of the archive is passed too, so that all of it is verified. */
async function* entryContent(
  wrapped: WrappedFile,
  kind: Archive,
  open: Opener,
  entry: string,
  tap: Tap | null,
): AsyncGenerator<Buffer> {
  let found = false;
  const others: string[] = [];
  for await (const { name, type, content } of entriesOf(wrapped, kind, open, tap)) {
    if (found || type !== 'file') continue;
    if (sameEntry(name, entry)) {
      found = true;
      yield* content;
    } else if (!isLitter(name)) others.push(name);
  }
  if (!found) throw noSuchFile(wrapped.path, entry, others);
}

/** A file on disk, unwrapped as far as is known without choosing a file in an archive. */
async function outside(wrapped: WrappedFile): Promise<[open: Opener, kind: Archive | null]> {
  const { path, file } = wrapped;
  const disk: Opener = (tap) => tapped(fileChunks(path, file), tap);
  const [open, kind] = await uncompressed(wrapped, disk);
  if (kind === 'zip' && (await kindAt(disk)) !== 'zip') {
    throw new InputError(path, null, null, 'is a compressed zip archive; uncompress it yourself');
  }
  return [open, kind];
}

/** Names of the files in an archive; null for a file that is no archive. */
export async function archiveFiles(wrapped: WrappedFile): Promise<readonly string[] | null> {
  const [open, kind] = await outside(wrapped);
  return kind === null ? null : await fileNames(wrapped, kind, open);
}

/**
 * What is inside a file on disk: itself, or what it is the compressed form of, or a file of the archive
 * that it is. Kinds are recognised by content, never by name.
 * @param wanted file of the archive; null when there is but one
 * @throws {InputError} when it cannot be read, is damaged, or has several files and none is named
 */
export async function unwrap(wrapped: WrappedFile, wanted: string | null): Promise<Content> {
  const { path, file } = wrapped;
  const [open, kind] = await outside(wrapped);
  if (kind === null) {
    if (wanted === null) return { archive: null, open };
    throw new InputError(path, null, null, `has no file '${wanted}': ${file} is no archive`);
  }
  const entry = wanted ?? onlyOne(wrapped, await fileNames(wrapped, kind, open));
  const inEntry: Opener = (tap) => entryContent(wrapped, kind, open, entry, tap);
  const [inner, innerKind] = await uncompressed(wrapped, inEntry);
  if (innerKind === null) return { archive: { kind, entry }, open: inner };
  const detail = `'${entry}' is an archive in an archive; unpack it yourself`;
  throw new InputError(path, null, null, detail);
}

/** The files and folders of an archive, to be passed one after the other. @throws {InputError} */
export async function* archiveEntries(wrapped: WrappedFile): AsyncGenerator<ArchiveEntry> {
  const [open, kind] = await outside(wrapped);
  if (kind === null) throw new InputError(wrapped.path, null, null, 'is no archive');
  yield* entriesOf(wrapped, kind, open, null);
}
