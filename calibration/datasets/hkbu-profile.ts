import type { MeasurementTable } from '../measurement.ts';
import { readCsv } from './csv.ts';
import { gpuTypeOf } from './gpu-names.ts';
import { hkbuNames } from './hkbu-names.ts';
import { hasColumns, type MeasurementFormat, tableOf } from './importer.ts';
import type { MeasurementOptions } from './options.ts';
import { GAUGE, positive } from './quantity.ts';
import type { TableBuilder } from './table-builder.ts';

const COLUMNS = ['benchmark', 'core_frequency', 'memory_frequency', 'average_power', 'time'];

/** Below this clock the V100 rows are not clean; the authors leave them out as well. */
const V100_MIN_CORE_MHZ = 700;

function readFile(builder: TableBuilder, file: string): void {
  const table = readCsv(file, COLUMNS);
  const gpuType = gpuTypeOf(builder, file);
  const rule = `${V100_MIN_CORE_MHZ} on a V100, else 0`;
  const minCoreMhz =
    builder.given('minCoreMhz', rule) ?? (gpuType === 'V100' ? V100_MIN_CORE_MHZ : 0);
  const nameOf = hkbuNames(table.rows, 'benchmark');
  builder.eachRow(table, (row, place) => {
    const coreMhz = row.number('core_frequency', positive('MHz'));
    const point = {
      gpuType,
      workload: nameOf(row),
      coreMhz,
      memoryMhz: row.number('memory_frequency', positive('MHz')),
      stepS: row.number('time', positive('ms')) / 1000,
      powerW: row.number('average_power', positive('W')),
      utilisation: row.numberOrNull('SMACT', GAUGE),
      bandwidth: row.numberOrNull('DRAMA', GAUGE),
      source: HKBU_PROFILE.name,
      row: place,
    };
    if (coreMhz < minCoreMhz) {
      builder.drop(`core clock below ${minCoreMhz} MHz`);
      return;
    }
    const counters = point.utilisation !== null && point.bandwidth !== null;
    builder.add(point, counters ? [] : ['no activity counters']);
  });
}

/** HKBU profile: kernel time, power and activity counters over core clocks. */
export const HKBU_PROFILE: MeasurementFormat = {
  name: 'hkbu-profile',
  about: 'HKBU profiles over core clocks (*-dvfs-*-profile.csv)',
  columns: COLUMNS,
  detect: hasColumns(COLUMNS),
  read: (builder, files) => {
    for (const file of files) readFile(builder, file);
  },
};

/** Reads one HKBU profile over core clocks; a step is a kernel launch. @throws {InputError} */
export function importHkbuProfile(file: string, options?: MeasurementOptions): MeasurementTable {
  return tableOf(HKBU_PROFILE, [file], options);
}
