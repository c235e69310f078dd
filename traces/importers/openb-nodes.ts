import { InputError } from '../../sim/errors.ts';
import { openByteSource } from '../csv/byte-source.ts';
import { GPUS, Row, RowError } from '../csv/row.ts';
import { columnIndex, readRecords } from '../csv/table.ts';

const COLUMNS = ['sn', 'cpu_milli', 'memory_mib', 'gpu', 'model'];
const SIZE = { min: 0, max: 1e12 };

/** A machine of a cluster as a trace lists it. */
export interface TraceNode {
  readonly name: string;
  /** As the trace names it; null for a machine without GPUs. */
  readonly gpuType: string | null;
  readonly gpus: number;
  readonly cpuCores: number;
  readonly memoryGib: number;
}

function nodeOf(row: Row): TraceNode {
  const gpus = row.integer('gpu', GPUS);
  const gpuType = row.textOrNull('model');
  if (gpus > 0 && gpuType === null) throw new RowError('model', 'expected a GPU type, found none');
  return {
    name: row.text('sn'),
    gpuType,
    gpus,
    cpuCores: row.decimal('cpu_milli', SIZE) / 1000,
    memoryGib: row.decimal('memory_mib', SIZE) / 1024,
  };
}

/**
 * The machines in a node list of Alibaba cluster-trace-gpu-v2023, in file order. A bad row is an
 * `InputError`: a cluster with a machine missing is another cluster.
 */
export async function readOpenbNodes(path: string): Promise<readonly TraceNode[]> {
  const source = await openByteSource(path);
  const nodes: TraceNode[] = [];
  let columns: ReadonlyMap<string, number> | null = null;
  try {
    for await (const { cells, line } of readRecords(source)) {
      if (columns === null) {
        columns = columnIndex(path, cells, COLUMNS);
        continue;
      }
      try {
        nodes.push(nodeOf(new Row(columns, cells, nodes.length + 1)));
      } catch (error) {
        if (!(error instanceof RowError)) throw error;
        throw new InputError(path, line, null, `${error.column}: ${error.message}`);
      }
    }
  } finally {
    source.close();
  }
  if (nodes.length === 0) throw new InputError(path, null, null, 'lists no nodes');
  return nodes;
}
