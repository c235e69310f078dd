import type { FileHead } from '../csv/byte-source.ts';
import { GPUS, TIME_S } from '../csv/row.ts';
import {
  type CsvFormat,
  csvImporter,
  type Delimiter,
  firstCells,
  readJobTable,
  recognised,
} from './csv-importer.ts';
import type { Importer } from './importer.ts';
import { traceJob } from './trace-job.ts';
import { ZERO_DURATION, ZeroDurationRule } from './zero-duration.ts';

export const TIRESIAS_COLUMNS: readonly string[] = [
  'job_id',
  'num_gpu',
  'submit_time',
  'model_name',
  'duration',
];
/** Muri's files have all the columns of Tiresias and these, and count in milliseconds. */
const MURI_COLUMNS = ['batch_size', 'iteration_time', 'resource_time_0'];

const format: CsvFormat = {
  name: 'tiresias-csv',
  title: 'job file of the Tiresias simulator (.csv or .txt)',
  required: TIRESIAS_COLUMNS,
  settings: [ZERO_DURATION],
  detect: (columns) =>
    recognised(columns, [...TIRESIAS_COLUMNS, 'iterations', 'interval'], MURI_COLUMNS),
  plan({ path, settings }) {
    const zeroDuration = new ZeroDurationRule(path, settings);
    return {
      options: { zeroDuration: zeroDuration.choice },
      toJob(row) {
        const id = row.text('job_id');
        const submitS = row.decimal('submit_time', TIME_S);
        const statedS = row.decimal('duration', { min: -TIME_S.max, max: TIME_S.max });
        const gpuCount = row.integer('num_gpu', GPUS);
        if (gpuCount === 0) return 'cpu_only';
        const durationS = zeroDuration.apply(statedS);
        if (durationS === null) return 'nonpositive_duration';
        return traceJob({
          id,
          submitS,
          durationS,
          gpuCount,
          model: row.textOrNull('model_name'),
          row: row.number,
        });
      },
      assumed: () => ["times are seconds on the file's own clock", ...zeroDuration.assumed()],
    };
  },
};

/** Tiresias reads `.csv` files and, with the same header, `.txt` files with blanks between the cells. */
const delimiterOf = ({ firstLine }: FileHead): Delimiter =>
  firstLine.includes(',') ? ',' : 'whitespace';

/**
 * Job file of the Tiresias simulator (SymbioticLab/Tiresias, simulator/trace-data, `60_job.csv`): seconds,
 * on the file's own clock. `iterations` and `interval` are not used. Gu et al., NSDI 2019.
 */
export const tiresiasCsv: Importer = {
  ...csvImporter(format),
  detect: (head) => format.detect(firstCells(head, delimiterOf(head)), head),
  read: (source, options) =>
    readJobTable({ ...format, delimiter: delimiterOf(source) }, source, options),
};
