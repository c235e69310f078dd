import { InputError } from '../../sim/errors.ts';
import { type Bounds, GPUS, quoted, type Row, RowError, TIME_S } from '../csv/row.ts';
import type { OptionValue } from '../report.ts';
import { type CsvFormat, firstCells, readJobTable, type TableFacts } from './csv-importer.ts';
import { FIELD_COUNTS, type GavelLayout, hasShape, layoutOf } from './gavel-layouts.ts';
import {
  builtInThroughputs,
  type GavelTable,
  type GavelThroughputs,
  readGavelThroughputs,
} from './gavel-throughputs.ts';
import { type Importer, type SettingDoc, wordSetting } from './importer.ts';
import { traceJob } from './trace-job.ts';

const NAME = 'gavel';
const TITLE = 'trace of Gavel or Shockwave (tab-separated, no header)';
const STEPS: Bounds = { min: 0, max: 1e15 };
const FACTOR: Bounds = { min: -1e9, max: 1e9 };
const STATIC = 'static';
const SETTINGS: readonly SettingDoc[] = [
  {
    name: 'throughputs',
    meaning:
      'path of the throughput table that turns steps into seconds (7, 9 and 10 fields); by default ' +
      'the one of Gavel that the steps were made with: next to the trace, or its V100 as built in',
  },
  {
    name: 'referenceGpu',
    meaning: "GPU type of that table whose run times are taken: 'v100' (default), 'p100' or 'k80'",
  },
];

/** Where the run time of a row comes from. */
interface RunTimes {
  /** Seconds; null where the throughput table does not have the job. */
  durationS(row: Row, gpuCount: number): number | null;
  readonly referenceGpu: string | null;
  readonly options: Readonly<Record<string, OptionValue>>;
  readonly assumed: readonly string[];
}

async function throughputsOf(
  { path, source, settings }: TableFacts,
  madeWith: GavelTable,
  gpuType: string,
): Promise<GavelThroughputs> {
  const named = settings.throughputs;
  if (named !== undefined) {
    return await readGavelThroughputs(await source.other(String(named)), gpuType);
  }
  const beside = await source.sibling(madeWith);
  if (beside !== null) return await readGavelThroughputs(beside, gpuType);
  if (gpuType === 'v100') return builtInThroughputs(madeWith);
  const detail =
    `only the V100 is built in: for run times on a ${gpuType} give option throughputs=FILE, or put ` +
    `${madeWith}.json of github.com/stanford-futuredata/gavel (scheduler/) next to the trace`;
  throw new InputError(path, null, null, detail);
}

/** Run times that the rows state (Shockwave). */
function statedRunTimes({ path, settings }: TableFacts): RunTimes {
  const [name] = Object.keys(settings);
  if (name !== undefined) {
    const detail = `option ${name}: the trace has run times of its own; leave it out`;
    throw new InputError(path, null, null, detail);
  }
  return {
    durationS: (row) => row.decimal('duration', TIME_S),
    referenceGpu: null,
    options: {},
    assumed: ['run time is the column duration, not total_steps over a throughput'],
  };
}

/** Run times from steps and a throughput table. */
async function computedRunTimes(facts: TableFacts, madeWith: GavelTable): Promise<RunTimes> {
  const gpuType = wordSetting(facts.path, facts.settings, 'referenceGpu', ['v100', 'p100', 'k80']);
  const table = await throughputsOf(facts, madeWith, gpuType);
  const each = table.byGangSize ? 'by job type and gang size' : 'by job type, at any gang size';
  const assumed = [
    `run time is total_steps over the throughput alone on a ${gpuType}, ${each} (${table.name})`,
  ];
  if (table.byGangSize && madeWith === 'oracle_throughputs') {
    assumed.push(
      'the steps of this trace were made with oracle_throughputs.json, which does not tell gang ' +
        'sizes apart: with this table gangs run for other times than Philly recorded',
    );
  }
  return {
    durationS(row, gpuCount) {
      const rate = table.stepsPerS(row.text('job_type'), gpuCount);
      return rate === null ? null : row.integer('total_steps', STEPS) / rate;
    },
    referenceGpu: gpuType.toUpperCase(),
    options: {
      throughputs: table.name,
      throughputsSha256: table.sha256,
      referenceGpu: gpuType,
    },
    assumed,
  };
}

