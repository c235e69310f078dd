import { InputError, nearest } from '../../sim/errors.ts';
import type { ByteSource } from '../csv/byte-source.ts';
import { quoted } from '../csv/row.ts';
import type { Settings } from './importer.ts';
import { PaiJoins } from './pai-joins.ts';
import { PAI_TABLES, type PaiTable } from './pai-tables.ts';
import { readTableRows } from './table-rows.ts';

/** Tables that are joined to the tasks, in this order. `word` names them in the option `join`. */
const JOINED = [
  { word: 'machine', table: 'pai_machine_spec', read: 'readMachine' },
  { word: 'tag', table: 'pai_group_tag_table', read: 'readTag' },
  { word: 'job', table: 'pai_job_table', read: 'readJob' },
  { word: 'instance', table: 'pai_instance_table', read: 'readInstance' },
] as const satisfies readonly {
  readonly word: string;
  readonly table: PaiTable;
  readonly read: keyof PaiJoins;
}[];
const WORDS: readonly string[] = JOINED.map(({ word }) => word);

/** Which tables the option `join` asks for. */
function wantedTables(path: string, settings: Settings): ReadonlySet<string> {
  const value = String(settings.join ?? 'all');
  if (value === 'all') return new Set(WORDS);
  if (value === 'none') return new Set();
  const wanted = value.split('+');
  for (const word of wanted) {
    if (WORDS.includes(word)) continue;
    const near = nearest(word, WORDS);
    const hint = near === null ? '' : `; did you mean ${quoted(near)}?`;
    const expected = `expected 'all', 'none' or some of ${WORDS.join('+')}`;
    const detail = `option join: ${expected}, found ${quoted(word)}${hint}`;
    throw new InputError(path, null, null, detail);
  }
  return new Set(wanted);
}

/** The tables as they were joined, and a line on each for the report. */
export interface JoinedTables {
  /** The option `join`. */
  readonly choice: string;
  readonly joins: PaiJoins;
  readonly lines: readonly string[];
}

/**
 * Reads the tables next to the one that was named; `named` stands for itself. Tables that are not there
 * are passed over.
 * @throws {InputError} when a table has more bad rows than allowed
 */
export async function readJoins(
  named: { readonly source: ByteSource; readonly table: PaiTable },
  settings: Settings,
  maxBadRows: number | null,
): Promise<JoinedTables> {
  const wanted = wantedTables(named.source.path, settings);
  const joins = new PaiJoins();
  const lines: string[] = [];
  const missing: string[] = [];
  for (const { word, table, read } of JOINED) {
    if (!wanted.has(word)) continue;
    const source = table === named.table ? named.source : await named.source.sibling(table);
    if (source === null) {
      missing.push(table);
      continue;
    }
    try {
      const shape = { columns: PAI_TABLES[table], header: false };
      const { rows, bad } = await readTableRows(source, shape, maxBadRows, (row) => {
        joins[read](row);
      });
      const { path, sha256 } = source.fingerprint();
      const badRows = bad === 0 ? '' : `, ${bad} of them bad and left out`;
      lines.push(`joined ${table}: ${rows} rows${badRows} (${path}, sha256 ${sha256})`);
      joins.found.add(table);
    } finally {
      source.close();
    }
  }
  if (missing.length > 0) lines.push(`not found, so not joined: ${missing.join(', ')}`);
  return { choice: String(settings.join ?? 'all'), joins, lines };
}
