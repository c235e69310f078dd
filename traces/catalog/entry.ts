/** One file to be fetched. */
export interface CatalogFile {
  /** What it is called in the folder of its trace. */
  readonly name: string;
  readonly url: string;
  /** Size in bytes; null where nobody states it. */
  readonly bytes: number | null;
  /**
   * SHA-256 of the content; null where none is known. Of a URL that names a commit it is that of the file
   * at that commit, otherwise the one that its publisher states.
   */
  readonly sha256: string | null;
  /** What of it is unpacked beside it; null for nothing: it is read as it is. */
  readonly unpack: Unpacking | null;
}

/** How an archive is unpacked. */
export interface Unpacking {
  /** Entries to take, without the folders that all entries are in; null for all. */
  readonly only: readonly string[] | null;
  /** SHA-256 of entries, by name, where the publisher states them. */
  readonly sha256: Readonly<Record<string, string>>;
}

/** A public trace: where it is, who made it, and what may be done with it. */
export interface CatalogEntry {
  readonly name: string;
  readonly title: string;
  /** Name of the importer that reads it. */
  readonly format: string;
  /** Folder for its files, below the one asked for; entries that belong together share it. */
  readonly folder: string;
  readonly licence: string;
  /** Whether its licence forbids commercial use. */
  readonly nonCommercial: boolean;
  /** Paper to cite. */
  readonly cite: string;
  /** Page of its publisher. */
  readonly source: string;
  readonly files: readonly CatalogFile[];
  /** Name of the file to read it by; of its archive's, where that is unpacked. */
  readonly main: string;
  /** What a user must know before or after fetching it; null for nothing. */
  readonly note: string | null;
}

/** What an entry must say; the rest is as usual unless it says otherwise. */
export type EntryFacts = Omit<
  CatalogEntry,
  'folder' | 'nonCommercial' | 'note' | 'files' | 'main'
> &
  Partial<CatalogEntry>;

/**
 * An entry with the usual: a folder of its own, commercial use allowed, nothing to note, and read by its
 * first file.
 */
export function entry(facts: EntryFacts, files: readonly CatalogFile[]): CatalogEntry {
  const main = files[0]?.name ?? '';
  return { folder: facts.name, nonCommercial: false, note: null, main, ...facts, files };
}

/** A file that is kept as it comes; its name is the last part of its address unless given. */
export function plainFile(
  url: string,
  bytes: number | null,
  sha256: string | null,
  name = decodeURIComponent(url.slice(url.lastIndexOf('/') + 1)),
): CatalogFile {
  return { name, url, bytes, sha256, unpack: null };
}

/** Address of a file of a GitHub repository at a commit. */
export function atCommit(repository: string, commit: string, path: string): string {
  const escaped = path.split('/').map(encodeURIComponent).join('/');
  return `https://raw.githubusercontent.com/${repository}/${commit}/${escaped}`;
}
