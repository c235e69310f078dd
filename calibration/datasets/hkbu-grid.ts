import type { MeasurementTable } from '../measurement.ts';
import { missingColumn, readCsv } from './csv.ts';
import { gpuTypeOf } from './gpu-names.ts';
import { hkbuNames } from './hkbu-names.ts';
import { hasColumns, type MeasurementFormat, tableOf } from './importer.ts';
import type { MeasurementOptions } from './options.ts';
import { positive } from './quantity.ts';
import type { TableBuilder } from './table-builder.ts';

const COLUMNS = ['appName', 'coreF', 'memF', 'time/ms'];

function readFile(builder: TableBuilder, file: string): void {
  const table = readCsv(file, COLUMNS);
  const power = table.header.includes('power/W')
    ? 'power/W'
    : table.header.findLast((name) => /power/i.test(name));
  if (power === undefined) throw missingColumn(file, 'power/W', table.header);
  const gpuType = gpuTypeOf(builder, file);
  const nameOf = hkbuNames(table.rows, 'appName');
  builder.eachRow(table, (row, place) => {
    builder.add({
      gpuType,
      workload: nameOf(row),
      coreMhz: row.number('coreF', positive('MHz')),
      memoryMhz: row.number('memF', positive('MHz')),
      stepS: row.number('time/ms', positive('ms')) / 1000,
      powerW: row.number(power, positive('W')),
      source: HKBU_GRID.name,
      row: place,
    });
  });
}

/** HKBU grid: kernel time and power over core and memory clocks. */
export const HKBU_GRID: MeasurementFormat = {
  name: 'hkbu-grid',
  about: 'HKBU grids of core and memory clocks (*-dvfs-real-Performance-Power.csv)',
  columns: COLUMNS,
  detect: hasColumns(COLUMNS),
  read: (builder, files) => {
    for (const file of files) readFile(builder, file);
  },
};

/** Reads one HKBU grid of core and memory clocks; a step is a kernel launch. @throws {InputError} */
export function importHkbuGrid(file: string, options?: MeasurementOptions): MeasurementTable {
  return tableOf(HKBU_GRID, [file], options);
}
