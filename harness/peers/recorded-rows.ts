import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { openByteSource } from '../../traces/csv/byte-source.ts';
import { strictNumber } from '../../traces/csv/row.ts';
import { readRecords } from '../../traces/csv/table.ts';
import type { PeerRow } from './peer.ts';

/** Names of the files in a folder, sorted; none when there is no such folder. */
export async function filesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.sort();
}

/** A recorded output: the columns of a CSV file, and its rows with numbers read as such. */
export async function recordedRows(
  folder: string,
  file: string,
): Promise<{ readonly columns: readonly string[]; readonly rows: readonly PeerRow[] }> {
  const source = await openByteSource(path.join(folder, file));
  let columns: readonly string[] = [];
  const rows: PeerRow[] = [];
  try {
    for await (const { cells } of readRecords(source)) {
      if (columns.length === 0) {
        columns = cells;
        continue;
      }
      const entries = columns.map((name, i) => {
        const text = cells[i] ?? '';
        return [name, text === '' ? null : (strictNumber(text) ?? text)] as const;
      });
      rows.push(Object.fromEntries(entries));
    }
  } finally {
    source.close();
  }
  return { columns, rows };
}

/** Rows whose ids are texts, as those of a replay: `id` is never read as a number. */
export function withTextIds(rows: readonly PeerRow[], id: string): readonly PeerRow[] {
  return rows.map((row) => ({ ...row, [id]: String(row[id]) }));
}

/** Lines `key=value` of a text, as numbers; what is none is left out. */
export function figuresOf(line: string): Readonly<Record<string, number>> {
  const pairs = [...line.matchAll(/(\w+)=(-?[\d.]+)/g)].map(
    ([, name = '', value = '']) => [name, Number(value)] as const,
  );
  return Object.fromEntries(pairs.filter(([, value]) => !Number.isNaN(value)));
}
