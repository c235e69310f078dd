import { InputError } from '../../sim/errors.ts';
import type { ByteSource } from '../csv/byte-source.ts';
import type { Row } from '../csv/row.ts';
import { headerNames } from '../csv/table.ts';
import type { DropReason } from '../report.ts';
import type { TraceJob } from '../workload.ts';
import { type CsvFormat, type RowPlan, readJobTable } from './csv-importer.ts';
import {
  type Importer,
  positiveSetting,
  type ReadOptions,
  type SettingDoc,
  type Settings,
  wordSetting,
} from './importer.ts';
import { PaiGangs } from './pai-gangs.ts';
import { taskKey } from './pai-joins.ts';
import { type JoinedTables, readJoins } from './pai-read-joins.ts';
import { PAI_TABLES, type PaiTable, recogniseTable, tableByName } from './pai-tables.ts';
import {
  ODD,
  OddCounts,
  type PaiTask,
  referenceTypeOf,
  TYPE_SEPARATOR,
  taskOf,
  waitOf,
} from './pai-task.ts';
import { isHeader } from './table-rows.ts';
import { traceJob } from './trace-job.ts';
import { ZERO_DURATION, ZeroDurationRule } from './zero-duration.ts';

const NAME = 'pai';
const TITLE = 'Alibaba PAI v2020, task table (no header) and the tables next to it';
const SETTINGS: readonly SettingDoc[] = [
  {
    name: 'unit',
    meaning:
      "'task' (default) makes every task with GPUs a job, as AcmeTrace counts; 'job' makes the GPU " +
      'tasks of a job one gang, which ends when all have',
  },
  {
    name: 'join',
    meaning:
      "tables next to it that are joined: 'all' that are there (default), 'none', or some of " +
      "'machine+tag+job+instance'",
  },
  {
    name: 'gpuTypes',
    meaning:
      "GPU types that a job may run on: 'assigned' (default), the type it ran on; 'requested', what " +
      "gpu_type_spec asks for; 'any'",
  },
  {
    name: 'clock',
    meaning:
      "'first-submission' (default) puts time 0 there; 'trace' keeps the seconds of the trace",
  },
  {
    name: 'unendedDurationS',
    meaning: 'run time of tasks that have started and have no end; left out by default',
  },
  ZERO_DURATION,
];

/** The options, with their defaults. */
interface Choices {
  readonly unit: 'task' | 'job';
  readonly gpuTypes: 'assigned' | 'requested' | 'any';
  readonly clock: 'first-submission' | 'trace';
  readonly unendedDurationS: number | null;
}

function choicesOf(path: string, settings: Settings): Choices {
  return {
    unit: wordSetting(path, settings, 'unit', ['task', 'job']),
    gpuTypes: wordSetting(path, settings, 'gpuTypes', ['assigned', 'requested', 'any']),
    clock: wordSetting(path, settings, 'clock', ['first-submission', 'trace']),
    unendedDurationS: positiveSetting(path, settings, 'unendedDurationS'),
  };
}

/** How the rows become jobs, once the other tables are read. */
class Plan implements RowPlan {
  readonly options;
  readonly #choices: Choices;
  readonly #zero: ZeroDurationRule;
  readonly #joined: JoinedTables;
  readonly #odd = new OddCounts();
  readonly #gangs = new PaiGangs();
  readonly #typeLists = new Map<string, readonly string[]>();
  #withoutType = 0;
  #zeroS = 0;

  constructor(choices: Choices, zero: ZeroDurationRule, joined: JoinedTables) {
    this.#choices = choices;
    this.#zero = zero;
    this.#joined = joined;
    this.options = { ...choices, join: joined.choice, zeroDuration: zero.choice };
  }

  toJob(row: Row): TraceJob | DropReason | null {
    const task = this.#ended(taskOf(row, this.#joined.joins));
    if (this.#choices.unit === 'task') {
      return typeof task === 'string' ? task : this.#jobOf(task, task.key, row.number);
    }
    if (task === 'cpu_only') return task;
    if (typeof task !== 'string') return this.#gangs.add(task, row.number);
    const jobName = row.text('job_name');
    const key = taskKey(jobName, row.text('task_name'));
    return this.#gangs.add({ jobName, key, lacks: task }, row.number);
  }

  rest(): Iterable<TraceJob | DropReason> {
    return this.#gangs.results((gang, id, row) => this.#jobOf(gang, id, row));
  }

  timeZeroS(firstS: number): number {
    this.#zeroS = this.#choices.clock === 'trace' ? 0 : firstS;
    return this.#zeroS;
  }

