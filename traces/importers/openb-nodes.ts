import { type Bounds, GPUS } from '../csv/row.ts';
import { gpuTypeOf, type NodeListFormat, readNodeList, type TraceNode } from './node-list.ts';

const SIZE: Bounds = { min: 0, max: 1e12 };

/** Node list of Alibaba cluster-trace-gpu-v2023 (`openb_node_list_*.csv`). */
export const openbNodes: NodeListFormat = {
  name: 'openb',
  shape: { columns: ['sn', 'cpu_milli', 'memory_mib', 'gpu', 'model'], header: true },
  nodeOf(row) {
    const gpus = row.integer('gpu', GPUS);
    return {
      name: row.text('sn'),
      gpuType: gpuTypeOf(row, 'model', gpus),
      gpus,
      cpuCores: row.decimal('cpu_milli', SIZE) / 1000,
      memoryGib: row.decimal('memory_mib', SIZE) / 1024,
    };
  },
};

/** The machines in a node list of Alibaba cluster-trace-gpu-v2023; see `readNodeList`. */
export async function readOpenbNodes(path: string): Promise<readonly TraceNode[]> {
  return await readNodeList(openbNodes, path);
}
