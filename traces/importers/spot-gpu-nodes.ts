import { type Bounds, GPUS } from '../csv/row.ts';
import { gpuTypeOf, type NodeListFormat, readNodeList, type TraceNode } from './node-list.ts';

const SIZE: Bounds = { min: 0, max: 1e12 };

/** Node list of Alibaba cluster-trace-v2026-spot-gpu (`node_info_df.csv`); it has no host memory. */
export const spotGpuNodes: NodeListFormat = {
  name: 'spot-gpu',
  shape: { columns: ['gpu_model', 'gpu_capacity_num', 'cpu_num', 'node_name'], header: true },
  nodeOf(row) {
    const gpus = row.integer('gpu_capacity_num', GPUS);
    return {
      name: row.text('node_name'),
      gpuType: gpuTypeOf(row, 'gpu_model', gpus),
      gpus,
      cpuCores: row.decimal('cpu_num', SIZE),
      memoryGib: null,
    };
  },
};

/** The machines of Alibaba cluster-trace-v2026-spot-gpu; see `readNodeList`. */
export async function readSpotGpuNodes(path: string): Promise<readonly TraceNode[]> {
  return await readNodeList(spotGpuNodes, path);
}
