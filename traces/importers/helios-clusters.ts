import type { NodeGroupSpec } from '../../sim/cluster/cluster.ts';
import { InputError } from '../../sim/errors.ts';
import { openByteSource } from '../csv/byte-source.ts';
import { GPUS, quoted, type Row, RowError } from '../csv/row.ts';
import { headerNames } from '../csv/table.ts';
import { wallClockS } from '../csv/wall-clock.ts';
import { readTableRows } from './table-rows.ts';

const GPUS_PER_NODE = 8;

/** The GPUs of a Helios cluster on one day. */
export interface HeliosDay {
  /** `2020-09-01` */
  readonly date: string;
  readonly gpus: number;
  /** GPUs of each virtual cluster, none for one that is closed. */
  readonly gpusOf: ReadonlyMap<string, number>;
}

function isDate(text: string): boolean {
  return wallClockS(`${text} 00:00:00`) !== null;
}

function dayOf(row: Row, names: readonly string[]): HeliosDay {
  const date = row.text('date');
  if (!isDate(date)) throw new RowError('date', `expected YYYY-MM-DD, found ${quoted(date)}`);
  const gpusOf = new Map<string, number>();
  let sum = 0;
  for (const name of names) {
    if (name === 'date' || name === 'total') continue;
    const gpus = row.integer(name, GPUS);
    gpusOf.set(name, gpus);
    sum += gpus;
  }
  const gpus = row.integer('total', GPUS);
  if (gpus === sum) return { date, gpus, gpusOf };
  throw new RowError('total', `expected the sum of the columns, ${sum}, found '${gpus}'`);
}

/**
 * The GPUs of a Helios cluster and of each of its virtual clusters by day, from its
 * `cluster_gpu_number.csv`: `date`, a column a virtual cluster, `total`.
 *
 * @throws {InputError} on a bad row, a day that is not after the one before, or a total that is not the sum
 */
export async function readHeliosDays(path: string): Promise<readonly HeliosDay[]> {
  const source = await openByteSource(path);
  const shape = { columns: ['date', 'total'], header: true };
  const names = headerNames(source.firstLine);
  const days: HeliosDay[] = [];
  try {
    await readTableRows(source, shape, 0, (row) => {
      const day = dayOf(row, names);
      const before = days.at(-1)?.date ?? '';
      if (day.date <= before) {
        throw new RowError('date', `expected a day after ${before}, found '${day.date}'`);
      }
      days.push(day);
    });
  } finally {
    source.close();
  }
  if (days.length === 0) throw new InputError(path, null, null, 'lists no days');
  return days;
}

/**
 * The day of a date.
 * @throws {InputError} when the list does not have it
 */
export function heliosDay(path: string, days: readonly HeliosDay[], date: string): HeliosDay {
  const day = days.find((each) => each.date === date);
  if (day !== undefined) return day;
  const range = `${days.at(0)?.date} to ${days.at(-1)?.date}`;
  throw new InputError(path, null, null, `has no day ${quoted(date)}; it has ${range}`);
}

/**
 * Nodes of 8 GPUs, as all of Helios' are, for so many GPUs of a cluster or virtual cluster; a rest is one
 * smaller node. The list does not name GPU types, so the type is the caller's.
 */
export function heliosNodes(gpus: number, gpuType: string): readonly NodeGroupSpec[] {
  const rest = gpus % GPUS_PER_NODE;
  const nodes = (gpus - rest) / GPUS_PER_NODE;
  return [
    ...(nodes > 0 ? [{ gpuType, gpusPerNode: GPUS_PER_NODE, nodes }] : []),
    ...(rest > 0 ? [{ gpuType, gpusPerNode: rest, nodes: 1 }] : []),
  ];
}
