/** Ends of file names that say how a table is written or wrapped, and not which table it is. */
const SUFFIX = /\.(?:csv|tsv|txt|json|gz|tgz|zst|tzst|xz|txz|tar|zip)$/i;
/** Between the name of an archive and the name of the file in it that is meant. */
export const ENTRY_MARK = '::';

/** The name of a table: its file's, or its archive entry's, without folders and suffixes. */
export function tableName(path: string): string {
  const entry = path.slice(path.lastIndexOf(ENTRY_MARK) + 1).replace(/^:/, '');
  let name = entry.replace(/^.*[/\\]/, '');
  // A name that is nothing but a suffix stays.
  while (SUFFIX.test(name) && name.replace(SUFFIX, '') !== '') name = name.replace(SUFFIX, '');
  return name;
}

/** Files that archivers and desktops leave behind, never meant. */
export function isLitter(name: string): boolean {
  return /(?:^|\/)(?:__MACOSX\/|\._|\.DS_Store$)/.test(name);
}

/** What a trace is called by the name of its file: its table's name, without any last suffix. */
export function traceName(path: string): string {
  const table = tableName(path);
  return SUFFIX.test(path) ? table : table.replace(/(?<=.)\.[^.]*$/, '');
}
