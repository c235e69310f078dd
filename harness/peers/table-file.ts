import { InputError } from '../../sim/errors.ts';
import { openByteSource } from '../../traces/csv/byte-source.ts';
import { Row, RowError } from '../../traces/csv/row.ts';
import { cellColumn, columnIndex, readRecords } from '../../traces/csv/table.ts';

/** A row that became something, and the line of the file on which it stands. */
export interface Placed<T> {
  readonly item: T;
  readonly line: number;
}

/**
 * The rows of a CSV file, in order. A replay that left rows out would be another run, so a bad row is
 * an error, not counted and dropped.
 *
 * @param columns that must be there; a row may read others
 * @throws {InputError} on a missing file or column, and on the first bad row with its place
 */
export async function readTable<T>(
  path: string,
  columns: readonly string[],
  toItem: (row: Row, cells: readonly string[]) => T,
): Promise<readonly Placed<T>[]> {
  const source = await openByteSource(path);
  const items: Placed<T>[] = [];
  let header: { readonly index: ReadonlyMap<string, number>; readonly width: number } | null = null;
  try {
    for await (const { cells, line } of readRecords(source)) {
      if (header === null) {
        header = { index: columnIndex(path, cells, columns), width: cells.length };
        continue;
      }
      const { index, width } = header;
      if (cells.length !== width) {
        throw new InputError(path, line, null, `expected ${width} cells, found ${cells.length}`);
      }
      try {
        items.push({ item: toItem(new Row(index, cells, items.length + 1), cells), line });
      } catch (error) {
        if (!(error instanceof RowError)) throw error;
        const at = error.column === null ? undefined : index.get(error.column);
        const column = at === undefined ? null : cellColumn(cells, at);
        const name = error.column === null ? '' : `${error.column}: `;
        throw new InputError(path, line, column, `${name}${error.message}`);
      }
    }
  } finally {
    source.close();
  }
  if (items.length === 0) throw new InputError(path, null, null, 'has no rows');
  return items;
}

/** Refuses rows with the id of an earlier row. @throws {InputError} naming both lines */
export function refuseRepeatedIds(
  path: string,
  rows: readonly Placed<{ readonly id: string }>[],
): void {
  const lines = new Map<string, number>();
  for (const { item, line } of rows) {
    const first = lines.get(item.id);
    if (first !== undefined) {
      throw new InputError(path, line, null, `job '${item.id}' stands on line ${first} already`);
    }
    lines.set(item.id, line);
  }
}
