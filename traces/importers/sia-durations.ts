import { InputError } from '../../sim/errors.ts';
import type { ByteSource } from '../csv/byte-source.ts';
import { type Bounds, RowError } from '../csv/row.ts';
import { readTableRows } from './table-rows.ts';

/** GPU-hours by application. */
export type GpuHours = ReadonlyMap<string, number>;

/** GPU-hours of the shortest job that their generators take: 60 s on one GPU. */
const SHORTEST_GPU_HOURS = 1 / 60;
const middle = (from: number, to: number) => Math.sqrt(from * to);
const SMALL = middle(SHORTEST_GPU_HOURS, 1);
const MEDIUM = middle(1, 10);
const LARGE = middle(10, 100);
const EXTRA_LARGE = middle(100, 1000);

/**
 * The geometric middle of the class of GPU-hours that the trace generators of Pollux (petuum/adaptdl,
 * branch osdi21-artifact) and Sia (siasosp23/artifacts) draw an application for: below 1 (and from 60 s
 * on one GPU), 1 to 10, 10 to 100, 100 to 1000.
 */
export const CLASS_MIDPOINTS: GpuHours = new Map([
  ['cifar10', SMALL],
  ['ncf', SMALL],
  ['deepspeech2', MEDIUM],
  ['bert', MEDIUM],
  ['yolov3', LARGE],
  ['imagenet', EXTRA_LARGE],
]);

const SHAPE = { columns: ['application', 'gpu_hours'], header: true };
const HOURS: Bounds = { min: 0, max: 1e8 };

/**
 * Reads GPU-hours by application from a CSV with the columns `application` and `gpu_hours`.
 * @throws {InputError} on a bad row, or an application named twice
 */
export async function readGpuHours(source: ByteSource): Promise<GpuHours> {
  const hours = new Map<string, number>();
  try {
    await readTableRows(source, SHAPE, 0, (row) => {
      const application = row.text('application');
      if (hours.has(application)) {
        throw new RowError('application', `is listed for the second time: ${application}`);
      }
      const value = row.decimal('gpu_hours', HOURS);
      if (value === 0) throw new RowError('gpu_hours', "expected above 0, found '0'");
      hours.set(application, value);
    });
  } finally {
    source.close();
  }
  if (hours.size === 0) throw new InputError(source.path, null, null, 'lists no applications');
  return hours;
}
