import path from 'node:path';
import type { MeasurementTable } from '../measurement.ts';
import { type CsvRow, type CsvTable, missingColumn, readCsv } from './csv.ts';
import { canonicalGpuName, gpuTypeOf } from './gpu-names.ts';
import { hasColumns, type MeasurementFormat, tableOf } from './importer.ts';
import type { MeasurementOptions } from './options.ts';
import { COUNT, notNegative, positive, quoted } from './quantity.ts';
import type { TableBuilder } from './table-builder.ts';

const COLUMNS = ['local_bsz', 'step_time', 'sync_time'];

/** GPU type by the cluster in a file's name, from the paper; null where the paper does not say. */
const CLUSTERS: ReadonlyMap<string, string | null> = new Map([
  ['aws', 'T4'],
  ['', 'T4'],
  ['azure', null],
  ['dgx', 'A100'],
  ['dgx-ext', 'A100'],
  ['quad', 'RTX6000'],
  ['rtx', 'RTX2080Ti'],
]);

/** The cluster in a name such as `placements-aws.csv`; '' when it names none. */
function clusterOf(file: string): string | null {
  const name = path.basename(file).toLowerCase();
  return /^(?:placements|scalability)(?:-([^.]+))?\.csv$/.exec(name)?.slice(1)[0] ?? '';
}

function gpuType(builder: TableBuilder, file: string): string | null {
  const given = builder.given('gpu');
  if (given != null) return canonicalGpuName(given);
  const cluster = clusterOf(file) ?? '';
  const known = CLUSTERS.get(cluster);
  if (known === undefined) return gpuTypeOf(builder, file);
  if (known !== null) {
    const which = cluster === '' ? 'without a cluster in the name' : `of cluster ${cluster}`;
    builder.assume(`gpu type ${known} of Sia files ${which}, from its paper`);
  }
  return known;
}

/** GPUs of a row and over how many nodes. */
function gangOf(row: CsvRow, byPlacement: boolean): { gpus: number; nodes: number } {
  if (byPlacement) {
    const placement = row.text('placement');
    if (!/^[1-9]+$/.test(placement)) {
      const detail = `expected a digit of GPUs for each node, found ${quoted(placement)}`;
      throw row.fail('placement', detail);
    }
    const perNode = Array.from(placement, Number);
    return { gpus: perNode.reduce((sum, count) => sum + count, 0), nodes: perNode.length };
  }
  return {
    gpus: row.number('num_replicas', COUNT),
    nodes: row.number('num_nodes', COUNT),
  };
}

function readFile(builder: TableBuilder, file: string): void {
  const table = readCsv(file, COLUMNS);
  const byPlacement = table.header.includes('placement');
  if (!byPlacement && !table.header.includes('num_replicas')) {
    throw missingColumn(file, 'placement', table.header);
  }
  const type = gpuType(builder, file);
  if (type === null) {
    builder.file(file);
    builder.drop(`gpu type of Sia cluster ${clusterOf(file) ?? ''} not known`, table.rows.length);
    return;
  }
  readRows(builder, table, type, byPlacement);
}

function readRows(
  builder: TableBuilder,
  table: CsvTable,
  type: string,
  byPlacement: boolean,
): void {
  const workload = path.basename(path.dirname(path.resolve(table.file)));
  builder.assume('workloads of Sia files are named by their folders');
  builder.eachRow(table, (row, place) => {
    const { gpus, nodes } = gangOf(row, byPlacement);
    const stepS = row.number('step_time', positive('s'));
    row.number('sync_time', notNegative('s'));
    const batch = row.number('local_bsz', COUNT);
    if (gpus > 1 && builder.option('gangs') === 'drop') {
      builder.drop('job on several GPUs');
      return;
    }
    builder.add({
      gpuType: type,
      workload,
      batch,
      stepS,
      ...(gpus > 1 ? { gpus, acrossNodes: nodes > 1 } : {}),
      source: SIA.name,
      row: `${workload}/${place}`,
    });
  });
}

/** Sia step times per GPU type, batch size and placement. */
export const SIA: MeasurementFormat = {
  name: 'sia',
  about: 'Sia step times (MODEL/placements-*.csv, MODEL/scalability-*.csv)',
  columns: COLUMNS,
  detect: hasColumns(COLUMNS),
  read: (builder, files) => {
    for (const file of files) readFile(builder, file);
  },
};

/** Reads one file of Sia step times; a step is one batch on each GPU. @throws {InputError} */
export function importSia(file: string, options?: MeasurementOptions): MeasurementTable {
  return tableOf(SIA, [file], options);
}
