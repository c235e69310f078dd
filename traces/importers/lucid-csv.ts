import { type Bounds, GPUS, quoted, type Row, RowError, strictNumber, TIME_S } from '../csv/row.ts';
import { wallClockS } from '../csv/wall-clock.ts';
import { csvImporter, recognised } from './csv-importer.ts';
import { traceJob } from './trace-job.ts';
import { ZERO_DURATION, ZeroDurationRule } from './zero-duration.ts';

const MODEL_COLUMNS = ['dataset', 'model', 'batchsize', 'amp'];
const COLUMNS = ['job_id', 'vc', 'gpu_num', 'submit_time', 'duration', ...MODEL_COLUMNS];
const BATCH: Bounds = { min: 1, max: 1e9 };
const AMP: Bounds = { min: 0, max: 1 };
const MEMORY_MIB: Bounds = { min: 0, max: 1e9 };
const MIB_PER_GIB = 1024;

/** `ResNet18/CIFAR-10/b64`, with `/amp` at the end for mixed precision: model, data set, batch size. */
function modelOf(row: Row): string | null {
  const model = row.textOrNull('model');
  if (model === null) return null;
  const batch = row.integer('batchsize', BATCH);
  const amp = row.integer('amp', AMP) === 1 ? '/amp' : '';
  return `${model}/${row.text('dataset')}/b${batch}${amp}`;
}

/** The clocks that Lucid's files have: stamps, or seconds from a zero of their own. */
type Clock = 'stamps' | 'seconds';

function submissionOf(row: Row, clock: Clock): number {
  if (clock === 'seconds') return row.decimal('submit_time', TIME_S);
  const stamp = row.text('submit_time');
  const wallS = wallClockS(stamp);
  if (wallS !== null) return wallS;
  const expected = 'expected YYYY-MM-DD HH:MM:SS as in the rows before';
  throw new RowError('submit_time', `${expected}, found ${quoted(stamp)}`);
}

/**
 * Job file of the Lucid simulator (S-Lab-System-Group/Lucid, simulation/data, `cluster_full_log.csv`;
 * Hu et al., ASPLOS 2023): a Helios log whose jobs were given models. Submission is a stamp (time 0 is
 * then the first) or seconds. The model is named `model/dataset/bN`, with `/amp` in mixed precision.
 */
export const lucidCsv = csvImporter({
  name: 'lucid-csv',
  title: 'job file of the Lucid simulator',
  required: COLUMNS,
  settings: [ZERO_DURATION],
  detect: (columns) => recognised(columns, COLUMNS),
  plan({ path, settings, hasColumn }) {
    const zeroDuration = new ZeroDurationRule(path, settings);
    const withMemory = hasColumn('gmem');
    let clock: Clock | null = null;
    return {
      options: { zeroDuration: zeroDuration.choice },
      toJob(row) {
        const id = row.text('job_id');
        clock ??= strictNumber(row.text('submit_time')) === null ? 'stamps' : 'seconds';
        const submitS = submissionOf(row, clock);
        const statedS = row.decimal('duration', { min: -TIME_S.max, max: TIME_S.max });
        const gpuCount = row.integer('gpu_num', GPUS);
        if (gpuCount === 0) return 'cpu_only';
        const model = modelOf(row);
        const memoryMib = row.decimalOrNull('gmem', MEMORY_MIB);
        const durationS = zeroDuration.apply(statedS);
        if (durationS === null) return 'nonpositive_duration';
        return traceJob({
          id,
          submitS,
          durationS,
          gpuCount,
          model,
          memoryGib: memoryMib === null ? null : memoryMib / MIB_PER_GIB,
          queuedS: row.decimalOrNull('queue', TIME_S),
          user: row.textOrNull('user'),
          virtualCluster: row.textOrNull('vc'),
          status: row.textOrNull('state'),
          row: row.number,
        });
      },
      finish(jobs) {
        if (clock !== 'stamps') return jobs;
        const startS = jobs[0]?.submitS ?? 0;
        return jobs.map((job) => ({ ...job, submitS: job.submitS - startS }));
      },
      assumed() {
        const lines = [
          clock === 'stamps'
            ? 'the first submission is time 0; submissions are differences of local clock times'
            : "times are seconds on the file's own clock",
          'models are those that Lucid assigned: no cluster recorded them',
        ];
        if (withMemory) lines.push('memory is that of the assigned model (gmem), not of the job');
        return [...lines, ...zeroDuration.assumed()];
      },
    };
  },
});
