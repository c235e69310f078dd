import type { MeasurementTable } from '../measurement.ts';
import { type CsvRow, readCsv } from './csv.ts';
import { gpuTypeOf } from './gpu-names.ts';
import { hasColumns, type MeasurementFormat, tableOf } from './importer.ts';
import type { MeasurementOptions } from './options.ts';
import { COUNT, GAUGE_PERCENT, positive, quoted } from './quantity.ts';
import type { MeasurementFields, TableBuilder } from './table-builder.ts';

/** The one GPU type of the set. */
const MISO_GPU = 'A100-40';
/** Compute slices of a whole GPU, of an A30 and of all others. */
const SLICES = { a30: 4, other: 7 };
const ERRATIC_MODEL = 'deepspeech2';
const PLACEHOLDER = 'dummy';
/** Ratio of the 90th to the 10th percentile of the step time above which a row is doubtful. */
const WIDE = 2;
const MIB_PER_GIB = 1024;

const MIG_COLUMNS = ['mig_profile', 'model', 'batch_size', 'median_step_s'];
const POWER_COLUMNS = ['model', 'batch_size', 'power_w', 'util_sm_pct', 'util_mem_pct'];

/** SM share of a MIG slice such as `3g.20gb`. */
function shareOf(row: CsvRow, slices: number): number {
  const profile = row.text('mig_profile');
  const count = Number(/^(\d)g\.\d+gb$/.exec(profile)?.[1] ?? '0');
  if (count >= 1 && count <= slices) return count / slices;
  const detail = `expected a slice such as '3g.20gb' of at most ${slices}g, found ${quoted(profile)}`;
  throw row.fail('mig_profile', detail);
}

/** Takes a point; one of the erratic model or the placeholder as the options say. */
function add(builder: TableBuilder, point: MeasurementFields, doubts: readonly string[]): void {
  const cases = [
    [ERRATIC_MODEL, 'erratic', 'erratic model (deepspeech2)'],
    [PLACEHOLDER, 'placeholder', 'placeholder job (dummy)'],
  ] as const;
  for (const [name, option, reason] of cases) {
    if (point.workload !== name) continue;
    if (builder.option(option) === 'drop') builder.drop(reason);
    else builder.add(point, [...doubts, reason]);
    return;
  }
  builder.add(point, doubts);
}

function readMig(builder: TableBuilder, file: string): void {
  const table = readCsv(file, MIG_COLUMNS);
  const gpuType = gpuTypeOf(builder, file, MISO_GPU);
  const slices = gpuType === 'A30' ? SLICES.a30 : SLICES.other;
  builder.eachRow(table, (row, place) => {
    const point = {
      gpuType,
      workload: row.text('model'),
      batch: row.number('batch_size', COUNT),
      share: shareOf(row, slices),
      sharing: 'mig' as const,
      stepS: row.number('median_step_s', positive('s')),
      source: MISO_MIG.name,
      row: place,
    };
    const low = row.numberOrNull('p10_step_s', positive('s'));
    const high = row.numberOrNull('p90_step_s', positive('s'));
    const wide = low !== null && high !== null && high > WIDE * low;
    const spread = `step times spread more than ${WIDE} times from 10th to 90th percentile`;
    add(builder, point, wide ? [spread] : []);
  });
}

function readPower(builder: TableBuilder, file: string): void {
  const table = readCsv(file, POWER_COLUMNS);
  const gpuType = gpuTypeOf(builder, file, MISO_GPU);
  builder.eachRow(table, (row, place) => {
    const memoryMib = row.numberOrNull('memory_mib', positive('MiB'));
    const point = {
      gpuType,
      workload: row.text('model'),
      batch: row.number('batch_size', COUNT),
      powerW: row.number('power_w', positive('W')),
      utilisation: row.number('util_sm_pct', GAUGE_PERCENT) / 100,
      bandwidth: row.number('util_mem_pct', GAUGE_PERCENT) / 100,
      memoryGib: memoryMib === null ? null : memoryMib / MIB_PER_GIB,
      source: MISO_POWER.name,
      row: place,
    };
    add(builder, point, []);
  });
}

/** MISO step times on MIG slices of an A100. */
export const MISO_MIG: MeasurementFormat = {
  name: 'miso-mig',
  about: 'MISO step times on MIG slices (mig_step_time_s.csv)',
  columns: MIG_COLUMNS,
  detect: hasColumns(MIG_COLUMNS),
  read: (builder, files) => {
    for (const file of files) readMig(builder, file);
  },
};

/** MISO power against utilisation, alone on a whole A100. */
export const MISO_POWER: MeasurementFormat = {
  name: 'miso-power',
  about: 'MISO power and utilisation alone (a100_solo_power_util.csv)',
  columns: POWER_COLUMNS,
  detect: hasColumns(POWER_COLUMNS),
  read: (builder, files) => {
    for (const file of files) readPower(builder, file);
  },
};

/** Reads MISO step times on MIG slices; a step is one batch. @throws {InputError} */
export function importMisoMig(file: string, options?: MeasurementOptions): MeasurementTable {
  return tableOf(MISO_MIG, [file], options);
}

/** Reads MISO power against utilisation. @throws {InputError} */
export function importMisoPower(file: string, options?: MeasurementOptions): MeasurementTable {
  return tableOf(MISO_POWER, [file], options);
}
