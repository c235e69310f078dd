import { voltage } from '../../sim/gpu/power.ts';
import type { GpuType, InterferenceModel, Provenance } from '../../sim/gpu/profile.ts';
import { assumed, MISO, measured, transferred } from '../facts/sources.ts';
import { guess } from '../facts/workloads.ts';
import { mean, meanAbsolutePercentageError } from '../fit/errors.ts';
import { at, leastSquares } from '../fit/least-squares.ts';
import type { Measurement } from '../measurement.ts';
import { type ShippedWorkload, shippedProfile } from './profile.ts';
import { groups } from './sweeps.ts';

/** GPU type of the set. */
export const MISO_GPU = 'A100-40';
/** Slices from which on the share curve is taken to be pinned. */
const FEWEST_SLICES = 4;
/** Its step times spread by a factor between runs. */
const ERRATIC = 'deepspeech2';

/** Profiles of the MISO jobs and how well two terms explain them. */
export interface MisoResult {
  readonly workloads: readonly ShippedWorkload[];
  /** Mean error of step times over slices, in sample. */
  readonly timeMape: number;
  /** Mean error of power from the two utilisations, each row predicted by a fit on the others. */
  readonly powerHeldOut: number;
  readonly powers: number;
}

interface PowerRow {
  readonly util: number;
  readonly memory: number;
  readonly powerW: number;
}

/**
 * The MISO training jobs on an A100: step time over MIG slices as `host + core / slice`, power as
 * measured on the whole GPU, divided between memory and core by a fit over all jobs of power against
 * the two utilisations.
 */
export function misoWorkloads(
  rows: readonly Measurement[],
  type: GpuType,
  interference: readonly [InterferenceModel, Provenance],
): MisoResult {
  const powers = rows.flatMap(({ utilisation, bandwidth, powerW }): PowerRow[] =>
    utilisation === null || bandwidth === null || powerW === null
      ? []
      : [{ util: utilisation, memory: bandwidth, powerW }],
  );
  const law = fitPower(powers);
  const errors: number[] = [];
  const workloads = groups(rows, ({ workload, batch }) =>
    JSON.stringify([workload, batch]),
  ).flatMap(([, points]): ShippedWorkload[] => {
    const slices = points.flatMap(({ share, stepS }) =>
      share === null || stepS === null ? [] : [{ share, stepS }],
    );
    const solo = points.find(({ powerW }) => powerW !== null);
    const [first] = points;
    if (first?.batch == null || solo?.powerW == null || solo.memoryGib === null) return [];
    if (slices.length < FEWEST_SLICES || first.workload === ERRATIC) return [];
    const time = fitSlices(slices);
    const error = meanAbsolutePercentageError(
      slices.map(({ stepS }) => stepS),
      slices.map(({ share }) => time.hostS + time.coreS / share),
    );
    errors.push(error);
    const of = `${first.workload} at batch size ${first.batch}`;
    const memoryPart = law.memoryW * (solo.bandwidth ?? 0);
    const part = memoryPart / (memoryPart + law.utilW * (solo.utilisation ?? 0));
    const dynamicW = Math.max(0, solo.powerW - type.contextPowerW);
    const profile = shippedProfile(
      'training',
      {
        memoryGib: [solo.memoryGib, measured(`${MISO}: ${of}`)],
        bandwidthDemand: [solo.bandwidth ?? 0, measured(`${MISO}: memory utilisation of ${of}`)],
        startS: guess(5, 'near the Muri overheads of models of its size, 4..10 s'),
      },
      {
        time: [
          { ...time, memoryS: 0, q: 1 },
          {
            kind: 'fitted',
            source: `${MISO}: ${slices.length} MIG slices of ${of}; a slice stands for an SM share`,
          },
        ],
        power: [
          {
            memoryW: dynamicW * part,
            coreW: (dynamicW * (1 - part)) / voltage(type.voltage, 1) ** 2,
          },
          {
            kind: 'fitted',
            source: `${MISO}: power of ${of} on the whole GPU, divided between memory and core by utilisation`,
          },
        ],
        smDemand: [1, transferred(`${MISO}: step times fall with the slice up to the whole GPU`)],
        bandwidthDemand: [solo.bandwidth ?? 0, measured(`${MISO}: memory utilisation of ${of}`)],
        interference,
        fitError: { timeMape: error, powerMape: null, points: slices.length + 1 },
        more: { 'time.memoryS': assumed('0: MIG slices cannot tell memory time from core time') },
      },
    );
    return [
      {
        name: `${first.workload}-miso-b${first.batch}`,
        kind: 'training',
        batchSize: first.batch,
        description: `${first.workload} of the MISO set, training; one step is one batch`,
        onGpu: { [MISO_GPU]: profile },
      },
    ];
  });
  const heldOut = powers.map((row, i) => {
    const fit = fitPower(powers.filter((_, j) => j !== i));
    return Math.abs(powerOf(fit, row) / row.powerW - 1);
  });
  return {
    workloads,
    timeMape: mean(errors),
    powerHeldOut: mean(heldOut),
    powers: powers.length,
  };
}

function fitSlices(slices: readonly { readonly share: number; readonly stepS: number }[]) {
  const scale = Math.min(...slices.map(({ stepS }) => stepS));
  const found = leastSquares({
    residuals: (p) =>
      slices.map(({ share, stepS }) => ((at(p, 0) + at(p, 1) / share) * scale) / stepS - 1),
    start: [0.5, 0.5],
    lower: [0, 0],
    upper: [2, 2],
  });
  return { hostS: at(found.parameters, 0) * scale, coreS: at(found.parameters, 1) * scale };
}

interface PowerLaw {
  readonly baseW: number;
  readonly utilW: number;
  readonly memoryW: number;
}

const powerOf = ({ baseW, utilW, memoryW }: PowerLaw, { util, memory }: PowerRow): number =>
  baseW + utilW * util + memoryW * memory;

function fitPower(rows: readonly PowerRow[]): PowerLaw {
  const lawOf = (p: readonly number[]): PowerLaw => ({
    ...{ baseW: at(p, 0), utilW: at(p, 1), memoryW: at(p, 2) },
  });
  const found = leastSquares({
    residuals: (p) => rows.map((row) => powerOf(lawOf(p), row) / row.powerW - 1),
    start: [50, 100, 100],
    lower: [0, 0, 0],
    upper: [500, 1000, 1000],
  });
  return lawOf(found.parameters);
}
