import type { NodeGroupSpec } from '../../sim/cluster/cluster.ts';
import { InputError } from '../../sim/errors.ts';
import { openByteSource } from '../csv/byte-source.ts';
import { type Row, RowError } from '../csv/row.ts';
import { readTableRows, type TableShape } from './table-rows.ts';

/** A machine of a cluster as a trace lists it. */
export interface TraceNode {
  readonly name: string;
  /** As the trace names it; null for a machine without GPUs. */
  readonly gpuType: string | null;
  readonly gpus: number;
  /** Null where the list does not say. */
  readonly cpuCores: number | null;
  /** Null where the list does not say. */
  readonly memoryGib: number | null;
}

/** How a trace lists the machines of its cluster. */
export interface NodeListFormat {
  readonly name: string;
  readonly shape: TableShape;
  /** Throws `RowError` for a bad row. */
  nodeOf(row: Row): TraceNode;
}

/** A GPU type, which a machine with GPUs must have. */
export function gpuTypeOf(row: Row, column: string, gpus: number): string | null {
  if (gpus === 0) return null;
  const type = row.textOrNull(column);
  if (type === null) throw new RowError(column, 'expected a GPU type, found none');
  return type;
}

/**
 * The machines in a list, in file order. A bad row is an `InputError`, and so are two machines of one
 * name: a cluster with a machine missing is another cluster.
 */
export async function readNodeList(
  format: NodeListFormat,
  path: string,
): Promise<readonly TraceNode[]> {
  const source = await openByteSource(path);
  const nodes: TraceNode[] = [];
  const names = new Set<string>();
  try {
    await readTableRows(source, format.shape, 0, (row) => {
      const node = format.nodeOf(row);
      if (names.has(node.name)) throw new RowError(null, `lists ${node.name} for the second time`);
      names.add(node.name);
      nodes.push(node);
    });
  } finally {
    source.close();
  }
  if (nodes.length === 0) throw new InputError(path, null, null, 'lists no nodes');
  return nodes;
}

/**
 * The machines with GPUs as groups of alike ones, for a cluster: first by type, in order of first
 * appearance, then by GPUs a machine, most first. Machines without GPUs are left out.
 */
export function nodeGroups(nodes: readonly TraceNode[]): readonly NodeGroupSpec[] {
  const byType = new Map<string, Map<number, number>>();
  for (const { gpuType, gpus } of nodes) {
    if (gpuType === null || gpus === 0) continue;
    const bySize = byType.get(gpuType) ?? new Map<number, number>();
    byType.set(gpuType, bySize);
    bySize.set(gpus, (bySize.get(gpus) ?? 0) + 1);
  }
  return [...byType].flatMap(([gpuType, bySize]) =>
    [...bySize]
      .toSorted(([a], [b]) => b - a)
      .map(([gpusPerNode, count]) => ({ gpuType, gpusPerNode, nodes: count })),
  );
}
