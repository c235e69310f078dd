import { type Bounds, GPUS } from '../csv/row.ts';
import { gpuTypeOf, type NodeListFormat, readNodeList, type TraceNode } from './node-list.ts';
import { PAI_TABLES } from './pai-tables.ts';

const SIZE: Bounds = { min: 0, max: 1e12 };

/**
 * Machine list of Alibaba PAI v2020 (`pai_machine_spec.csv`, no header). Its type `MISC` is a mix of
 * older GPUs; machines of type `CPU` have none.
 */
export const paiMachines: NodeListFormat = {
  name: 'pai',
  shape: { columns: PAI_TABLES.pai_machine_spec, header: false },
  nodeOf(row) {
    const gpus = row.integer('cap_gpu', GPUS);
    return {
      name: row.text('machine'),
      gpuType: gpuTypeOf(row, 'gpu_type', gpus),
      gpus,
      cpuCores: row.decimal('cap_cpu', SIZE),
      memoryGib: row.decimal('cap_mem', SIZE),
    };
  },
};

/** The machines of Alibaba PAI v2020; see `readNodeList`. */
export async function readPaiMachines(path: string): Promise<readonly TraceNode[]> {
  return await readNodeList(paiMachines, path);
}
