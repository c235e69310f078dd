import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import type { JobPriority, JobSpec } from '../../sim/job.ts';
import { type Bounds, GPUS, quoted, type Row, RowError, TIME_S } from '../csv/row.ts';
import type { TraceJob } from '../workload.ts';
import { csvImporter, recognised } from './csv-importer.ts';

const REQUIRED = ['id', 'submit_s', 'duration_s', 'gpus'];
/** The columns of HeShare's own trace file, in the order in which they are written. */
export const CANONICAL_COLUMNS: readonly string[] = [
  ...REQUIRED,
  'share',
  'memory_gib',
  'gpu_types',
  'workload',
  'deadline_s',
  'max_slowdown',
  'user',
  'vc',
  'reference_gpu',
  'queued_s',
  'requested_s',
  'priority',
  'status',
];
const SHARE: Bounds = { min: 0, max: 1 };
const MEMORY_GIB: Bounds = { min: 0, max: 1e6 };
const SLOWDOWN: Bounds = { min: 1, max: 1e12 };
const SEPARATOR = '|';

function priorityOf(row: Row): JobPriority | null {
  const text = row.textOrNull('priority');
  if (text === null || text === 'guaranteed' || text === 'opportunistic') return text;
  throw new RowError('priority', `expected guaranteed or opportunistic, found ${quoted(text)}`);
}

/**
 * HeShare's own trace file. `id,submit_s,duration_s,gpus` must be there; `share` (default 1),
 * `memory_gib`, `gpu_types` (`A|B`), `workload`, `deadline_s` (after submission), `max_slowdown`, `user`,
 * `vc`, `reference_gpu` (the type that duration_s refers to), `queued_s`, `requested_s`, `priority`
 * (`guaranteed` or `opportunistic`) and `status` may be absent or empty.
 */
export const canonicalCsv = csvImporter({
  name: 'canonical-csv',
  title: 'HeShare trace file',
  required: REQUIRED,
  settings: [],
  detect: (columns) => recognised(columns, REQUIRED),
  plan: () => ({
    options: {},
    toJob(row) {
      const id = row.text('id');
      const submitS = row.decimal('submit_s', TIME_S);
      const durationS = row.decimal('duration_s', { min: -TIME_S.max, max: TIME_S.max });
      const gpuCount = row.integer('gpus', GPUS);
      const share = row.decimalOrNull('share', SHARE) ?? 1;
      if (gpuCount === 0) return 'cpu_only';
      if (durationS <= 0) return 'nonpositive_duration';
      if (share === 0) throw new RowError('share', "expected above 0, found '0'");
      return {
        id,
        submitS,
        durationS,
        gpuCount,
        share,
        memoryGib: row.decimalOrNull('memory_gib', MEMORY_GIB),
        gpuTypes: [...new Set(row.textOrNull('gpu_types')?.split(SEPARATOR) ?? [])],
        model: row.textOrNull('workload'),
        deadlineS: row.decimalOrNull('deadline_s', TIME_S),
        maxSlowdown: row.decimalOrNull('max_slowdown', SLOWDOWN),
        user: row.textOrNull('user'),
        virtualCluster: row.textOrNull('vc'),
        referenceGpu: row.textOrNull('reference_gpu'),
        queuedS: row.decimalOrNull('queued_s', TIME_S),
        requestedS: row.decimalOrNull('requested_s', TIME_S),
        priority: priorityOf(row),
        status: row.textOrNull('status'),
        row: row.number,
      };
    },
  }),
});

/** The cells of a job, in the order of `CANONICAL_COLUMNS`. Numbers are written to be read back exactly. */
export function canonicalCells(job: TraceJob | JobSpec): readonly (string | number | null)[] {
  return [
    job.id,
    job.submitS,
    job.durationS,
    job.gpuCount,
    job.share,
    job.memoryGib,
    job.gpuTypes.join(SEPARATOR),
    'workload' in job ? job.workload : job.model,
    job.deadlineS,
    job.maxSlowdown,
    job.user,
    job.virtualCluster,
    job.referenceGpu,
    'queuedS' in job ? job.queuedS : null,
    'requestedS' in job ? job.requestedS : null,
    job.priority,
    'status' in job ? job.status : null,
  ];
}

function* canonicalTable(jobs: Iterable<TraceJob | JobSpec>): Generator<readonly unknown[]> {
  yield CANONICAL_COLUMNS;
  for (const job of jobs) yield canonicalCells(job);
}

/** Writes jobs as a HeShare trace file, whole or not at all. */
export async function writeCanonicalCsv(
  path: string,
  jobs: Iterable<TraceJob | JobSpec>,
): Promise<void> {
  const part = `${path}.part`;
  try {
    await pipeline(Readable.from(canonicalTable(jobs)), stringify(), createWriteStream(part));
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
