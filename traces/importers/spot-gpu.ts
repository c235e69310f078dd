import type { JobPriority } from '../../sim/job.ts';
import { type Bounds, GPUS, quoted, type Row, RowError, TIME_S } from '../csv/row.ts';
import { csvImporter, recognised } from './csv-importer.ts';
import { gangOf } from './gang.ts';
import { wordSetting } from './importer.ts';
import { traceJob } from './trace-job.ts';
import { ZERO_DURATION, ZeroDurationRule } from './zero-duration.ts';

const COLUMNS = ['job_name', 'gpu_model', 'gpu_request', 'worker_num', 'submit_time', 'duration'];
/** GPUs of one worker. */
const PER_WORKER: Bounds = { min: 0, max: GPUS.max };
const DURATION_S: Bounds = { min: -TIME_S.max, max: TIME_S.max };
const PRIORITIES: ReadonlyMap<string, JobPriority> = new Map([
  ['HP', 'guaranteed'],
  ['Spot', 'opportunistic'],
]);

function priorityOf(row: Row): JobPriority {
  const type = row.text('job_type');
  const priority = PRIORITIES.get(type);
  if (priority !== undefined) return priority;
  throw new RowError('job_type', `expected HP or Spot, found ${quoted(type)}`);
}

/**
 * Jobs of Alibaba cluster-trace-v2026-spot-gpu (`job_info_df.csv`; Duan et al., GFS, ASPLOS 2026):
 * seconds from the first submission, `gpu_request` per worker. The organization is the virtual cluster;
 * `cpu_request` is not used.
 */
export const spotGpu = csvImporter({
  name: 'spot-gpu',
  title: 'Alibaba cluster-trace-v2026-spot-gpu job list',
  required: [...COLUMNS, 'job_type'],
  settings: [
    {
      name: 'gpuTypes',
      meaning: "GPU types that a job may run on: 'requested' (default), its gpu_model; 'any'",
    },
    {
      name: 'priority',
      meaning:
        "'job-type' (default) makes HP jobs guaranteed and Spot jobs opportunistic; 'none' tells no classes",
    },
    ZERO_DURATION,
  ],
  detect: (columns) => recognised(columns, [...COLUMNS, 'job_type']),
  plan({ path, settings }) {
    const gpuTypes = wordSetting(path, settings, 'gpuTypes', ['requested', 'any']);
    const classes = wordSetting(path, settings, 'priority', ['job-type', 'none']);
    const zero = new ZeroDurationRule(path, settings);
    return {
      options: { gpuTypes, priority: classes, zeroDuration: zero.choice },
      toJob(row) {
        const id = row.text('job_name');
        const submitS = row.decimal('submit_time', TIME_S);
        const ranS = row.decimal('duration', DURATION_S);
        const workers = row.integer('worker_num', GPUS);
        const priority = priorityOf(row);
        const gang = gangOf(workers, row.decimalOrNull('gpu_request', PER_WORKER) ?? 0);
        if (gang === null) return 'cpu_only';
        const durationS = zero.apply(ranS);
        if (durationS === null) return 'nonpositive_duration';
        const type = row.textOrNull('gpu_model');
        return traceJob({
          id,
          submitS,
          durationS,
          gpuCount: gang.gpuCount,
          share: gang.share,
          referenceGpu: type,
          gpuTypes: gpuTypes === 'any' || type === null ? [] : [type],
          priority: classes === 'none' ? null : priority,
          virtualCluster: row.textOrNull('organization'),
          row: row.number,
        });
      },
      assumed: () => [
        ...(classes === 'none' ? [] : ['HP jobs are guaranteed, Spot jobs opportunistic']),
        ...zero.assumed(),
        'times are seconds from the first submission; cpu_request is not used',
      ],
    };
  },
});
