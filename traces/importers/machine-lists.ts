import { InputError } from '../../sim/errors.ts';
import { openByteSource } from '../csv/byte-source.ts';
import { quoted } from '../csv/row.ts';
import { headerNames } from '../csv/table.ts';
import { type NodeListFormat, readNodeList, type TraceNode } from './node-list.ts';
import { openbNodes } from './openb-nodes.ts';
import { paiMachines } from './pai-machines.ts';
import { readPhillyMachines } from './philly-machines.ts';
import { spotGpuNodes } from './spot-gpu-nodes.ts';

/** A way to list the machines of a cluster. */
interface MachineList {
  readonly name: string;
  /** Whether a list with this first line is one. */
  readonly matches: (cells: readonly string[]) => boolean;
  readonly read: (path: string) => Promise<readonly TraceNode[]>;
}

function listOf(format: NodeListFormat): MachineList {
  const { columns, header } = format.shape;
  return {
    name: format.name,
    matches: (cells) =>
      header ? columns.every((column) => cells.includes(column)) : cells.length === columns.length,
    read: (path) => readNodeList(format, path),
  };
}

/** Those with a header first: without one only the number of cells tells. */
const LISTS: readonly MachineList[] = [
  listOf(openbNodes),
  listOf(spotGpuNodes),
  { name: 'philly', matches: (cells) => cells.includes('machineId'), read: readPhillyMachines },
  listOf(paiMachines),
];

/**
 * The machines of a cluster in a list of any known kind, recognised by its first line.
 * @throws {InputError} when it is of none, or a row is bad
 */
export async function readMachines(path: string): Promise<readonly TraceNode[]> {
  const source = await openByteSource(path);
  source.close();
  const { firstLine } = source;
  const list = LISTS.find(({ matches }) => matches(headerNames(firstLine)));
  if (list !== undefined) return await list.read(path);
  const known = LISTS.map(({ name }) => quoted(name)).join(', ');
  const detail = `machine list not recognised by the first line ${quoted(firstLine)}; known: ${known}`;
  throw new InputError(path, 1, null, detail);
}
