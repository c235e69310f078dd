import { InputError } from '../../sim/errors.ts';
import type { ProfileSet, Provenance } from '../../sim/gpu/profile.ts';
import type { MeasurementReport, MeasurementTable } from '../measurement.ts';
import { rounded, type ShippedWorkload, withError } from '../shipped/profile.ts';
import { groups } from '../shipped/sweeps.ts';
import { fitCompany } from './fit-beside.ts';
import { type FittedWorkload, fitWorkload } from './fit-workload.ts';
import { type FittedParameter, type GpuFrame, newFrame } from './gpu-frame.ts';
import { sortTable, type WorkloadObservations } from './observations.ts';

/** One workload on one GPU type, as fitted. */
export interface FittedRow extends FittedWorkload {
  readonly gpuType: string;
  readonly name: string;
  readonly warnings: readonly string[];
}

/** All that a fit of a table gives: a profile file and how good it is. */
export interface TableFit {
  readonly gpus: readonly {
    readonly name: string;
    readonly isNew: boolean;
    readonly parameters: readonly FittedParameter[];
  }[];
  readonly rows: readonly FittedRow[];
  readonly pairs: number;
  readonly interferenceMape: number | null;
  readonly unused: Readonly<Record<string, number>>;
  readonly report: MeasurementReport;
  /** The document that `--profiles` takes. */
  readonly profile: { gpus: unknown[]; workloads: unknown[]; pairs: unknown[] };
}

/**
 * Fits every workload of a table on every GPU type of it. A GPU type that is shipped keeps its
 * clocks, context level and voltage curve, on which other profiles rest; any other is fitted too.
 *
 * @throws {InputError} when no workload was measured alone
 */
export function fitTable(table: MeasurementTable, shipped: ProfileSet): TableFit {
  const { workloads, beside, unused } = sortTable(table.rows);
  const source = [...new Set(table.rows.map((row) => row.source))].join(', ');
  const frames = new Map(
    groups(workloads, ({ gpuType }) => gpuType).map(([name, mine]): [string, GpuFrame] => {
      const type = shipped.gpuTypes.find((known) => known.name === name);
      return [
        name,
        type === undefined ? newFrame(name, mine, source) : { type, isNew: false, parameters: [] },
      ];
    }),
  );
  if (workloads.length === 0) {
    const detail = 'expected measurements of workloads alone on a gpu, found none';
    throw new InputError(table.report.files[0] ?? 'measurements', null, null, detail);
  }
  const rows = workloads.map((data): FittedRow => {
    const frame = frames.get(data.gpuType);
    if (frame === undefined) throw new RangeError(`expected gpu type '${data.gpuType}'`);
    const fit = fitWorkload(data, frame.type);
    return { gpuType: data.gpuType, name: data.name, ...fit, warnings: warningsOf(fit) };
  });
  const companies = groups(workloads, ({ gpuType }) => gpuType).map(([gpuType, mine]) => {
    const known = new Set(mine.map(({ name }) => name));
    return fitCompany(
      beside.filter((side) => side.gpuType === gpuType),
      known,
    );
  });
  const counts: Record<string, number> = { ...unused };
  for (const company of companies) {
    for (const [reason, count] of Object.entries(company.unused)) {
      counts[reason] = (counts[reason] ?? 0) + count;
    }
  }
  const pairs = companies.flatMap((company) => company.pairs);
  const errors = companies.flatMap(({ interferenceMape }) => interferenceMape ?? []);
  const gpus = [...frames.values()];
  return {
    gpus: gpus.map(({ type, isNew, parameters }) => ({ name: type.name, isNew, parameters })),
    rows,
    pairs: pairs.length,
    interferenceMape: errors.length === 0 ? null : Math.max(...errors),
    unused: counts,
    report: table.report,
    profile: {
      gpus: gpus.filter(({ isNew }) => isNew).map(({ type }) => rounded(type)),
      workloads: profilesOf(workloads, rows, (gpuType, name) => {
        const at = [...frames.keys()].indexOf(gpuType);
        return companies[at]?.interference.get(name) ?? null;
      }),
      pairs: rounded(pairs),
    },
  };
}

function warningsOf({ evidence, parameters }: FittedWorkload): string[] {
  const lost = parameters.filter(({ status }) => status === 'not identifiable');
  return [
    ...(evidence.powers === 0 ? ['no power measured: its power is an assumption'] : []),
    ...(evidence.times === 0 ? ['no time measured: its step time is an assumption'] : []),
    ...(evidence.clocks === 1 ? ['one clock only: nothing says how it depends on the clock'] : []),
    ...(lost.length === 0
      ? []
      : [`not pinned by the data: ${lost.map((it) => it.name).join(', ')}`]),
  ];
}

type Interference = ShippedWorkload['onGpu'][string]['interference'];

function profilesOf(
  data: readonly WorkloadObservations[],
  rows: readonly FittedRow[],
  interferenceOf: (gpuType: string, name: string) => Interference | null,
): unknown[] {
  const both = data.map((mine, i) => ({ data: mine, row: rows[i] }));
  return groups(both, (item) => item.data.name).map(([name, items]) =>
    rounded({
      name,
      batchSize: items[0]?.data.batchSize ?? 1,
      description: items[0]?.data.normalised
        ? 'fitted from measurements; one step takes about 1 s at the reference point'
        : 'fitted from measurements',
      onGpu: Object.fromEntries(
        items.flatMap(({ data: mine, row }) =>
          row === undefined
            ? []
            : [[mine.gpuType, profileOf(mine, row, interferenceOf(mine.gpuType, name))]],
        ),
      ),
    }),
  );
}

function profileOf(
  data: WorkloadObservations,
  { terms, evidence, parameters, fitError: error }: FittedRow,
  interference: Interference | null,
) {
  const fitError = rounded(error);
  const from = data.sources.join(', ');
  const fitted = (what: string): Provenance => ({ kind: 'fitted', source: `${from}: ${what}` });
  const why = parameters.filter((it) => it.why !== '' && it.status === 'fixed');
  const fixed = why.map((it): [string, Provenance] => [
    it.name,
    { kind: 'assumed', source: it.why },
  ]);
  const bandwidth = data.bandwidth ?? 0;
  return {
    time: terms.time,
    power: terms.power,
    capFraction: terms.capFraction,
    memoryGib: data.memoryGib ?? 0,
    bandwidthDemand: Math.min(1, bandwidth),
    ...(interference === null ? {} : { interference }),
    provenance: {
      '*': { kind: 'assumed', source: 'not in the measurements' },
      ...(evidence.times === 0
        ? {}
        : { time: withError(fitted(`${evidence.times} times`), fitError.timeMape) }),
      ...(evidence.powers === 0
        ? {}
        : { power: withError(fitted(`${evidence.powers} powers`), fitError.powerMape) }),
      ...(evidence.capsBind ? { capFraction: fitted(`${evidence.caps} caps`) } : {}),
      ...(data.memoryGib === null ? {} : { memoryGib: { kind: 'measured', source: from } }),
      ...(data.bandwidth === null ? {} : { bandwidthDemand: { kind: 'measured', source: from } }),
      ...(interference === null ? {} : { interference: fitted('pairs under MPS shares') }),
      'time.hostS': { kind: 'assumed', source: '0: no data tells it from the memory floor' },
      ...Object.fromEntries(fixed),
    },
    fitError,
  };
}
