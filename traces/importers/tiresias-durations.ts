import { InputError } from '../../sim/errors.ts';
import { openByteSource } from '../csv/byte-source.ts';
import { TIME_S } from '../csv/row.ts';
import { readTableRows } from './table-rows.ts';

const COLUMN = 'duration';

/**
 * A sample of GPU times of jobs, in GPU-seconds and file order, from a file with the one column
 * `duration` (Tiresias, simulator/yarn-gput1000.csv): what a Gittins index is computed from.
 *
 * @throws {InputError} when it is no such file, or empty
 */
export async function readDurationSample(path: string): Promise<readonly number[]> {
  const source = await openByteSource(path);
  const sample: number[] = [];
  try {
    await readTableRows(source, { columns: [COLUMN], header: true }, 0, (row) => {
      sample.push(row.decimal(COLUMN, TIME_S));
    });
  } finally {
    source.close();
  }
  if (sample.length === 0) throw new InputError(path, null, null, 'has no durations');
  return sample;
}
