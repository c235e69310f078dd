import type { MeasurementTable } from '../measurement.ts';
import { readCsv } from './csv.ts';
import { gpuTypeOf } from './gpu-names.ts';
import { hasColumns, type MeasurementFormat, tableOf } from './importer.ts';
import type { MeasurementOptions } from './options.ts';
import { COUNT, GAUGE_PERCENT, positive, SHARE_PERCENT } from './quantity.ts';
import type { TableBuilder } from './table-builder.ts';

/** How the data set is named in provenance. */
export const IGNITER_SOURCE =
  'iGniter V100 profiles (github.com/icloud-ecnu/igniter, commit b1ff2ab; TPDS 2023), V100-SXM2, TensorRT inference under MPS at 1530 MHz';

/** The one GPU type of the set. */
export const IGNITER_GPU = 'V100';

const SOLO_COLUMNS = ['model', 'batch', 'thread_pct', 'latency_ms'];
const PAIR_COLUMNS = ['model', 'batch', 'thread_pct', 'latency', 'slowdown'].flatMap((name) =>
  [1, 2].map((side) => (name === 'latency' ? `latency${side}_ms` : `${name}${side}`)),
);

/** iGniter solo table: latency of inference models alone, over batch and MPS share. */
export const IGNITER_SOLO: MeasurementFormat = {
  name: 'igniter-solo',
  about: 'iGniter latencies alone over batch and MPS share (solo.csv)',
  columns: SOLO_COLUMNS,
  detect: hasColumns(SOLO_COLUMNS),
  read: (builder, files) => {
    for (const file of files) readSolo(builder, file);
  },
};

/** iGniter pair table: latencies of two inference models side by side under MPS shares. */
export const IGNITER_PAIRS: MeasurementFormat = {
  name: 'igniter-pairs',
  about: 'iGniter latencies of pairs under MPS shares (pairs.csv)',
  columns: PAIR_COLUMNS,
  detect: hasColumns(PAIR_COLUMNS),
  read: (builder, files) => {
    for (const file of files) readPairs(builder, file);
  },
};

function readSolo(builder: TableBuilder, file: string): void {
  const table = readCsv(file, SOLO_COLUMNS);
  const gpuType = gpuTypeOf(builder, file, IGNITER_GPU);
  builder.eachRow(table, (row, place) => {
    builder.add({
      gpuType,
      workload: row.text('model'),
      batch: row.number('batch', COUNT),
      share: row.number('thread_pct', SHARE_PERCENT) / 100,
      sharing: 'mps',
      stepS: row.number('latency_ms', positive('ms')) / 1000,
      throughput: row.numberOrNull('throughput_img_s', positive('images/s')),
      l2: percent(row.numberOrNull('l2_pct', GAUGE_PERCENT)),
      bandwidth: percent(row.numberOrNull('dram_pct', GAUGE_PERCENT)),
      source: IGNITER_SOLO.name,
      row: place,
    });
  });
}

/** Each row is seen from both of its sides; gauges are those of the model alone at its share. */
function readPairs(builder: TableBuilder, file: string): void {
  const table = readCsv(file, PAIR_COLUMNS);
  const gpuType = gpuTypeOf(builder, file, IGNITER_GPU);
  builder.eachRow(
    table,
    (row, place) => {
      const side = (me: 1 | 2) => ({
        workload: row.text(`model${me}`),
        batch: row.number(`batch${me}`, COUNT),
        share: row.number(`thread_pct${me}`, SHARE_PERCENT) / 100,
      });
      const speed = (me: 1 | 2) => ({
        stepS: row.number(`latency${me}_ms`, positive('ms')) / 1000,
        relativeSpeed: 1 / row.number(`slowdown${me}`, positive('')),
        l2: percent(row.numberOrNull(`l2_${me}_pct`, GAUGE_PERCENT)),
        bandwidth: percent(row.numberOrNull(`dram_${me}_pct`, GAUGE_PERCENT)),
      });
      const sides = [side(1), side(2)] as const;
      const speeds = [speed(1), speed(2)] as const;
      builder.addTogether(
        ([0, 1] as const).map((me) => ({
          gpuType,
          ...sides[me],
          sharing: 'mps' as const,
          coRunners: [sides[me === 0 ? 1 : 0]],
          ...speeds[me],
          source: IGNITER_PAIRS.name,
          row: `${place}/${me + 1}`,
        })),
      );
    },
    2,
  );
}

function percent(value: number | null): number | null {
  return value === null ? null : value / 100;
}

/** Reads an iGniter solo table; a step is one batch. @throws {InputError} */
export function importIgniterSolo(file: string, options?: MeasurementOptions): MeasurementTable {
  return tableOf(IGNITER_SOLO, [file], options);
}

/** Reads an iGniter pair table: two measurements a row. @throws {InputError} */
export function importIgniterPairs(file: string, options?: MeasurementOptions): MeasurementTable {
  return tableOf(IGNITER_PAIRS, [file], options);
}
