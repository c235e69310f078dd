import type { ShareNode, ShareTask } from '../../../policies/fgd/index.ts';
import { InputError } from '../../../sim/errors.ts';
import { type Bounds, GPUS, RowError } from '../../../traces/csv/row.ts';
import { readTable } from '../table-file.ts';

const MILLI: Bounds = { min: 0, max: 1000 };
const SIZE: Bounds = { min: 0, max: 1e12 };
/** The rank that the simulator puts before a node's name, drawn anew with each seed. */
const RANK = /^\d{4}-/;

/** A pod of the trace, in the order of arrival. */
export interface Pod {
  readonly id: string;
  readonly task: ShareTask;
}

/** Pods of an openb pod list (Alibaba cluster-trace-gpu-v2023), in file order. */
export async function readPods(path: string): Promise<readonly Pod[]> {
  const rows = await readTable(
    path,
    ['name', 'cpu_milli', 'memory_mib', 'num_gpu', 'gpu_milli'],
    (row) => {
      const gpuCount = row.integer('num_gpu', GPUS);
      const gpuMilli = row.integer('gpu_milli', MILLI);
      if (gpuCount > 0 && gpuMilli === 0)
        throw new RowError('gpu_milli', "expected 1 to 1000, found '0'");
      const models = row.textOrNull('gpu_spec')?.split('|') ?? [];
      const task: ShareTask = {
        cpuMilli: row.integer('cpu_milli', SIZE),
        memoryMib: row.integer('memory_mib', SIZE),
        gpuCount,
        gpuMilli,
        models: [...new Set(models)],
        gpuGib: null,
      };
      return { id: row.text('name'), task };
    },
  );
  return rows.map(({ item }) => item);
}

/** Nodes of an openb node list, empty, in file order. */
export async function readNodes(path: string): Promise<readonly ShareNode[]> {
  const rows = await readTable(path, ['sn', 'cpu_milli', 'memory_mib', 'gpu', 'model'], (row) => ({
    name: row.text('sn'),
    model: row.textOrNull('model') ?? '',
    cpuLeftMilli: row.integer('cpu_milli', SIZE),
    memoryLeftMib: row.integer('memory_mib', SIZE),
    gpuLeftMilli: new Array<number>(row.integer('gpu', GPUS)).fill(1000),
    gpuLeftGib: null,
    classes: new Map<string, number>(),
  }));
  return rows.map(({ item }) => item);
}

/**
 * The names with ranks that a recorded placement gives to nodes, by their names without: ties between
 * nodes go to the smaller name, and its ranks come from the random generator of the peer's language.
 */
export async function readRankedNames(path: string): Promise<ReadonlyMap<string, string>> {
  const rows = await readTable(path, ['node'], (row) => row.textOrNull('node'));
  const names = new Map<string, string>();
  for (const { item } of rows) if (item !== null) names.set(item.replace(RANK, ''), item);
  return names;
}

/** Nodes under their ranked names. @throws {InputError} when one has none */
export function rankNodes(
  nodes: readonly ShareNode[],
  names: ReadonlyMap<string, string>,
  path: string,
): readonly ShareNode[] {
  return nodes.map((node) => {
    const name = names.get(node.name);
    if (name === undefined) {
      throw new InputError(path, null, null, `names no rank for node '${node.name}'`);
    }
    return { ...node, name };
  });
}
