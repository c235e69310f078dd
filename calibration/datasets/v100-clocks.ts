import { InputError } from '../../sim/errors.ts';
import { type CsvRow, readCsv } from './csv.ts';

/** Power and normalised performance of one application over locked core clocks. */
export interface ClockSweep {
  readonly app: string;
  readonly clocksMhz: readonly number[];
  readonly powerW: readonly number[];
  /** Step time over the step time at the highest clock: the inverse of the performance given. */
  readonly timeRatio: readonly number[];
}

/** How the data set is named in provenance. */
export const V100_CLOCKS_SOURCE =
  'GPU-DVFS-Dataset (github.com/zyjopensource/GPU-DVFS-Dataset, commit b25725f), V100, locked core clocks 757..1530 MHz, each the mean of at least 5 runs';

const CLOCK_COLUMN = 'frequency(MHz)';

/**
 * Reads the V100 clock set: `dataset_power.csv` in watts and `dataset_performance.csv` normalised to
 * the highest clock; the first column names the application, the header the clocks.
 */
export function readV100Clocks(folder: string): ClockSweep[] {
  const performance = new Map(
    readCsv(folder, 'dataset_performance.csv').map((row) => [row.text(CLOCK_COLUMN), row]),
  );
  return readCsv(folder, 'dataset_power.csv').map((row) => {
    const app = row.text(CLOCK_COLUMN);
    const matching = performance.get(app);
    if (matching === undefined) {
      throw new InputError(folder, null, null, `expected performance of '${app}', found none`);
    }
    return {
      app,
      clocksMhz: clockColumns(row).map(Number),
      powerW: clockColumns(row).map(row.number),
      timeRatio: clockColumns(row).map((column) => 1 / matching.number(column)),
    };
  });
}

function clockColumns(row: CsvRow): string[] {
  return row.columns.filter((column) => column !== CLOCK_COLUMN);
}