/** Latest completion after submission: the SLO is a multiple of the run time, and below 0 for none. */
function deadlineOf(row: Row, durationS: number): number | null {
  const slo = row.decimalOrNull('SLO', FACTOR);
  if (slo === null || slo < 0) return null;
  if (slo === 0) throw new RowError('SLO', "expected above 0, or -1 for none, found '0'");
  const deadlineS = slo * durationS;
  if (deadlineS <= TIME_S.max) return deadlineS;
  throw new RowError('SLO', `gives a deadline of ${deadlineS} s; expected at most ${TIME_S.max}`);
}

function formatOf({ columns, throughputs }: GavelLayout): CsvFormat {
  return {
    name: NAME,
    title: TITLE,
    required: [],
    settings: SETTINGS,
    header: { columns },
    delimiter: '\t',
    detect: () => null,
    async plan(facts) {
      const runTimes =
        throughputs === null ? statedRunTimes(facts) : await computedRunTimes(facts, throughputs);
      const dynamic = new Map<string, number>();
      let weighted = 0;
      let withDeadline = 0;
      return {
        options: runTimes.options,
        toJob(row) {
          const model = row.text('job_type');
          const steps = row.integer('total_steps', STEPS);
          const gpuCount = row.integer('scale_factor', GPUS);
          const submitS = row.decimal('arrival_time', TIME_S);
          const weight = row.decimalOrNull('priority_weight', FACTOR) ?? 1;
          if (gpuCount === 0) return 'cpu_only';
          const durationS = runTimes.durationS(row, gpuCount);
          if (durationS === null) return 'no_throughput';
          if (steps === 0 || durationS <= 0) return 'nonpositive_duration';
          if (durationS > TIME_S.max) {
            const detail = `would run for ${durationS} s; expected at most ${TIME_S.max}`;
            throw new RowError('total_steps', detail);
          }
          const deadlineS = deadlineOf(row, durationS);
          const mode = row.textOrNull('mode') ?? STATIC;
          if (mode !== STATIC) dynamic.set(mode, (dynamic.get(mode) ?? 0) + 1);
          if (weight !== 1) weighted += 1;
          if (deadlineS !== null) withDeadline += 1;
          return traceJob({
            // As their simulators number jobs.
            id: String(row.number - 1),
            submitS,
            durationS,
            referenceGpu: runTimes.referenceGpu,
            gpuCount,
            model,
            deadlineS,
            row: row.number,
          });
        },
        assumed() {
          const lines = ["times are seconds on the file's own clock; ids are row numbers from 0"];
          lines.push(...runTimes.assumed);
          if (withDeadline > 0) {
            lines.push(`the SLO of ${withDeadline} jobs times their run time is their deadline`);
          }
          if (weighted > 0)
            lines.push(`priority weights other than 1 of ${weighted} jobs are not kept`);
          for (const [mode, jobs] of dynamic) {
            lines.push(
              `batch sizes of ${jobs} jobs that change while they run (${mode}) do not here`,
            );
          }
          return lines;
        },
      };
    },
  };
}

/**
 * Traces of Gavel (stanford-futuredata/gavel; Narayanan et al., OSDI 2020) and Shockwave
 * (uw-mad-dash/shockwave; Zheng et al., NSDI 2023): tab-separated, without a header, of 7, 9, 10 or 12
 * fields. Work is counted in steps; run time is steps over the throughput of the job type alone on the
 * reference GPU, from Gavel's table, except in Shockwave's, which state it.
 */
export const gavel: Importer = {
  name: NAME,
  title: TITLE,
  columns: [],
  settings: SETTINGS,
  readsAlso: ({ throughputs }) => ({
    tables: ['oracle_throughputs', 'simulation_throughputs'] satisfies GavelTable[],
    paths: throughputs === undefined ? [] : [String(throughputs)],
  }),
  detect(head) {
    const cells = firstCells(head, '\t');
    const layout = layoutOf(cells);
    if (layout === null || !hasShape(layout, cells)) return null;
    return `the first line has the ${cells.length} tab-separated fields of a Gavel trace`;
  },
  async read(source, options) {
    const cells = firstCells(source, '\t');
    const layout = layoutOf(cells);
    if (layout === null) {
      const found = `found ${cells.length} in ${quoted(source.firstLine)}`;
      const detail = `expected ${FIELD_COUNTS} tab-separated fields, ${found}`;
      throw new InputError(source.path, 1, null, detail);
    }
    return await readJobTable(formatOf(layout), source, options);
  },
};
