import { InputError } from '../../sim/errors.ts';
import type { JobPriority } from '../../sim/job.ts';
import { type Bounds, GPUS, type Row, RowError, TIME_S } from '../csv/row.ts';
import type { DropReason } from '../report.ts';
import type { TraceJob } from '../workload.ts';
import { csvImporter, type RowPlan, recognised, type TableFacts } from './csv-importer.ts';
import { positiveSetting, wordSetting } from './importer.ts';
import { traceJob } from './trace-job.ts';
import { ZERO_DURATION, ZeroDurationRule } from './zero-duration.ts';

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

/** Classes of pods: latency-sensitive and guaranteed ones, and the rest. */
const PRIORITIES: ReadonlyMap<string, JobPriority> = new Map([
  ['LS', 'guaranteed'],
  ['Guaranteed', 'guaranteed'],
  ['Burstable', 'opportunistic'],
  ['BE', 'opportunistic'],
]);

/** Reads what every list has, and what some have: types and classes. */
class PodReader {
  readonly classes: 'qos' | 'none';
  #otherQos = 0;

  constructor({ path, settings }: TableFacts) {
    this.classes = wordSetting(path, settings, 'priority', ['qos', 'none']);
  }

  /** A job without times, or `cpu_only`. */
  read(
    row: Row,
    times: Pick<TraceJob, 'submitS' | 'durationS' | 'queuedS'>,
  ): TraceJob | DropReason {
    const demand = demandOf(row);
    if (demand === null) return 'cpu_only';
    const types = row.textOrNull('gpu_spec')?.split('|') ?? [];
    return traceJob({
      id: row.text('name'),
      submitS: times.submitS,
      durationS: times.durationS,
      queuedS: times.queuedS,
      gpuCount: demand.gpuCount,
      share: demand.share,
      // Some lists repeat a type: V100M16|V100M32|V100M32.
      gpuTypes: [...new Set(types)].filter((type) => type !== ''),
      priority: this.#priorityOf(row),
      status: row.textOrNull('pod_phase'),
      row: row.number,
    });
  }

  assumed(hasQos: boolean): readonly string[] {
    const lines: string[] = [];
    if (hasQos && this.classes === 'qos') {
      lines.push('qos LS and Guaranteed are guaranteed, Burstable and BE opportunistic');
      if (this.#otherQos > 0) lines.push(`${this.#otherQos} pods of no such qos have no priority`);
    }
    lines.push('cpu_milli and memory_mib (host memory) are not used');
    return lines;
  }

  #priorityOf(row: Row): JobPriority | null {
    if (this.classes === 'none') return null;
    const priority = PRIORITIES.get(row.textOrNull('qos') ?? '') ?? null;
    if (priority === null) this.#otherQos += 1;
    return priority;
  }
}

function timedPlan(facts: TableFacts): RowPlan {
  const { path, settings, requireColumns, hasColumn } = facts;
  requireColumns(TIME_COLUMNS);
  if (['durationS', 'interarrivalS'].some((name) => settings[name] !== undefined)) {
    const detail =
      'has times of its own: options durationS and interarrivalS are for lists without';
    throw new InputError(path, null, null, detail);
  }
  const pods = new PodReader(facts);
  const zero = new ZeroDurationRule(path, settings);
  let early = 0;
  return {
    options: { priority: pods.classes, zeroDuration: zero.choice },
    toJob(row) {
      if (demandOf(row) === null) return 'cpu_only';
      const submitS = row.decimal('creation_time', TIME_S);
      const startS = row.decimalOrNull('scheduled_time', TIME_S);
      const endS = row.decimalOrNull('deletion_time', TIME_S);
      // A pending pod was deleted without having run.
      if (startS === null || row.text('pod_phase') === 'Pending') return 'no_start';
      if (endS === null) return 'no_end';
      const durationS = zero.apply(endS - startS);
      if (durationS === null) return 'nonpositive_duration';
      if (startS < submitS) early += 1;
      const queuedS = startS < submitS ? null : startS - submitS;
      return pods.read(row, { submitS, durationS, queuedS });
    },
    assumed() {
      const lines = [
        'run time is deletion - scheduling, for pods still running too',
        "times are seconds on the trace's own clock",
        ...zero.assumed(),
        ...pods.assumed(hasColumn('qos')),
      ];
      if (early > 0)
        lines.push(`${early} pods are scheduled before they are created: no wait known`);
      return lines;
    },
  };
}

function untimedPlan(facts: TableFacts): RowPlan {
  const { path, settings, hasColumn } = facts;
  const durationS = positiveSetting(path, settings, 'durationS');
  const interarrivalS = positiveSetting(path, settings, 'interarrivalS');
  if (durationS === null || interarrivalS === null) {
    const detail =
      'is a pod list without times (5 columns); give both options durationS and interarrivalS ' +
      'to make every pod run that long and arrive at that spacing';
    throw new InputError(path, 1, null, detail);
  }
  const pods = new PodReader(facts);
  return {
    options: { durationS, interarrivalS, priority: pods.classes },
    toJob: (row) => pods.read(row, { submitS: 0, durationS, queuedS: null }),
    finish: (jobs) => jobs.map((job, index) => ({ ...job, submitS: index * interarrivalS })),
    assumed: () => [
      `the list has no times: every pod runs ${durationS} s and one arrives every ${interarrivalS} s`,
      ...pods.assumed(hasColumn('qos')),
    ],
  };
}

/**
 * Pod lists of Alibaba cluster-trace-gpu-v2023 ("openb"; Weng et al., FGD, ATC 2023), with or without
 * times. CPU-only and never started pods are left out; `cpu_milli` and `memory_mib`, which is host memory,
 * are not used.
 */
export const openb = csvImporter({
  name: 'openb',
  title: 'Alibaba cluster-trace-gpu-v2023 pod list',
  required: COLUMNS,
  settings: [
    { name: 'durationS', meaning: 'run time of every pod of a list without times' },
    { name: 'interarrivalS', meaning: 'time between arrivals of a list without times' },
    {
      name: 'priority',
      meaning:
        "'qos' (default) makes LS and Guaranteed pods guaranteed, Burstable and BE pods opportunistic; " +
        "'none' tells no classes",
    },
    ZERO_DURATION,
  ],
  detect: (columns) => recognised(columns, COLUMNS),
  plan(facts) {
    return TIME_COLUMNS.some((name) => facts.hasColumn(name))
      ? timedPlan(facts)
      : untimedPlan(facts);
  },
});
