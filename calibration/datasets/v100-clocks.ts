import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { InputError } from '../../sim/errors.ts';
import type { MeasurementTable } from '../measurement.ts';
import { type CsvRow, type CsvTable, readCsv } from './csv.ts';
import { gpuTypeOf } from './gpu-names.ts';
import { type MeasurementFormat, tableOf } from './importer.ts';
import type { MeasurementOptions } from './options.ts';
import { parseQuantity, positive, quoted } from './quantity.ts';
import type { TableBuilder } from './table-builder.ts';

/** How the data set is named in provenance. */
export const V100_CLOCKS_SOURCE =
  'GPU-DVFS-Dataset (github.com/zyjopensource/GPU-DVFS-Dataset, commit b25725f), V100, locked core clocks 757..1530 MHz, each the mean of at least 5 runs';

const CLOCK_COLUMN = 'frequency(MHz)';
/** No card draws so little; a matrix with nothing above it is one of ratios. */
const HIGHEST_RATIO = 5;

type Kind = 'power' | 'performance' | 'efficiency';

interface Matrix {
  readonly kind: Kind;
  readonly table: CsvTable;
  readonly clocks: ReadonlyMap<string, number>;
  readonly byApp: ReadonlyMap<string, CsvRow>;
}

function readMatrix(file: string): Matrix {
  const table = readCsv(file, [CLOCK_COLUMN]);
  const clocks = new Map<string, number>();
  for (const column of table.header) {
    if (column === CLOCK_COLUMN) continue;
    const clock = parseQuantity(column, positive('MHz'));
    if (typeof clock === 'string') {
      throw new InputError(file, 1, null, `header: expected clocks; ${clock}`);
    }
    clocks.set(column, clock);
  }
  if (clocks.size === 0) throw new InputError(file, 1, null, 'expected columns of clocks');
  const byApp = new Map<string, CsvRow>();
  for (const row of table.rows) {
    const app = row.text(CLOCK_COLUMN);
    const earlier = byApp.get(app);
    if (earlier !== undefined) {
      const detail = `expected each application once, found ${quoted(app)} also in line ${earlier.line}`;
      throw row.fail(CLOCK_COLUMN, detail);
    }
    byApp.set(app, row);
  }
  return { kind: kindOf(table, [...clocks.keys()]), table, clocks, byApp };
}

function kindOf({ file, rows }: CsvTable, columns: readonly string[]): Kind {
  const name = path.basename(file).toLowerCase();
  if (/effic/.test(name)) return 'efficiency';
  if (/power|watt/.test(name)) return 'power';
  if (/perf|speed/.test(name)) return 'performance';
  const ratios = rows.every((row) =>
    columns.every((name) => !(Number(row.raw(name)) > HIGHEST_RATIO)),
  );
  return ratios ? 'performance' : 'power';
}

function readFiles(builder: TableBuilder, files: readonly string[]): void {
  const folders = new Map<string, string[]>();
  for (const file of files) {
    const folder = path.dirname(file);
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  for (const group of folders.values()) readGroup(builder, group);
}

/** The matrices of one folder belong together. */
function readGroup(builder: TableBuilder, files: readonly string[]): void {
  const matrices = new Map<Kind, Matrix>();
  for (const file of files) {
    const matrix = readMatrix(file);
    const earlier = matrices.get(matrix.kind);
    if (earlier !== undefined) {
      const detail = `expected one ${matrix.kind} matrix, found another in ${earlier.table.file}`;
      throw new InputError(file, null, null, detail);
    }
    matrices.set(matrix.kind, matrix);
    builder.file(file);
    if (matrix.kind === 'efficiency') {
      builder.assume(`${path.basename(file)} left out: it follows from performance and power`);
    }
  }
  const power = matrices.get('power') ?? null;
  const performance = matrices.get('performance') ?? null;
  const main = power ?? performance;
  if (main === null) {
    const detail = 'expected a power or a performance matrix, found the efficiency alone';
    throw new InputError(files[0] ?? '', null, null, detail);
  }
  checkApps(main, performance);
  if (power !== null && performance !== null) checkApps(performance, power);
  const gpuType = gpuTypeOf(builder, main.table.file);
  if (performance !== null) {
    builder.assume('times are relative to the highest clock, to which performance is normalised');
  }
  for (const [app, row] of main.byApp) {
    for (const [column, coreMhz] of main.clocks) {
      builder.tryMissing(() => {
        const speed = performance?.byApp.get(app)?.number(column, positive('')) ?? null;
        const powerW = power === null ? null : row.number(column, positive('W'));
        const doubts = [
          ...(speed === null ? ['power without performance'] : []),
          ...(powerW === null ? ['performance without power'] : []),
        ];
        const point = {
          gpuType,
          workload: app,
          coreMhz,
          stepS: speed === null ? null : 1 / speed,
          throughput: speed,
          normalised: true,
          powerW,
          source: V100_CLOCKS.name,
          row: `${path.basename(main.table.file)}:${row.line}/${column}`,
        };
        builder.add(point, doubts);
      });
    }
  }
}

/** Both matrices must hold the same applications and clocks. */
function checkApps(one: Matrix, other: Matrix | null): void {
  if (other === null || one === other) return;
  for (const [app, row] of one.byApp) {
    if (other.byApp.has(app)) continue;
    const detail = `expected ${other.kind} of ${quoted(app)} in ${path.basename(other.table.file)}, found none`;
    throw row.fail(CLOCK_COLUMN, detail);
  }
  for (const column of one.clocks.keys()) {
    if (other.clocks.has(column)) continue;
    const detail = `expected a clock of ${column} MHz as in ${path.basename(one.table.file)}, found none`;
    throw new InputError(other.table.file, 1, null, detail);
  }
}

/** Power and performance over locked core clocks: one matrix each, applications by clocks. */
export const V100_CLOCKS: MeasurementFormat = {
  name: 'v100-clocks',
  about: 'matrices of power and normalised performance, applications by core clocks',
  columns: [CLOCK_COLUMN],
  detect: ({ header }) => header.includes(CLOCK_COLUMN),
  read: readFiles,
};

/**
 * Reads the matrices of power and performance over clocks: the files, or the folder that holds them.
 *
 * @throws {InputError} when an application or clock is in one of the two only
 */
export function importV100Clocks(
  files: string | readonly string[],
  options?: MeasurementOptions,
): MeasurementTable {
  const list = typeof files === 'string' ? matricesIn(files) : files;
  return tableOf(V100_CLOCKS, list, options);
}

function matricesIn(file: string): string[] {
  if (!(statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false)) return [file];
  const names = readdirSync(file).filter((name) => /^dataset_.*\.csv$/.test(name));
  if (names.length > 0) return names.sort().map((name) => path.join(file, name));
  throw new InputError(file, null, null, 'expected files dataset_*.csv, found none');
}
