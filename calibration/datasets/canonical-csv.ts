import path from 'node:path';
import { nearest } from '../../sim/errors.ts';
import type { CoRunner, Measurement, MeasurementTable } from '../measurement.ts';
import { type CsvRow, type CsvTable, MissingValue, missingColumn, readCsv } from './csv.ts';
import { canonicalGpuName } from './gpu-names.ts';
import { hasColumns, type MeasurementFormat, tableOf } from './importer.ts';
import type { MeasurementOptions } from './options.ts';
import { addUnderCap } from './over-cap.ts';
import { COUNT, GAUGE, parseQuantity, positive, type Quantity, quoted, SHARE } from './quantity.ts';
import type { TableBuilder } from './table-builder.ts';

const NEEDED = ['gpuType', 'workload'];
const SHARINGS = ['alone', 'mps', 'mig', 'co-located'] as const;

/** Columns that hold a number, with what it may be. */
const NUMBERS = {
  batch: COUNT,
  coreMhz: positive('MHz'),
  memoryMhz: positive('MHz'),
  powerCapW: positive('W'),
  share: SHARE,
  stepS: positive('s'),
  throughput: positive('1/s'),
  relativeSpeed: positive(''),
  powerW: positive('W'),
  achievedMhz: positive('MHz'),
  utilisation: GAUGE,
  bandwidth: GAUGE,
  l2: GAUGE,
  memoryGib: positive('GiB'),
} as const satisfies Partial<Record<keyof Measurement, Quantity>>;

type NumberColumn = keyof typeof NUMBERS;
const MEASURED: readonly NumberColumn[] = ['stepS', 'throughput', 'relativeSpeed', 'powerW'];

/** Every column of the canonical CSV, in the order of the documentation. */
export const CANONICAL_COLUMNS: readonly string[] = [
  ...NEEDED,
  ...['batch', 'coreMhz', 'memoryMhz', 'powerCapW', 'share', 'sharing', 'coRunners', 'stepS'],
  ...['throughput', 'normalised', 'relativeSpeed', 'powerW', 'achievedMhz', 'utilisation'],
  ...['bandwidth', 'l2', 'memoryGib', 'gpus', 'acrossNodes', 'source', 'row'],
];

function word<T extends string>(row: CsvRow, column: string, words: readonly T[]): T | null {
  const text = row.raw(column);
  if (text === '') return null;
  const found = words.find((candidate) => candidate === text);
  if (found !== undefined) return found;
  throw row.fail(column, `expected ${words.map(quoted).join(' or ')}, found ${quoted(text)}`);
}

/** Co-runners as `workload|batch|share;workload|batch|share`, batch and share may be empty. */
function coRunners(row: CsvRow): CoRunner[] {
  const text = row.raw('coRunners');
  if (text === '') return [];
  return text.split(';').map((item) => {
    const [workload = '', batch = '', share = '', ...more] = item.split('|').map((it) => it.trim());
    if (workload === '' || more.length > 0) {
      const detail = `expected 'workload|batch|share' of each, found ${quoted(item)}`;
      throw row.fail('coRunners', detail);
    }
    const number = (cell: string, quantity: Quantity): number | null => {
      if (cell === '') return null;
      const value = parseQuantity(cell, quantity);
      if (typeof value === 'string') throw row.fail('coRunners', value);
      return value;
    };
    return { workload, batch: number(batch, NUMBERS.batch), share: number(share, SHARE) };
  });
}

function sharingOf(row: CsvRow, share: number | null, beside: number): Measurement['sharing'] {
  const given = word(row, 'sharing', SHARINGS);
  if (given === 'alone' && beside > 0) {
    throw row.fail('sharing', `expected 'mps' or 'co-located' with coRunners, found 'alone'`);
  }
  if (given !== null) return given;
  if (share !== null) return 'mps';
  return beside > 0 ? 'co-located' : 'alone';
}

function gangOf(row: CsvRow): Pick<Measurement, 'gpus' | 'acrossNodes'> {
  const gpus = row.numberOrNull('gpus', COUNT) ?? 1;
  const across = word(row, 'acrossNodes', ['true', 'false']) === 'true';
  return gpus === 1 ? {} : { gpus, acrossNodes: across };
}

function readRow(builder: TableBuilder, row: CsvRow, place: string): void {
  const numbers = Object.fromEntries(
    Object.entries(NUMBERS).map(([name, quantity]) => [name, row.numberOrNull(name, quantity)]),
  ) as Record<NumberColumn, number | null>;
  const beside = coRunners(row);
  const gang = gangOf(row);
  const point = {
    gpuType: canonicalGpuName(row.text('gpuType')),
    workload: row.text('workload'),
    ...numbers,
    sharing: sharingOf(row, numbers.share, beside.length),
    coRunners: beside,
    normalised: word(row, 'normalised', ['true', 'false']) === 'true',
    ...gang,
    source: row.raw('source') === '' ? path.basename(row.file) : row.raw('source'),
    row: row.raw('row') === '' ? place : row.raw('row'),
  };
  if (MEASURED.every((name) => numbers[name] === null)) {
    throw new MissingValue(row.file, row.line, null, 'stepS, throughput, relativeSpeed or powerW');
  }
  if (gang.gpus !== undefined && builder.option('gangs') === 'drop') {
    builder.drop('job on several GPUs');
    return;
  }
  addUnderCap(builder, point);
}

/** Columns that are not known: a slip of the pen is an error, any other column is left out. */
function checkColumns(builder: TableBuilder, { file, header }: CsvTable): void {
  for (const name of header) {
    if (name === '' || CANONICAL_COLUMNS.includes(name)) continue;
    const near = nearest(name, CANONICAL_COLUMNS);
    if (near !== null && !header.includes(near)) throw missingColumn(file, near, header);
    builder.assume(`column ${quoted(name)} of ${path.basename(file)} left out: not a known one`);
  }
  if (!MEASURED.some((name) => header.includes(name))) throw missingColumn(file, 'stepS', header);
}

/** A user's own measurements in the canonical columns. */
export const CANONICAL_CSV: MeasurementFormat = {
  name: 'csv',
  about: 'own measurements in the canonical columns',
  columns: NEEDED,
  detect: hasColumns(NEEDED),
  read: (builder, files) => {
    for (const file of files) {
      const table = readCsv(file, NEEDED);
      checkColumns(builder, table);
      builder.eachRow(table, (row, place) => {
        readRow(builder, row, place);
      });
    }
  },
};

/** Reads a CSV file in the canonical columns (docs/measurements.md). @throws {InputError} */
export function importCanonicalCsv(file: string, options?: MeasurementOptions): MeasurementTable {
  return tableOf(CANONICAL_CSV, [file], options);
}
