import { InputError } from '../../../sim/errors.ts';
import { type ByteSource, openByteSource } from '../../../traces/csv/byte-source.ts';
import { type Bounds, GPUS, Row, RowError, TIME_S } from '../../../traces/csv/row.ts';
import { columnIndex, readRecords, type TableRecord } from '../../../traces/csv/table.ts';
import { locate, wrongWidth } from '../../../traces/importers/csv-importer.ts';
import { FIELD_COUNTS, layoutOf } from '../../../traces/importers/gavel-layouts.ts';

const STEPS: Bounds = { min: 1, max: 1e15 };
const SCALE: Bounds = { min: 1, max: GPUS.max };
const WEIGHT: Bounds = { min: Number.MIN_VALUE, max: 1e9 };

/** A job of a Gavel trace. Its work is counted in steps. */
export interface GavelJob {
  /** Number of its row, from 0. */
  readonly id: number;
  readonly jobType: string;
  readonly totalSteps: number;
  /** GPUs that it needs at a time. */
  readonly scaleFactor: number;
  readonly weight: number;
  readonly arrivalS: number;
}

function toJob(row: Row): GavelJob {
  return {
    id: row.number - 1,
    jobType: row.text('job_type'),
    totalSteps: row.integer('total_steps', STEPS),
    scaleFactor: row.integer('scale_factor', SCALE),
    weight: row.decimalOrNull('priority_weight', WEIGHT) ?? 1,
    arrivalS: row.decimal('arrival_time', TIME_S),
  };
}

async function readFrom(source: ByteSource): Promise<GavelJob[]> {
  const { path } = source;
  const jobs: GavelJob[] = [];
  let columns: ReadonlyMap<string, number> | null = null;
  for await (const record of readRecords(source, { delimiter: '\t' })) {
    columns ??= columnsOf(path, record);
    if (record.cells.length !== columns.size) throw wrongWidth(path, record, columns.size);
    try {
      jobs.push(toJob(new Row(columns, record.cells, jobs.length + 1)));
    } catch (error) {
      if (error instanceof RowError) throw locate(path, record, columns, error);
      throw error;
    }
    const [last, job] = jobs.slice(-2);
    if (job !== undefined && last !== undefined && job.arrivalS < last.arrivalS) {
      const detail = `arrival_time: ${job.arrivalS} is before that of the job above, ${last.arrivalS}`;
      throw new InputError(path, record.line, null, detail);
    }
  }
  if (jobs.length === 0) throw new InputError(path, null, null, 'has no jobs');
  return jobs;
}

function columnsOf(path: string, record: TableRecord): ReadonlyMap<string, number> {
  const layout = layoutOf(record.cells);
  if (layout !== null) return columnIndex(path, layout.columns, []);
  const detail = `expected ${FIELD_COUNTS} tab-separated fields, found ${record.cells.length}`;
  throw new InputError(path, record.line, null, detail);
}

/**
 * Jobs of a trace of Gavel (tab-separated, no header; 7, 9, 10 or 12 fields), in order of arrival.
 * @throws {InputError} on a missing file and on the first bad row
 */
export async function readGavelTrace(path: string): Promise<readonly GavelJob[]> {
  const source = await openByteSource(path);
  try {
    return await readFrom(source);
  } finally {
    source.close();
  }
}