  assumed(): readonly string[] {
    const { joins, lines } = this.#joined;
    const { unit, unendedDurationS } = this.#choices;
    const all = [
      ...lines,
      unit === 'task'
        ? 'every task is a job of its own, though the tasks of a job belong together'
        : 'the GPU tasks of a job are one gang, from the first start to the last end',
      ...this.#gangs.assumed(),
      ...this.#odd.lines(joins.found.has('pai_instance_table'), unendedDurationS),
      ...this.#zero.assumed(),
    ];
    if (this.#withoutType > 0) {
      all.push(
        `${this.#withoutType} run times are on MISC, a mix of older GPUs, or on no known type`,
      );
    }
    all.push(this.#clockLine(), 'plan_cpu and plan_mem are not used');
    return all;
  }

  #clockLine(): string {
    const zone =
      'as Unix time in Asia/Shanghai its hours and weekdays are real and its dates are not';
    if (this.#choices.clock === 'trace') return `times are on the trace's clock: ${zone}`;
    return `time 0 is the first submission, second ${this.#zeroS} of the trace's clock: ${zone}`;
  }

  #ended(task: PaiTask | DropReason): PaiTask | DropReason {
    const { unendedDurationS } = this.#choices;
    if (typeof task === 'string' || task.endS !== null || unendedDurationS === null) return task;
    return { ...task, endS: task.startS + unendedDurationS, odd: task.odd + ODD.noEnd };
  }

  #jobOf(task: PaiTask, id: string, row: number): TraceJob | DropReason {
    if (task.endS === null) return 'no_end';
    const durationS = this.#zero.apply(task.endS - task.startS);
    if (durationS === null) return 'nonpositive_duration';
    const { joins } = this.#joined;
    const referenceGpu = referenceTypeOf(task.gpuType);
    this.#odd.add(task.odd);
    if (referenceGpu === null) this.#withoutType += 1;
    const { user, status, model, gpuTypes } = joins.job(task.jobName);
    return traceJob({
      gpuCount: task.gang.gpuCount,
      share: task.gang.share,
      id,
      submitS: task.submitS,
      durationS,
      queuedS: waitOf(task),
      referenceGpu,
      gpuTypes: this.#typeList({ assigned: task.gpuType, requested: gpuTypes }),
      model,
      user,
      status: this.#choices.unit === 'job' ? (status ?? task.status) : task.status,
      row,
    });
  }

  /** One array for each list of types, as there are few. */
  #typeList(types: { readonly assigned: string | null; readonly requested: string | null }) {
    const { gpuTypes } = this.#choices;
    const text = gpuTypes === 'any' ? null : types[gpuTypes];
    if (text === null) return [];
    const known = this.#typeLists.get(text);
    if (known !== undefined) return known;
    const list = [...new Set(text.split(TYPE_SEPARATOR))];
    this.#typeLists.set(text, list);
    return list;
  }
}

async function planOf(
  source: ByteSource,
  named: PaiTable,
  { settings, maxBadRows }: ReadOptions,
): Promise<RowPlan> {
  const { path } = source;
  const choices = choicesOf(path, settings);
  const zero = new ZeroDurationRule(path, settings);
  const joined = await readJoins({ source, table: named }, settings, maxBadRows);
  if (choices.gpuTypes === 'requested' && !joined.joins.found.has('pai_group_tag_table')) {
    const detail = 'option gpuTypes=requested needs pai_group_tag_table next to it, and joined';
    throw new InputError(path, null, null, detail);
  }
  return new Plan(choices, zero, joined);
}

/** The table that the user named, and the task table: the same, or the one next to it. */
async function taskTable(source: ByteSource): Promise<{ named: PaiTable; tasks: ByteSource }> {
  const named = recogniseTable(source)?.table ?? tableByName(source.path) ?? 'pai_task_table';
  if (named === 'pai_task_table') return { named, tasks: source };
  const tasks = named === 'pai_machine_spec' ? null : await source.sibling('pai_task_table');
  if (tasks !== null) return { named, tasks };
  const detail = `is ${named}, which says nothing of the GPUs of jobs; expected pai_task_table`;
  const mend = named === 'pai_machine_spec' ? '' : ', or that table next to it';
  throw new InputError(source.path, null, null, `${detail}${mend}`);
}

/**
 * Alibaba PAI, cluster-trace-gpu-v2020 (Weng et al., NSDI 2022): tables without a header. The task table
 * makes the jobs; the others add what they know and may be missing.
 */
export const pai: Importer = {
  name: NAME,
  title: TITLE,
  columns: [],
  settings: SETTINGS,
  readsAlso: () => ({ tables: Object.keys(PAI_TABLES), paths: [] }),
  detect(head) {
    const found = recogniseTable(head);
    return found === null || found.table === 'pai_machine_spec' ? null : found.reason;
  },
  async read(source, options) {
    const { named, tasks } = await taskTable(source);
    const columns = PAI_TABLES.pai_task_table;
    const format: CsvFormat = {
      name: NAME,
      title: TITLE,
      required: columns,
      settings: SETTINGS,
      header: isHeader(headerNames(tasks.firstLine), columns) ? 'first-line' : { columns },
      detect: () => null,
      plan: () => planOf(source, named, options),
    };
    try {
      return await readJobTable(format, tasks, options);
    } finally {
      tasks.close();
    }
  },
};
