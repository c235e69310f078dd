import type { Chunks } from './bytes.ts';

/** What an entry of an archive is. */
export type EntryType = 'file' | 'folder' | 'other';

/** One entry of an archive, while it is being passed. */
export interface ArchiveEntry {
  /** As the archive has it. */
  readonly name: string;
  readonly type: EntryType;
  readonly bytes: number;
  /** Its content, once; what is left of it is skipped. */
  readonly content: Chunks;
}
