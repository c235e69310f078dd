import { openByteSource } from '../csv/byte-source.ts';
import { type Bounds, GPUS, quoted, type Row, RowError, strictNumber } from '../csv/row.ts';
import { arrayElements } from '../json/array-elements.ts';
import { type NodeListFormat, readNodeList, type TraceNode } from './node-list.ts';
import { phillyRecord } from './philly-record.ts';

const GPU_NAME = /^gpu(\d{1,3})$/;
const MEMORY = /^\d{1,4}GB$/;
const MACHINE_GPUS: Bounds = { min: 0, max: GPUS.max };

/** What is known of the machines of Philly besides their list. */
export interface PhillyMachineFacts {
  /** GPU types by GPU memory (`12GB`, `24GB`), all that the list says; that memory itself where left out. */
  readonly gpuTypes?: ReadonlyMap<string, string>;
  /**
   * GPUs of each machine that the job log shows in use (`readPhillyUse`). The two disagree: many machines
   * listed with 2 GPUs ran jobs on 8. The larger number is taken.
   */
  readonly gpusInUse?: ReadonlyMap<string, number>;
}

/** Cells have blanks around them in this file. */
function cell(row: Row, column: string): string {
  return row.text(column).trim();
}

function phillyMachines({ gpuTypes, gpusInUse }: PhillyMachineFacts): NodeListFormat {
  return {
    name: 'philly',
    shape: { columns: ['machineId', 'number of GPUs', 'single GPU mem'], header: true },
    nodeOf(row) {
      const name = cell(row, 'machineId');
      const listed = strictNumber(cell(row, 'number of GPUs'));
      const memory = cell(row, 'single GPU mem');
      const { min, max } = MACHINE_GPUS;
      if (listed === null || !Number.isInteger(listed) || listed < min || listed > max) {
        const found = quoted(cell(row, 'number of GPUs'));
        throw new RowError('number of GPUs', `expected a whole number of GPUs, found ${found}`);
      }
      if (!MEMORY.test(memory)) {
        throw new RowError('single GPU mem', `expected memory like 24GB, found ${quoted(memory)}`);
      }
      return {
        name,
        gpuType: gpuTypes?.get(memory) ?? memory,
        gpus: Math.max(listed, gpusInUse?.get(name) ?? 0),
        cpuCores: null,
        memoryGib: null,
      };
    },
  };
}

/**
 * The machines of Microsoft Philly from its `cluster_machine_list`, in file order.
 * @throws {InputError} on a bad row, or a machine listed twice
 */
export async function readPhillyMachines(
  path: string,
  facts: PhillyMachineFacts = {},
): Promise<readonly TraceNode[]> {
  return await readNodeList(phillyMachines(facts), path);
}

/**
 * The most GPUs that the job log shows on each machine: one more than the highest number of a GPU.
 * Records that are not as documented are passed over.
 * @throws {InputError} when the log is not JSON
 */
export async function readPhillyUse(logPath: string): Promise<ReadonlyMap<string, number>> {
  const source = await openByteSource(logPath);
  const inUse = new Map<string, number>();
  try {
    for await (const { value } of arrayElements(source)) {
      for (const { machines } of attemptsOf(value)) {
        for (const { name, gpus } of machines) {
          for (const gpu of gpus) {
            const index = GPU_NAME.exec(gpu)?.[1];
            if (index === undefined) continue;
            inUse.set(name, Math.max(inUse.get(name) ?? 0, Number(index) + 1));
          }
        }
      }
    }
  } finally {
    source.close();
  }
  return inUse;
}

function attemptsOf(value: Readonly<Record<string, unknown>>) {
  try {
    return phillyRecord(value).attempts;
  } catch (error) {
    if (error instanceof RowError) return [];
    throw error;
  }
}
