import { stringify } from 'csv-stringify/sync';
import type { JobRow, SimulationResult } from '../sim/result.ts';

/** Columns of `jobs.csv`, in order. */
export const JOB_COLUMNS = [
  'id',
  'submitS',
  'startS',
  'endS',
  'state',
  'gpus',
  'gpuTypes',
  'workload',
  'queueS',
  'jctS',
  'runS',
  'preemptions',
  'restarts',
  'slowdown',
  'energyJ',
] as const satisfies readonly (keyof JobRow)[];

/** Rows turned into text at a time, so that a million jobs do not become a million arrays. */
const ROWS_PER_CHUNK = 8192;

/** A number in the fewest digits that read back as the same number; empty for NaN. */
function numberText(value: number): string {
  return Number.isNaN(value) ? '' : String(value);
}

function cellText(value: JobRow[(typeof JOB_COLUMNS)[number]]): string {
  if (typeof value === 'number') return numberText(value);
  return typeof value === 'string' ? value : value.join(' ');
}

/** `jobs.csv` in pieces: a header, then the jobs in order of submission. */
export function* jobsCsv(result: SimulationResult): Generator<string> {
  yield `${JOB_COLUMNS.join(',')}\n`;
  for (let first = 0; first < result.jobCount; first += ROWS_PER_CHUNK) {
    const end = Math.min(first + ROWS_PER_CHUNK, result.jobCount);
    const rows: string[][] = [];
    for (let index = first; index < end; index += 1) {
      const row = result.jobRow(index);
      rows.push(JOB_COLUMNS.map((column) => cellText(row[column])));
    }
    yield stringify(rows);
  }
}
