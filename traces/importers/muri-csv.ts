import type { JobPriority } from '../../sim/job.ts';
import { type Bounds, GPUS, type Row, TIME_S } from '../csv/row.ts';
import { csvImporter, recognised } from './csv-importer.ts';
import { TIRESIAS_COLUMNS } from './tiresias-csv.ts';
import { traceJob } from './trace-job.ts';
import { ZERO_DURATION, ZeroDurationRule } from './zero-duration.ts';

const STAGES = ['resource_time_0', 'resource_time_1', 'resource_time_2'];
const COLUMNS = [...TIRESIAS_COLUMNS, 'iteration_time', ...STAGES, 'priority'];
const MS_PER_S = 1000;
const TIME_MS: Bounds = { min: 0, max: TIME_S.max * MS_PER_S };
const PRIORITY: Bounds = { min: 0, max: 1 };

/** AntMan's two kinds, as Muri's simulator has them: 0 keeps its GPUs, 1 runs on what is left. */
function priorityOf(row: Row): JobPriority {
  return row.integer('priority', PRIORITY) === 0 ? 'guaranteed' : 'opportunistic';
}

/**
 * Job file of the Muri simulator (Rivendile/Muri, simulator/trace-data, `trace1.csv`): the columns of
 * Tiresias, but in milliseconds, and a priority. Zhao et al., SIGCOMM 2022.
 */
export const muriCsv = csvImporter({
  name: 'muri-csv',
  title: 'job file of the Muri simulator (milliseconds)',
  required: COLUMNS,
  settings: [ZERO_DURATION],
  detect: (columns) => recognised(columns, COLUMNS),
  plan({ path, settings }) {
    const zeroDuration = new ZeroDurationRule(path, settings);
    return {
      options: { zeroDuration: zeroDuration.choice },
      toJob(row) {
        const id = row.text('job_id');
        const submitS = row.decimal('submit_time', TIME_MS) / MS_PER_S;
        const statedMs = row.decimal('duration', { min: -TIME_MS.max, max: TIME_MS.max });
        const gpuCount = row.integer('num_gpu', GPUS);
        const priority = priorityOf(row);
        if (gpuCount === 0) return 'cpu_only';
        const durationS = zeroDuration.apply(statedMs / MS_PER_S);
        if (durationS === null) return 'nonpositive_duration';
        return traceJob({
          id,
          submitS,
          durationS,
          gpuCount,
          model: row.textOrNull('model_name'),
          priority,
          row: row.number,
        });
      },
      assumed: () => [
        "times are milliseconds on the file's own clock",
        'priority 0 is guaranteed, 1 opportunistic',
        'not kept: batch size, iterations and the stage times of an iteration',
        ...zeroDuration.assumed(),
      ],
    };
  },
});
