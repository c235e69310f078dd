import { InputError } from '../../sim/errors.ts';
import { type Bounds, GPUS, type Row, RowError, TIME_S } from '../csv/row.ts';
import type { DropReason } from '../report.ts';
import type { TraceJob } from '../workload.ts';
import { csvImporter, type RowPlan, recognised, type TableFacts } from './csv-importer.ts';
import { positiveSetting } from './importer.ts';
import { traceJob } from './trace-job.ts';

const COLUMNS = ['name', 'num_gpu', 'gpu_milli'];
const TIME_COLUMNS = ['pod_phase', 'creation_time', 'deletion_time', 'scheduled_time'];
const MILLI: Bounds = { min: 0, max: 1000 };

/** GPUs and part of a GPU; `gpu_milli` says a part only for one GPU, and is 1000 for more. */
function demandOf(row: Row): { gpuCount: number; share: number } | null {
  const gpuCount = row.integer('num_gpu', GPUS);
  const milli = row.integer('gpu_milli', MILLI);
  if (gpuCount === 0) return null;
  if (milli === 0 || (gpuCount > 1 && milli !== 1000)) {
    const expected = gpuCount > 1 ? '1000 for more than one GPU' : '1 to 1000';
    throw new RowError('gpu_milli', `expected ${expected}, found '${milli}'`);
  }
  return { gpuCount, share: milli / 1000 };
}

function jobOf(row: Row, submitS: number, durationS: number): TraceJob | DropReason {
  const demand = demandOf(row);
  if (demand === null) return 'cpu_only';
  const types = row.textOrNull('gpu_spec')?.split('|') ?? [];
  return traceJob({
    ...demand,
    id: row.text('name'),
    submitS,
    durationS,
    // Some lists repeat a type: V100M16|V100M32|V100M32.
    gpuTypes: [...new Set(types)],
    status: row.textOrNull('pod_phase'),
    row: row.number,
  });
}

function timedPlan({ path, settings, requireColumns }: TableFacts): RowPlan {
  requireColumns(TIME_COLUMNS);
  if (Object.keys(settings).length > 0) {
    const detail =
      'has times of its own: options durationS and interarrivalS are for lists without';
    throw new InputError(path, null, null, detail);
  }
  return {
    options: {},
    toJob(row) {
      if (demandOf(row) === null) return 'cpu_only';
      const submitS = row.decimal('creation_time', TIME_S);
      const startS = row.decimalOrNull('scheduled_time', TIME_S);
      const endS = row.decimalOrNull('deletion_time', TIME_S);
      // A pending pod was deleted without having run.
      if (startS === null || row.text('pod_phase') === 'Pending') return 'no_start';
      if (endS === null) return 'no_end';
      if (endS <= startS) return 'nonpositive_duration';
      return jobOf(row, submitS, endS - startS);
    },
    assumed: () => [
      'run time is deletion - scheduling, for pods still running too',
      "times are seconds on the trace's own clock",
    ],
  };
}

function untimedPlan({ path, settings }: TableFacts): RowPlan {
  const durationS = positiveSetting(path, settings, 'durationS');
  const interarrivalS = positiveSetting(path, settings, 'interarrivalS');
  if (durationS === null || interarrivalS === null) {
    const detail =
      'is a pod list without times (5 columns); give both options durationS and interarrivalS ' +
      'to make every pod run that long and arrive at that spacing';
    throw new InputError(path, 1, null, detail);
  }
  return {
    options: { durationS, interarrivalS },
    toJob: (row) => jobOf(row, 0, durationS),
    finish: (jobs) => jobs.map((job, index) => ({ ...job, submitS: index * interarrivalS })),
    assumed: () => [
      `the list has no times: every pod runs ${durationS} s and one arrives every ${interarrivalS} s`,
    ],
  };
}

/**
 * Pod lists of Alibaba cluster-trace-gpu-v2023 ("openb"; Weng et al., FGD, ATC 2023), with or without
 * times. CPU-only and never started pods are left out; `memory_mib` is host memory and not used.
 */
export const openb = csvImporter({
  name: 'openb',
  title: 'Alibaba cluster-trace-gpu-v2023 pod list',
  required: COLUMNS,
  settings: [
    { name: 'durationS', meaning: 'run time of every pod of a list without times' },
    { name: 'interarrivalS', meaning: 'time between arrivals of a list without times' },
  ],
  detect: (columns) => recognised(columns, COLUMNS),
  plan(facts) {
    return TIME_COLUMNS.some((name) => facts.hasColumn(name))
      ? timedPlan(facts)
      : untimedPlan(facts);
  },
});
