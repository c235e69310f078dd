import { nearest } from '../../sim/errors.ts';
import { GPUS, quoted, RowError, TIME_S } from '../csv/row.ts';
import { csvImporter, recognised } from './csv-importer.ts';
import { CLASS_MIDPOINTS, readGpuHours } from './sia-durations.ts';
import { traceJob } from './trace-job.ts';

const COLUMNS = ['name', 'time', 'application', 'num_replicas'];
const CLASS_MIDPOINT = 'class-midpoint';
const SECONDS_PER_HOUR = 3600;

/**
 * Workload of the Pollux and Sia simulators (petuum/adaptdl, siasosp23/artifacts; Qiao et al., OSDI 2021;
 * Subramanya et al., SOSP 2023). Their jobs train until a target and so have no run time; here an
 * application has GPU-hours, and a job runs for that over its `num_replicas` GPUs.
 */
export const siaWorkload = csvImporter({
  name: 'sia-workload',
  title: 'workload of the Pollux and Sia simulators',
  required: COLUMNS,
  settings: [
    {
      name: 'durations',
      meaning:
        `'${CLASS_MIDPOINT}' (default): the geometric middle of the GPU-hours that their generators ` +
        'draw an application for; or the path of a CSV with the columns application and gpu_hours',
    },
  ],
  readsAlso: ({ durations = CLASS_MIDPOINT }) => ({
    tables: [],
    paths: durations === CLASS_MIDPOINT ? [] : [String(durations)],
  }),
  detect: (columns) => recognised(columns, COLUMNS),
  async plan({ settings, source }) {
    const durations = String(settings.durations ?? CLASS_MIDPOINT);
    const assumedHours = durations === CLASS_MIDPOINT;
    const gpuHours = assumedHours
      ? CLASS_MIDPOINTS
      : await readGpuHours(await source.other(durations));
    const used = new Map<string, number>();
    return {
      options: { durations },
      toJob(row) {
        const id = row.text('name');
        const submitS = row.decimal('time', TIME_S);
        const application = row.text('application');
        const gpuCount = row.integer('num_replicas', GPUS);
        if (gpuCount === 0) return 'cpu_only';
        const hours = gpuHours.get(application);
        if (hours === undefined) {
          const near = nearest(application, gpuHours.keys());
          const hint = near === null ? '' : `; did you mean ${quoted(near)}?`;
          const detail = `no GPU-hours for ${quoted(application)}${hint} (option durations)`;
          throw new RowError('application', detail);
        }
        used.set(application, hours);
        return traceJob({
          id,
          submitS,
          durationS: (hours * SECONDS_PER_HOUR) / gpuCount,
          gpuCount,
          model: application,
          row: row.number,
        });
      },
      assumed() {
        const each = [...used].map(([name, hours]) => `${name} ${Number(hours.toPrecision(4))}`);
        const from = assumedHours ? 'the middle of its class' : durations;
        return [
          "times are seconds on the file's own clock",
          `the file has no run times: GPU-hours of an application (${each.join(', ')}; from ${from}) ` +
            'over num_replicas',
          'num_replicas is taken as a fixed gang, and batch_size is not kept: Pollux and Sia choose both',
        ];
      },
    };
  },
});
