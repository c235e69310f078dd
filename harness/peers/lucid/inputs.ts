import { InputError } from '../../../sim/errors.ts';
import { GPUS, type Row, RowError, TIME_S } from '../../../traces/csv/row.ts';
import { isNodeCounts, nodeCounts } from '../node-counts.ts';
import { type Placed, readTable, refuseRepeatedIds } from '../table-file.ts';

/** GPUs of a node: its placement knows no other size. */
export const NODE_GPUS = 8;

const JOB_COLUMNS = ['job_id', 'vc', 'gpu_num', 'submit_time', 'duration'];
const CONFIGURATION = ['model', 'dataset', 'batchsize', 'amp'];

/** A job of the trace. */
export interface LucidJob {
  readonly id: string;
  readonly vc: string;
  readonly gpuCount: number;
  readonly submitS: number;
  readonly durationS: number;
  /** Model, data set, batch size and precision, as one word; null where the trace has none. */
  readonly configuration: string | null;
  readonly model: string | null;
  /** Memory on each GPU in MiB, where the trace has it. */
  readonly memoryMib: number | null;
}

/** What was measured of a configuration alone. */
export interface Single {
  readonly configuration: string;
  readonly memoryMib: number;
  readonly score: number;
}

/** Speeds of two configurations on one GPU, each relative to alone. */
export interface Pair {
  readonly first: string;
  readonly second: string;
  readonly speeds: readonly [number, number];
}

/** Equal nodes of a virtual cluster; `name` is null where it takes the jobs of all. */
export interface VirtualClusterSpec {
  readonly name: string | null;
  readonly nodes: number;
}

function configurationOf(row: Row, suffix = ''): string | null {
  const parts = CONFIGURATION.map((column) => row.textOrNull(`${column}${suffix}`));
  return parts.includes(null) ? null : parts.join(' ');
}

function configured(row: Row, suffix = ''): string {
  const found = configurationOf(row, suffix);
  if (found === null) throw new RowError(null, `expected a value for ${CONFIGURATION.join(', ')}`);
  return found;
}

/**
 * Jobs of a trace, sorted by submission as it sorts them. Its clock ticks in whole seconds and compares
 * for equality, so times must be whole and durations at least 1.
 */
export async function readJobs(path: string): Promise<readonly Placed<LucidJob>[]> {
  const rows = await readTable(path, JOB_COLUMNS, (row) => ({
    id: row.text('job_id'),
    vc: row.text('vc'),
    gpuCount: row.integer('gpu_num', { min: 1, max: GPUS.max }),
    submitS: row.integer('submit_time', TIME_S),
    durationS: row.integer('duration', { min: 1, max: TIME_S.max }),
    configuration: configurationOf(row),
    model: row.textOrNull('model'),
    memoryMib: row.decimalOrNull('gmem', { min: 0, max: 1e9 }),
  }));
  refuseRepeatedIds(path, rows);
  return [...rows].sort((a, b) => a.item.submitS - b.item.submitS);
}

/** The virtual clusters of a file like its vc_config.csv, or one for all jobs from a word. */
export async function readClusters(word: string): Promise<readonly VirtualClusterSpec[]> {
  if (isNodeCounts(word) || !/\.csv$/i.test(word)) {
    const { nodes, gpusPerNode } = nodeCounts(word, 'a file like vc_config.csv');
    if (gpusPerNode === NODE_GPUS) return [{ name: null, nodes }];
    const detail = `nodes have ${gpusPerNode} GPUs; the simulator places on nodes of ${NODE_GPUS} only`;
    throw new InputError('--cluster', null, null, detail);
  }
  // The first column holds the names, whatever it is called (it has no name in the file itself).
  const rows = await readTable(word, ['num'], (row, [name = '']) => ({
    name,
    nodes: row.integer('num', { min: 1, max: 1e6 }),
  }));
  return rows.map(({ item }) => item);
}

/** Configurations alone, by their word: the file single_data.csv. */
export async function readSingles(path: string): Promise<ReadonlyMap<string, Single>> {
  const rows = await readTable(path, [...CONFIGURATION, 'gmem', 'label'], (row) => ({
    configuration: configured(row),
    memoryMib: row.decimal('gmem', { min: 0, max: 1e9 }),
    score: row.integer('label', { min: 0, max: 2 }),
  }));
  return new Map(rows.map(({ item }) => [item.configuration, item]));
}

/** Measured pairs: the file colocate_info.csv. */
export async function readPairs(path: string): Promise<readonly Pair[]> {
  const sides = ['1', '2'];
  const columns = sides.flatMap((side) =>
    [...CONFIGURATION, 'speed'].map((column) => `${column}${side}`),
  );
  const speed = { min: 0, max: 1e3 };
  const rows = await readTable(path, columns, (row) => ({
    first: configured(row, '1'),
    second: configured(row, '2'),
    speeds: [row.decimal('speed1', speed), row.decimal('speed2', speed)] as const,
  }));
  return rows.map(({ item }) => item);
}

/** Estimated durations by job: columns job_id and priority, as in its estimator files. */
export async function readEstimates(path: string): Promise<ReadonlyMap<string, number>> {
  const rows = await readTable(path, ['job_id', 'priority'], (row) => ({
    id: row.text('job_id'),
    estimateS: row.decimal('priority', { min: -TIME_S.max, max: TIME_S.max }),
  }));
  return new Map(rows.map(({ item }) => [item.id, item.estimateS]));
}
