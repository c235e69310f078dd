import { roundHalfEven } from '../../../policies/rounding.ts';
import { type Row, TIME_S } from '../../../traces/csv/row.ts';
import { readTable } from '../table-file.ts';

/** A job of the trace; CPUs and GPUs of one instance, in percent of one. */
export interface PaiJob {
  readonly id: number;
  readonly submitS: number;
  readonly durationS: number;
  readonly cpuPercent: number;
  readonly gpuPercent: number;
  readonly instances: number;
  readonly gpuType: string;
  /** Durations that its estimators expect; null where the trace has none. */
  readonly userS: number | null;
  readonly groupS: number | null;
  readonly groupGpuS: number | null;
}

const COLUMNS = ['job_id', 'duration'];
const COUNT = { min: 0, max: 1e9 };

function percent(row: Row, column: string): number {
  return roundHalfEven(100 * (row.decimalOrNull(column, { min: 0, max: 1e6 }) ?? 0));
}

function wholeS(row: Row, column: string, otherwise: number): number {
  return roundHalfEven(row.decimalOrNull(column, TIME_S) ?? otherwise);
}

function estimateS(row: Row, column: string): number | null {
  return row.decimalOrNull(column, { min: -TIME_S.max, max: TIME_S.max });
}

/**
 * Jobs of a trace. As in the simulator: no CPUs or GPUs count as 0, no submission as 1, no number of
 * instances as 1; durations are cut to whole seconds and are at least 1.
 */
export async function readJobs(path: string): Promise<readonly PaiJob[]> {
  const rows = await readTable(path, COLUMNS, (row) => ({
    id: row.integer('job_id', { min: 0, max: Number.MAX_SAFE_INTEGER }),
    submitS: wholeS(row, 'submit_time', 1),
    durationS: Math.max(1, Math.trunc(row.decimal('duration', TIME_S))),
    cpuPercent: percent(row, 'num_cpu'),
    gpuPercent: percent(row, 'num_gpu'),
    instances: Math.max(1, roundHalfEven(row.decimalOrNull('num_inst', COUNT) ?? 1)),
    gpuType: row.textOrNull('gpu_type') ?? '',
    userS: estimateS(row, 'user_dur'),
    groupS: estimateS(row, 'group_dur'),
    groupGpuS: estimateS(row, 'group_gpu_dur'),
  }));
  return rows.map(({ item }) => item);
}
