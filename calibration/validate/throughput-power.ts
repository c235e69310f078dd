import { evaluateGpu } from '../../sim/gpu/evaluate.ts';
import type { GpuType } from '../../sim/gpu/profile.ts';
import { mean } from '../fit/errors.ts';
import { fitShareWorkload, shareProfile } from '../fit/share-workload.ts';
import type { Measurement, MeasurementTable } from '../measurement.ts';
import type { SchemeResult, SchemeRow } from './scheme.ts';
import { aloneUnderShare, first, highestClockMhz, isThrottled } from './share-rows.ts';
import { groupBy } from './sweeps.ts';

export interface ThroughputPowerOptions {
  /** The share whose power is seen; all others are asked for. */
  readonly seenShare: number;
  /** Power of the GPU with an idle context at the reference clock, where the type is not given. */
  readonly contextW: number;
  /** Power limit, where the type is not given. */
  readonly capW: number;
  readonly gpuTypes: readonly GpuType[];
}

/** The 50 % point; iGniter's V100 draws 53.5 W with an idle context and is limited to 300 W. */
export const THROUGHPUT_POWER_DEFAULTS: ThroughputPowerOptions = {
  seenShare: 0.5,
  contextW: 53.5,
  capW: 300,
  gpuTypes: [],
};

const PUBLISHED = 'exploratory: 2.6 % mean over four models and three batches, without the cap';

/** A workload at a batch size: power and throughput alone over shares. */
interface Series {
  readonly workload: string;
  readonly batch: number;
  readonly points: readonly Point[];
}

interface Point {
  readonly share: number;
  readonly stepS: number;
  readonly powerW: number;
  readonly throttled: boolean;
}

/**
 * Scheme 6: dynamic power is in proportion to the throughput that is achieved (calibration C4, C8).
 * Total power at the other shares from the power at one, the throughputs measured and the context
 * power; then by the simulator, which also has to predict the throughputs and the throttling.
 *
 * Naive: dynamic power in proportion to the share.
 */
export function validateThroughputPower(
  table: MeasurementTable,
  options: Partial<ThroughputPowerOptions> = {},
): SchemeResult {
  const settings = { ...THROUGHPUT_POWER_DEFAULTS, ...options };
  const groups = groupBy(
    table.rows.filter((row) => aloneUnderShare(row) && row.powerW !== null && row.stepS !== null),
    ({ gpuType, source }) => JSON.stringify([gpuType, source]),
  );
  return {
    name: '6. Dynamic power in proportion to achieved throughput',
    goal: { timeMape: null, powerMape: 0.03, worst: null, more: 'total power, mean' },
    rows: groups.flatMap(([, group]) => rowsOf(group, settings)),
    notes: [
      `Seen: each workload and batch at ${100 * settings.seenShare} % share. Asked for: its total power at all other shares.`,
      'By throughput: base plus dynamic power at the seen share times the ratio of the measured throughputs, at most the power limit.',
      'Simulator: times fitted over all shares and batches, full power from the seen share alone, and the clock that the power limit leaves.',
      'Naive: dynamic power in proportion to the share, at most the power limit.',
    ],
  };
}

function rowsOf(group: readonly Measurement[], settings: ThroughputPowerOptions): SchemeRow[] {
  const { gpuType, source } = first(group);
  const type = settings.gpuTypes.find(({ name }) => name === gpuType);
  const contextW = type?.contextPowerW ?? settings.contextW;
  const capW = type?.powerLimitW.default ?? settings.capW;
  const series = seriesOf(group, settings.seenShare);
  if (series.length === 0) return [];
  const scaled = (factorOf: (seen: Point, asked: Point) => number): Predict => {
    return (_, seen, asked) =>
      Math.min(capW, contextW + (seen.powerW - contextW) * factorOf(seen, asked));
  };
  const naive = errorsOf(
    series,
    settings,
    scaled((seen, asked) => asked.share / seen.share),
  );
  const rowOf = (how: string, errors: readonly number[][]): SchemeRow => ({
    what: `${gpuType} (${source}), other shares from ${100 * settings.seenShare} %, ${how}`,
    timeMape: null,
    powerMape: mean(errors.flat()),
    worst: Math.max(...errors.map(mean)),
    naiveTime: null,
    naivePower: mean(naive.flat()),
    published: PUBLISHED,
    points: errors.flat().length,
    workloads: errors.length,
  });
  const byThroughput = errorsOf(
    series,
    settings,
    scaled((seen, asked) => seen.stepS / asked.stepS),
  );
  const rows = [rowOf('by throughput', byThroughput)];
  if (type !== undefined) {
    rows.push(rowOf('simulator', errorsOf(series, settings, simulatorOf(series, type))));
  }
  return rows;
}

type Predict = (series: Series, seen: Point, asked: Point) => number;

/** Errors by series, over all points but the seen one. */
function errorsOf(
  all: readonly Series[],
  { seenShare }: ThroughputPowerOptions,
  predict: Predict,
): number[][] {
  return all.map((series) => {
    const seen = first(series.points.filter(({ share }) => share === seenShare));
    return series.points
      .filter(({ share }) => share !== seenShare)
      .map((asked) => Math.abs(predict(series, seen, asked) / asked.powerW - 1));
  });
}

function simulatorOf(all: readonly Series[], type: GpuType): Predict {
  const times = new Map(
    groupBy(all, ({ workload }) => workload).map(([workload, mine]) => [
      workload,
      mine.flatMap(({ batch, points }) =>
        points.flatMap(({ share, stepS, throttled }) =>
          throttled ? [] : [{ batch, share, stepS }],
        ),
      ),
    ]),
  );
  return ({ workload, batch }, seen, asked) => {
    const powers = [{ batch, share: seen.share, powerW: seen.powerW }];
    const known = fitShareWorkload(times.get(workload) ?? [], powers, type.contextPowerW);
    const none = { sensitivity: 0, aggressiveness: 0 };
    const profile = shareProfile(workload, known, batch, type, none, 0);
    return evaluateGpu(type, [{ profile, share: asked.share }], {
      mode: 'mps',
      clockX: 1,
      memoryX: 1,
      powerCapW: type.powerLimitW.default,
      switchingLoss: 0,
    }).powerW;
  };
}

function seriesOf(rows: readonly Measurement[], seenShare: number): Series[] {
  const referenceMhz = highestClockMhz(rows);
  const groups = groupBy(rows, ({ workload, batch }) => JSON.stringify([workload, batch]));
  return groups.flatMap(([, group]) => {
    const { workload, batch } = first(group);
    const points = group.flatMap((row) => {
      const { share, stepS, powerW } = row;
      return share === null || stepS === null || powerW === null
        ? []
        : [{ share, stepS, powerW, throttled: isThrottled(row, referenceMhz) }];
    });
    const isUsable = points.length > 1 && points.some(({ share }) => share === seenShare);
    return isUsable ? [{ workload, batch: batch ?? 1, points }] : [];
  });
}
