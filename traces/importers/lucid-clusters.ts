import { InputError } from '../../sim/errors.ts';
import { openByteSource } from '../csv/byte-source.ts';
import { type Bounds, RowError } from '../csv/row.ts';
import { readTableRows } from './table-rows.ts';

/** The first column has no name. */
const SHAPE = { columns: ['', 'num'], header: true };
const NODES: Bounds = { min: 0, max: 1e5 };

/**
 * Nodes of each virtual cluster, in file order, from Lucid's `vc_config.csv` (header `,num`). Its
 * simulator gives a node 8 GPUs.
 *
 * @throws {InputError} on a bad row, or a virtual cluster named twice
 */
export async function readLucidClusters(path: string): Promise<ReadonlyMap<string, number>> {
  const source = await openByteSource(path);
  const nodes = new Map<string, number>();
  try {
    await readTableRows(source, SHAPE, 0, (row) => {
      const name = row.text('');
      if (nodes.has(name)) throw new RowError(null, `lists ${name} for the second time`);
      nodes.set(name, row.integer('num', NODES));
    });
  } finally {
    source.close();
  }
  if (nodes.size === 0) throw new InputError(path, null, null, 'lists no virtual clusters');
  return nodes;
}
