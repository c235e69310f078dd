import { InputError } from '../../sim/errors.ts';
import type { MeasurementTable } from '../measurement.ts';
import { type CsvTable, readCsv } from './csv.ts';
import { gpuTypeOf } from './gpu-names.ts';
import { hasColumns, type MeasurementFormat, tableOf } from './importer.ts';
import type { MeasurementOptions } from './options.ts';
import { COUNT, GAUGE_PERCENT, positive, type Quantity } from './quantity.ts';
import type { TableBuilder } from './table-builder.ts';

const DURATION = 'avg_duration(ms)';
const UTIL_COLUMNS = ['bench', 'batch', DURATION, 'SM_util(%)', 'l2_util(%)', 'mem_util(%)'];
const CONSTANT_COLUMNS = [
  ...['l2_util_m1', 'l2_util_m2', 'dram_util_m1', 'dram_util_m2', 'constant'],
];
/** A coefficient may have any sign. */
const COEFFICIENT: Quantity = { unit: '', min: -1e6, aboveMin: false, max: 1e6 };

/** Seconds in the unit of the durations: one file states ms and is in seconds. */
function secondsPerUnit(builder: TableBuilder, table: CsvTable): number {
  const unit = builder.option('durationUnit');
  if (unit !== 'auto') return unit === 's' ? 1 : 1e-3;
  const inSeconds = table.rows.every((row) => !(Number(row.raw(DURATION)) >= 1));
  if (!inSeconds) return 1e-3;
  builder.flag(
    'duration headed ms but below 1 in the whole file: taken as seconds',
    table.rows.length,
  );
  return 1;
}

function readUtil(builder: TableBuilder, file: string): void {
  const table = readCsv(file, UTIL_COLUMNS);
  const gpuType = gpuTypeOf(builder, file);
  const unit = secondsPerUnit(builder, table);
  builder.eachRow(table, (row, place) => {
    builder.add({
      gpuType,
      workload: row.text('bench'),
      batch: row.number('batch', COUNT),
      stepS: row.number(DURATION, positive(unit === 1 ? 's' : 'ms')) * unit,
      utilisation: row.number('SM_util(%)', GAUGE_PERCENT) / 100,
      bandwidth: row.number('mem_util(%)', GAUGE_PERCENT) / 100,
      l2: row.number('l2_util(%)', GAUGE_PERCENT) / 100,
      source: GPULET_UTIL.name,
      row: place,
    });
  });
}

/** gpu-lets utilisation table: duration and utilisation of inference models alone. */
export const GPULET_UTIL: MeasurementFormat = {
  name: 'gpulet',
  about: 'gpu-lets durations and utilisation alone (*_UTIL.CSV)',
  columns: UTIL_COLUMNS,
  detect: hasColumns(UTIL_COLUMNS),
  read: (builder, files) => {
    for (const file of files) readUtil(builder, file);
  },
};

/** gpu-lets interference constants: a fitted model, of which the table takes no row. */
export const GPULET_CONSTANTS: MeasurementFormat = {
  name: 'gpulet-constants',
  about: 'gpu-lets interference coefficients (*_INT_MODEL_CONSTANT.CSV); no measurements',
  columns: CONSTANT_COLUMNS,
  detect: hasColumns(CONSTANT_COLUMNS),
  read: (builder, files) => {
    for (const file of files) {
      readGpuletConstants(file);
      builder.file(file);
      builder.drop('coefficients of a fitted model, no measurement');
    }
  },
};

/**
 * Slowdown of a job beside another by the linear model of gpu-lets:
 * `ownL2 * l2 + otherL2 * l2 of the other + ownDram * bandwidth + otherDram * bandwidth of the other
 * + constant`, each times the share of its job.
 */
export interface GpuletConstants {
  readonly ownL2: number;
  readonly otherL2: number;
  readonly ownDram: number;
  readonly otherDram: number;
  readonly constant: number;
}

/** Reads the coefficients of the linear interference model of gpu-lets. @throws {InputError} */
export function readGpuletConstants(file: string): GpuletConstants {
  const [row, more] = readCsv(file, CONSTANT_COLUMNS).rows;
  if (row === undefined || more !== undefined) {
    throw new InputError(file, more?.line ?? 2, 1, 'expected one row of coefficients');
  }
  const at = (column: string): number => row.number(column, COEFFICIENT);
  return {
    ownL2: at('l2_util_m1'),
    otherL2: at('l2_util_m2'),
    ownDram: at('dram_util_m1'),
    otherDram: at('dram_util_m2'),
    constant: at('constant'),
  };
}

/** Reads a gpu-lets utilisation table; a step is one batch. @throws {InputError} */
export function importGpulet(file: string, options?: MeasurementOptions): MeasurementTable {
  return tableOf(GPULET_UTIL, [file], options);
}
