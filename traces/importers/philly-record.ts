import { isNoValue, quoted, RowError } from '../csv/row.ts';
import { wallClockS } from '../csv/wall-clock.ts';

/** One attempt to run a job, as the log has it; times are seconds on the clock on the wall. */
export interface PhillyAttempt {
  /** Null where the log says `None`. */
  readonly startWallS: number | null;
  readonly endWallS: number | null;
  readonly gpus: number;
  /** GPUs by the machines that they are on. */
  readonly machines: readonly { readonly name: string; readonly gpus: readonly string[] }[];
}

/** A job of `cluster_job_log`. */
export interface PhillyRecord {
  readonly id: string;
  readonly status: string | null;
  readonly virtualCluster: string | null;
  readonly user: string | null;
  readonly submitWallS: number;
  readonly attempts: readonly PhillyAttempt[];
}

type Fields = Readonly<Record<string, unknown>>;

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : quoted(`${value as string | number | boolean}`);
}

function refuse(where: string, expected: string, value: unknown): never {
  throw new RowError(where, `expected ${expected}, found ${kindOf(value)}`);
}

function listOf(where: string, value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : refuse(where, 'a list', value);
}

function fieldsOf(where: string, value: unknown): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  return refuse(where, 'an object', value);
}

function text(where: string, value: unknown): string {
  return typeof value === 'string' && value !== '' ? value : refuse(where, 'a text', value);
}

function textOrNull(where: string, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value !== 'string') return refuse(where, 'a text', value);
  return isNoValue(value) ? null : value;
}

function wallS(where: string, value: unknown): number {
  const stamp = typeof value === 'string' ? wallClockS(value) : null;
  return stamp ?? refuse(where, 'YYYY-MM-DD HH:MM:SS', value);
}

/** A time that may be `None`, but must be there. */
function wallSOrNull(where: string, value: unknown): number | null {
  if (value === null || (typeof value === 'string' && isNoValue(value))) return null;
  return wallS(where, value);
}

function attemptOf(value: unknown, index: number): PhillyAttempt {
  const where = `attempts[${index}]`;
  const fields = fieldsOf(where, value);
  const machines = listOf(`${where}.detail`, fields.detail).map((each, at) => {
    const detail = fieldsOf(`${where}.detail[${at}]`, each);
    const gpus = listOf(`${where}.detail[${at}].gpus`, detail.gpus);
    return {
      name: text(`${where}.detail[${at}].ip`, detail.ip),
      gpus: gpus.map((gpu) => text(`${where}.detail[${at}].gpus`, gpu)),
    };
  });
  return {
    startWallS: wallSOrNull(`${where}.start_time`, fields.start_time),
    endWallS: wallSOrNull(`${where}.end_time`, fields.end_time),
    gpus: machines.reduce((sum, { gpus }) => sum + gpus.length, 0),
    machines,
  };
}

/** The job that an object of the log describes. Throws `RowError` on one that is not as documented. */
export function phillyRecord(fields: Fields): PhillyRecord {
  return {
    id: text('jobid', fields.jobid),
    status: textOrNull('status', fields.status),
    virtualCluster: textOrNull('vc', fields.vc),
    user: textOrNull('user', fields.user),
    submitWallS: wallS('submitted_time', fields.submitted_time),
    attempts: listOf('attempts', fields.attempts).map(attemptOf),
  };
}
