import { GPUS, TIME_S } from '../csv/row.ts';
import { csvImporter, recognised } from './csv-importer.ts';
import { traceJob } from './trace-job.ts';

const COLUMNS = ['job_id', 'num_gpu', 'submit_time', 'model_name', 'duration'];
/** Muri's files have all the columns of Tiresias and these, and count in milliseconds. */
const MURI_COLUMNS = ['batch_size', 'iteration_time', 'resource_time_0'];

/**
 * Job file of the Tiresias simulator (SymbioticLab/Tiresias, simulator/trace-data, `60_job.csv`): seconds,
 * on the file's own clock. `iterations` and `interval` are not used. Gu et al., NSDI 2019.
 */
export const tiresiasCsv = csvImporter({
  name: 'tiresias-csv',
  title: 'job file of the Tiresias simulator',
  required: COLUMNS,
  settings: [],
  detect: (columns) => recognised(columns, [...COLUMNS, 'iterations', 'interval'], MURI_COLUMNS),
  plan: () => ({
    options: {},
    toJob(row) {
      const id = row.text('job_id');
      const submitS = row.decimal('submit_time', TIME_S);
      const durationS = row.decimal('duration', { min: -TIME_S.max, max: TIME_S.max });
      const gpuCount = row.integer('num_gpu', GPUS);
      if (gpuCount === 0) return 'cpu_only';
      if (durationS <= 0) return 'nonpositive_duration';
      return traceJob({
        id,
        submitS,
        durationS,
        gpuCount,
        model: row.textOrNull('model_name'),
        row: row.number,
      });
    },
    assumed: () => ["times are seconds on the file's own clock"],
  }),
});
