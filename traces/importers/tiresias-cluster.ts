import { InputError } from '../../sim/errors.ts';
import { openByteSource } from '../csv/byte-source.ts';
import { type Bounds, GPUS, RowError } from '../csv/row.ts';
import type { TraceNode } from './node-list.ts';
import { readTableRows } from './table-rows.ts';

const SHAPE = {
  columns: ['num_switch', 'num_node_p_switch', 'num_gpu_p_node', 'num_cpu_p_node', 'mem_p_node'],
  header: true,
};
const COUNT: Bounds = { min: 1, max: 1e5 };
const SIZE: Bounds = { min: 0, max: 1e9 };

/**
 * The machines of a cluster file of the Tiresias or Muri simulator (`n32g4.csv`): one row that counts
 * switches, nodes a switch and GPUs, CPU cores and memory (GB) a node. It names no GPU type, so
 * `gpuType` is the caller's.
 *
 * @throws {InputError} when it does not describe exactly one cluster
 */
export async function readTiresiasCluster(
  path: string,
  gpuType: string,
): Promise<readonly TraceNode[]> {
  const source = await openByteSource(path);
  const nodes: TraceNode[] = [];
  try {
    const { rows } = await readTableRows(source, SHAPE, 0, (row) => {
      const switches = row.integer('num_switch', COUNT);
      const nodesEach = row.integer('num_node_p_switch', COUNT);
      if (switches * nodesEach > COUNT.max) {
        throw new RowError(
          null,
          `has ${switches * nodesEach} nodes; expected at most ${COUNT.max}`,
        );
      }
      const node = {
        gpuType,
        gpus: row.integer('num_gpu_p_node', { ...GPUS, min: 1 }),
        cpuCores: row.decimal('num_cpu_p_node', SIZE),
        memoryGib: row.decimal('mem_p_node', SIZE),
      };
      for (let at = 0; at < switches * nodesEach; at += 1) {
        const name = `switch${Math.floor(at / nodesEach)}-node${at % nodesEach}`;
        nodes.push({ name, ...node });
      }
    });
    if (rows === 1) return nodes;
    throw new InputError(path, null, null, `expected one row, found ${rows}`);
  } finally {
    source.close();
  }
}
