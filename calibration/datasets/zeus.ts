import type { MeasurementTable } from '../measurement.ts';
import { readCsv } from './csv.ts';
import { gpuTypeOf } from './gpu-names.ts';
import { hasColumns, type MeasurementFormat, tableOf } from './importer.ts';
import type { MeasurementOptions } from './options.ts';
import { addUnderCap } from './over-cap.ts';
import { COUNT, positive } from './quantity.ts';
import type { TableBuilder } from './table-builder.ts';

/** How the data set is named in provenance. */
export const ZEUS_SOURCE =
  'Zeus power-limit traces (github.com/ml-energy/zeus, commit 75a8b93, Apache-2.0)';

/** Name of a training job of the Zeus traces in the canonical table. */
export function zeusWorkload(network: string, dataset: string, optimizer: string): string {
  return `${network}/${dataset}/${optimizer}`;
}

const COLUMNS = [
  ...['dataset', 'network', 'batch_size', 'optimizer'],
  ...['power_limit', 'time_per_epoch', 'average_power'],
];

function readFile(builder: TableBuilder, file: string): void {
  const gpuType = gpuTypeOf(builder, file);
  builder.eachRow(readCsv(file, COLUMNS), (row, place) => {
    addUnderCap(builder, {
      gpuType,
      workload: zeusWorkload(row.text('network'), row.text('dataset'), row.text('optimizer')),
      batch: row.number('batch_size', COUNT),
      powerCapW: row.number('power_limit', positive('W')),
      stepS: row.number('time_per_epoch', positive('s')),
      powerW: row.number('average_power', positive('W')),
      source: ZEUS.name,
      row: place,
    });
  });
}

/** Zeus power-limit CSV: epoch time and average power of training jobs under power caps. */
export const ZEUS: MeasurementFormat = {
  name: 'zeus',
  about: 'Zeus power-limit CSV (summary_power_*.csv)',
  columns: COLUMNS,
  detect: hasColumns(COLUMNS),
  read: (builder, files) => {
    for (const file of files) readFile(builder, file);
  },
};

/** Reads one Zeus power-limit CSV; a step is an epoch. @throws {InputError} */
export function importZeus(file: string, options?: MeasurementOptions): MeasurementTable {
  return tableOf(ZEUS, [file], options);
}
