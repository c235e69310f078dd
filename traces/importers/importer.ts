import { InputError, nearest } from '../../sim/errors.ts';
import type { ByteSource, FileHead } from '../csv/byte-source.ts';
import { quoted } from '../csv/row.ts';
import type { ImportedTrace } from '../workload.ts';

/** Options of one importer, by name, as a command line or an experiment file gives them. */
export type Settings = Readonly<Record<string, string | number>>;

/** What an importer's option means. */
export interface SettingDoc {
  readonly name: string;
  readonly meaning: string;
}

export interface ReadOptions {
  readonly settings: Settings;
  /** Bad rows that are still taken; null for 1 % of the rows. */
  readonly maxBadRows: number | null;
  readonly recognisedBy: string | null;
}

/** Files that an importer may read besides the one that is named. */
export interface OtherFiles {
  /** Names of tables next to it, without suffixes. */
  readonly tables: readonly string[];
  /** Paths of files that options name. */
  readonly paths: readonly string[];
}

/** A trace format: how it is recognised and read. Knows no file system. */
export interface Importer {
  readonly name: string;
  readonly title: string;
  /** Columns that a file must have; empty for formats without a header. */
  readonly columns: readonly string[];
  readonly settings: readonly SettingDoc[];
  /** What it may read besides the file; nothing by default. */
  readsAlso?(settings: Settings): OtherFiles;
  /** Why a file that starts like this is in this format, or null when it is not. */
  detect(head: FileHead): string | null;
  read(source: ByteSource, options: ReadOptions): Promise<ImportedTrace>;
}

/** Refuses a setting the importer does not have. */
export function checkSettings(
  path: string,
  format: string,
  settings: Settings,
  docs: readonly SettingDoc[],
): void {
  const known = docs.map((doc) => doc.name);
  for (const name of Object.keys(settings)) {
    if (known.includes(name)) continue;
    const near = nearest(name, known);
    const hint = near === null ? '' : `; did you mean ${quoted(near)}?`;
    const has = known.length === 0 ? 'it has none' : `it has ${known.map(quoted).join(', ')}`;
    throw new InputError(
      path,
      null,
      null,
      `${format} has no option ${quoted(name)}: ${has}${hint}`,
    );
  }
}

/** A setting that must be a number above 0; null when it is not given. */
export function positiveSetting(path: string, settings: Settings, name: string): number | null {
  const value = settings[name];
  if (value === undefined) return null;
  const number = Number(value);
  if (value !== '' && Number.isFinite(number) && number > 0) return number;
  const found = quoted(String(value));
  throw new InputError(
    path,
    null,
    null,
    `option ${name}: expected a number above 0, found ${found}`,
  );
}

/** A setting that must be one of these words; the first of them when it is not given. */
export function wordSetting<W extends string>(
  path: string,
  settings: Settings,
  name: string,
  words: readonly [W, ...W[]],
): W {
  const value = String(settings[name] ?? words[0]);
  const word = words.find((each) => each === value);
  if (word !== undefined) return word;
  const near = nearest(value, words);
  const hint = near === null ? '' : `; did you mean ${quoted(near)}?`;
  const detail = `expected one of ${words.map(quoted).join(', ')}, found ${quoted(value)}`;
  throw new InputError(path, null, null, `option ${name}: ${detail}${hint}`);
}
