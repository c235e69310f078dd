import { type ByteSource, byteSource } from '../../../traces/csv/byte-source.ts';
import { importSource } from '../../../traces/formats.ts';
import type { Settings } from '../../../traces/importers/importer.ts';
import type { ImportedTrace } from '../../../traces/workload.ts';

/** Tables in one folder, by name without suffix. */
export type Tables = Readonly<Record<string, string | Buffer>>;

async function* whole(text: string | Buffer): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.from(text));
}

async function open(tables: Tables, name: string): Promise<ByteSource> {
  const source = await byteSource(`${name}.csv`, whole(tables[name] ?? ''));
  return {
    ...source,
    sibling: async (other) => (tables[other] === undefined ? null : await open(tables, other)),
  };
}

/** Imports a table of a folder that exists only here. */
export async function importTables(
  tables: Tables,
  {
    named = 'pai_task_table',
    ...options
  }: { named?: string; settings?: Settings; maxBadRows?: number; format?: string } = {},
): Promise<ImportedTrace> {
  return await importSource(await open(tables, named), options);
}
