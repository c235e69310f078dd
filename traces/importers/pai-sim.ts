import { type Bounds, GPUS, TIME_S } from '../csv/row.ts';
import { csvImporter, recognised } from './csv-importer.ts';
import { gangOf } from './gang.ts';
import { wordSetting } from './importer.ts';
import { referenceTypeOf } from './pai-task.ts';
import { traceJob } from './trace-job.ts';
import { ZERO_DURATION, ZeroDurationRule } from './zero-duration.ts';

const COLUMNS = ['job_id', 'submit_time', 'duration', 'num_gpu', 'num_inst'];
/** GPUs of one instance. */
const PER_INSTANCE: Bounds = { min: 0, max: GPUS.max };
const DURATION_S: Bounds = { min: -TIME_S.max, max: TIME_S.max };
/** Where each instance is a job: a row must not become more jobs than this. */
const MAX_INSTANCES = 10_000;
/** The type that the simulator gives to jobs without GPUs. */
const NO_GPU_TYPE = 'CPU';

/**
 * Job file of the simulator of Alibaba PAI v2020 (alibaba/clusterdata, cluster-trace-gpu-v2020,
 * `pai_job_duration_estimate_100K.csv`): seconds on the file's own clock, `num_gpu` per instance. Its
 * estimates of run times and `num_cpu` are not used. Weng et al., NSDI 2022.
 */
export const paiSim = csvImporter({
  name: 'pai-sim',
  title: 'job file of the Alibaba PAI v2020 simulator',
  required: COLUMNS,
  settings: [
    {
      name: 'instances',
      meaning:
        "'gang' (default) makes the instances of a job one gang; 'jobs' makes each a job of its own " +
        'named id#1, id#2, ..., as its simulator counts them',
    },
    {
      name: 'gpuTypes',
      meaning: "GPU types that a job may run on: 'assigned' (default), its gpu_type; 'any'",
    },
    ZERO_DURATION,
  ],
  detect: (columns) => recognised(columns, COLUMNS),
  plan({ path, settings }) {
    const instances = wordSetting(path, settings, 'instances', ['gang', 'jobs']);
    const gpuTypes = wordSetting(path, settings, 'gpuTypes', ['assigned', 'any']);
    const zero = new ZeroDurationRule(path, settings);
    let rows = 0;
    return {
      options: { instances, gpuTypes, zeroDuration: zero.choice },
      toJob(row) {
        const id = row.text('job_id');
        const submitS = row.decimal('submit_time', TIME_S);
        const ranS = row.decimal('duration', DURATION_S);
        const perInstance = row.decimal('num_gpu', PER_INSTANCE);
        const asGang = instances === 'gang';
        const count = row.integer('num_inst', asGang ? GPUS : { min: 0, max: MAX_INSTANCES });
        const gang = gangOf(asGang ? count : Math.min(count, 1), perInstance);
        if (gang === null) return 'cpu_only';
        const durationS = zero.apply(ranS);
        if (durationS === null) return 'nonpositive_duration';
        const stated = row.textOrNull('gpu_type');
        const type = stated === NO_GPU_TYPE ? null : stated;
        const waitS = row.decimalOrNull('wait_time', DURATION_S);
        const job = traceJob({
          id,
          submitS,
          durationS,
          queuedS: waitS === null || waitS < 0 ? null : waitS,
          gpuCount: gang.gpuCount,
          share: gang.share,
          referenceGpu: referenceTypeOf(type),
          gpuTypes: gpuTypes === 'any' || type === null ? [] : [type],
          user: row.textOrNull('user'),
          row: row.number,
        });
        if (asGang) return job;
        rows += 1;
        return Array.from({ length: count }, (_, at) => ({ ...job, id: `${id}#${at + 1}` }));
      },
      assumed() {
        const lines = [
          "times are seconds on the file's own clock",
          'num_cpu and the estimates of run times are not used',
          ...zero.assumed(),
        ];
        if (instances === 'jobs') {
          lines.push(`each instance of the ${rows} rows with GPUs is a job and counts as a row`);
        }
        return lines;
      },
    };
  },
});
