import type { MeasurementTable } from '../measurement.ts';
import { type CsvRow, readCsv } from './csv.ts';
import { gpuTypeOf } from './gpu-names.ts';
import { hasColumns, type MeasurementFormat, tableOf } from './importer.ts';
import type { MeasurementOptions } from './options.ts';
import { COUNT, GAUGE_PERCENT, notNegative, positive } from './quantity.ts';
import type { TableBuilder } from './table-builder.ts';

/** Not named in the files; the authors report a cluster of these. */
const REPORTED_GPU = 'RTX3090';
const MIB_PER_GIB = 1024;

const SOLO_COLUMNS = ['model', 'dataset', 'batchsize', 'amp', 'speed', 'gpu_util', 'gmem_util'];
const PAIR_COLUMNS = ['model', 'dataset', 'batchsize', 'amp', 'speed'].flatMap((name) => [
  `${name}1`,
  `${name}2`,
]);

function gpuType(builder: TableBuilder, file: string): string {
  const type = gpuTypeOf(builder, file, REPORTED_GPU);
  if (type === REPORTED_GPU) {
    builder.assume(`gpu type ${REPORTED_GPU} of Lucid is what its paper reports, not the files`);
  }
  return type;
}

/** Name of a job: model and data set, and whether it computes in mixed precision. */
function job(row: CsvRow, side: string): { workload: string; batch: number } {
  const amp = row.number(`amp${side}`, notNegative(''));
  if (amp !== 0 && amp !== 1) throw row.fail(`amp${side}`, `expected 0 or 1, found '${amp}'`);
  const name = `${row.text(`model${side}`)}/${row.text(`dataset${side}`)}`;
  return {
    workload: amp === 1 ? `${name}/amp` : name,
    batch: row.number(`batchsize${side}`, COUNT),
  };
}

function gauges(row: CsvRow) {
  const utilisation = row.numberOrNull('gpu_util', GAUGE_PERCENT);
  const bandwidth = row.numberOrNull('gmem_util', GAUGE_PERCENT);
  const memoryMib = row.numberOrNull('gmem', positive('MiB'));
  return {
    utilisation: utilisation === null ? null : utilisation / 100,
    bandwidth: bandwidth === null ? null : bandwidth / 100,
    memoryGib: memoryMib === null ? null : memoryMib / MIB_PER_GIB,
  };
}

function readSolo(builder: TableBuilder, file: string): void {
  const table = readCsv(file, SOLO_COLUMNS);
  const type = gpuType(builder, file);
  builder.eachRow(table, (row, place) => {
    const { workload, batch } = job(row, '');
    const throughput = row.number('speed', positive('samples/s'));
    builder.add({
      gpuType: type,
      workload,
      batch,
      stepS: batch / throughput,
      throughput,
      ...gauges(row),
      source: LUCID_SOLO.name,
      row: place,
    });
  });
}

/** Each row is seen from both of its sides; gauges and memory are those of the GPU with both. */
function readPairs(builder: TableBuilder, file: string): void {
  const table = readCsv(file, PAIR_COLUMNS);
  const type = gpuType(builder, file);
  builder.eachRow(
    table,
    (row, place) => {
      const jobs = [job(row, '1'), job(row, '2')] as const;
      const speeds = [
        row.number('speed1', positive('')),
        row.number('speed2', positive('')),
      ] as const;
      const shared = gauges(row);
      const doubts: string[] = [];
      const sides = ([0, 1] as const).flatMap((me) => {
        const relativeSpeed = treatSpeed(builder, speeds[me], doubts);
        if (relativeSpeed === null) return [];
        return {
          gpuType: type,
          ...jobs[me],
          sharing: 'co-located' as const,
          coRunners: [{ ...jobs[me === 0 ? 1 : 0], share: null }],
          relativeSpeed,
          ...shared,
          source: LUCID_PAIRS.name,
          row: `${place}/${me + 1}`,
        };
      });
      builder.addTogether(sides, doubts);
    },
    2,
  );
}

/** A speed beside another job as the options have it; null when it is left out. */
function treatSpeed(builder: TableBuilder, speed: number, doubts: string[]): number | null {
  const limit = builder.option('speedLimit');
  const treatment = builder.option('overSpeed');
  if (speed <= limit) return speed;
  const reason = `speed beside another job above ${limit}`;
  if (treatment === 'drop') {
    builder.drop(reason);
    return null;
  }
  doubts.push(reason);
  return treatment === 'clamp' ? limit : speed;
}

/** Lucid solo table: speed, utilisation and memory of training jobs alone. */
export const LUCID_SOLO: MeasurementFormat = {
  name: 'lucid-solo',
  about: 'Lucid training jobs alone (single_data.csv)',
  columns: SOLO_COLUMNS,
  detect: hasColumns(SOLO_COLUMNS),
  read: (builder, files) => {
    for (const file of files) readSolo(builder, file);
  },
};

/** Lucid pair table: speed of training jobs side by side over that alone. */
export const LUCID_PAIRS: MeasurementFormat = {
  name: 'lucid-pairs',
  about: 'Lucid training jobs in pairs (colocate_info.csv)',
  columns: PAIR_COLUMNS,
  detect: hasColumns(PAIR_COLUMNS),
  read: (builder, files) => {
    for (const file of files) readPairs(builder, file);
  },
};

/** Reads a Lucid solo table; a step is one batch. @throws {InputError} */
export function importLucidSolo(file: string, options?: MeasurementOptions): MeasurementTable {
  return tableOf(LUCID_SOLO, [file], options);
}

/** Reads a Lucid pair table: two measurements a row. @throws {InputError} */
export function importLucidPairs(file: string, options?: MeasurementOptions): MeasurementTable {
  return tableOf(LUCID_PAIRS, [file], options);
}
