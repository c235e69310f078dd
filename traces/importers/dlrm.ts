import { type Bounds, GPUS, type Row, TIME_S } from '../csv/row.ts';
import type { DropReason } from '../report.ts';
import type { TraceJob } from '../workload.ts';
import { csvImporter, type RowPlan, recognised } from './csv-importer.ts';
import { type Gang, gangOf } from './gang.ts';
import { wordSetting } from './importer.ts';
import { traceJob } from './trace-job.ts';
import { ZERO_DURATION, ZeroDurationRule } from './zero-duration.ts';

const COLUMNS = [
  'instance_sn',
  'app_name',
  'gpu_request',
  'creation_time',
  'scheduled_time',
  'deletion_time',
];
const TIME_COLUMNS = ['creation_time', 'scheduled_time', 'deletion_time'] as const;
const PER_INSTANCE: Bounds = { min: 0, max: GPUS.max };
/** Times this close to a whole second are meant to be it: 475.00000000000006. */
const WHOLE_SECOND_TOLERANCE_S = 1e-6;

/** An instance with GPUs. Times are null where they lie outside the trace. */
interface Instance {
  readonly row: number;
  readonly id: string;
  readonly app: string | null;
  readonly gang: Gang;
  readonly createdS: number | null;
  readonly scheduledS: number | null;
  readonly deletedS: number | null;
}

class Plan implements RowPlan {
  readonly options;
  readonly #edges: 'drop' | 'clip';
  readonly #zero: ZeroDurationRule;
  readonly #held: Instance[] = [];
  #lastS = 0;
  #rounded = 0;
  #clippedStarts = 0;
  #clippedEnds = 0;

  constructor(edges: 'drop' | 'clip', zero: ZeroDurationRule) {
    this.#edges = edges;
    this.#zero = zero;
    this.options = { edges, zeroDuration: zero.choice };
  }

  toJob(row: Row): TraceJob | DropReason | null {
    const id = row.text('instance_sn');
    const [createdS = null, scheduledS = null, deletedS = null] = this.#times(row);
    const gang = gangOf(1, row.decimal('gpu_request', PER_INSTANCE));
    if (gang === null) return 'cpu_only';
    const instance: Instance = {
      row: row.number,
      id,
      app: row.textOrNull('app_name'),
      gang,
      createdS,
      scheduledS,
      deletedS,
    };
    const startKnown = createdS !== null || scheduledS !== null;
    if (this.#edges === 'drop' || (startKnown && deletedS !== null)) return this.#jobOf(instance);
    // The last time of the trace is known at its end only.
    this.#held.push(instance);
    return null;
  }

  *rest(): Generator<TraceJob | DropReason> {
    for (const instance of this.#held) {
      const { createdS, scheduledS, deletedS } = instance;
      const wasThere = createdS === null && scheduledS === null;
      if (wasThere) this.#clippedStarts += 1;
      if (deletedS === null) this.#clippedEnds += 1;
      yield this.#jobOf({
        ...instance,
        createdS: wasThere ? 0 : createdS,
        scheduledS: wasThere ? 0 : scheduledS,
        deletedS: deletedS ?? this.#lastS,
      });
    }
  }

  assumed(): readonly string[] {
    const lines = [
      'instances are services: run time is deletion - scheduling; the application is the user',
      "times are seconds on the trace's own clock",
    ];
    if (this.#edges === 'clip') {
      lines.push(
        `${this.#clippedStarts} instances there before the trace starts are submitted at its start, second 0`,
        `${this.#clippedEnds} instances there after it ends are ended at its last time, second ${this.#lastS}`,
      );
    }
    if (this.#rounded > 0) {
      lines.push(`${this.#rounded} times within 1e-6 s of a whole second are taken as that second`);
    }
    lines.push(
      ...this.#zero.assumed(),
      'CPU, memory, disk and RDMA requests and max_instance_per_node are not used',
    );
    return lines;
  }

  /** The times of a row, in the order of `TIME_COLUMNS`; also keeps the last of the whole trace. */
  #times(row: Row): readonly (number | null)[] {
    return TIME_COLUMNS.map((column) => {
      const statedS = row.decimalOrNull(column, TIME_S);
      if (statedS === null) return null;
      const wholeS = Math.round(statedS);
      const isWhole = Math.abs(statedS - wholeS) <= WHOLE_SECOND_TOLERANCE_S;
      if (isWhole && wholeS !== statedS) this.#rounded += 1;
      const timeS = isWhole ? wholeS : statedS;
      this.#lastS = Math.max(this.#lastS, timeS);
      return timeS;
    });
  }

  #jobOf(instance: Instance): TraceJob | DropReason {
    const { createdS, scheduledS, deletedS, gang } = instance;
    if (createdS === null || scheduledS === null) return 'no_start';
    if (deletedS === null) return 'no_end';
    const durationS = this.#zero.apply(deletedS - scheduledS);
    if (durationS === null) return 'nonpositive_duration';
    return traceJob({
      id: instance.id,
      submitS: createdS,
      durationS,
      queuedS: scheduledS >= createdS ? scheduledS - createdS : null,
      gpuCount: gang.gpuCount,
      share: gang.share,
      user: instance.app,
      row: instance.row,
    });
  }
}

/**
 * Instances of Alibaba cluster-trace-gpu-v2025 (`disaggregated_DLRM_trace.csv`; Yang et al., Prism, NSDI
 * 2025): recommendation models served by instances with a GPU (role HN) and without (CN). The application
 * stands for the user.
 */
export const dlrm = csvImporter({
  name: 'dlrm',
  title: 'Alibaba cluster-trace-gpu-v2025 (disaggregated DLRM)',
  required: COLUMNS,
  settings: [
    {
      name: 'edges',
      meaning:
        "instances there before the trace starts or after it ends: 'drop' (default), or 'clip' to run " +
        'from its start or until its end',
    },
    ZERO_DURATION,
  ],
  detect: (columns) => recognised(columns, COLUMNS),
  plan: ({ path, settings }) =>
    new Plan(
      wordSetting(path, settings, 'edges', ['drop', 'clip']),
      new ZeroDurationRule(path, settings),
    ),
});
