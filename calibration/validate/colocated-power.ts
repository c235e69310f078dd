import { evaluateGpu } from '../../sim/gpu/evaluate.ts';
import type { GpuType } from '../../sim/gpu/profile.ts';
import {
  additivePower,
  IGNITER_V100_THROTTLE,
  type LinearThrottle,
} from '../fit/colocated-power.ts';
import { mean } from '../fit/errors.ts';
import { type ShareWorkload, shareProfile, shareSpeed } from '../fit/share-workload.ts';
import type { Measurement, MeasurementTable } from '../measurement.ts';
import type { SchemeGoal, SchemeRow } from './scheme.ts';
import { relativeErrors } from './score.ts';
import { first, highestClockMhz } from './share-rows.ts';
import { groupBy } from './sweeps.ts';
import { knowledgeOf } from './unseen-pairs.ts';

export interface ColocatedPowerOptions {
  /** GPU types with voltage curve, limits and context level; others only have the published throttle. */
  readonly gpuTypes: readonly GpuType[];
  /** Power of the GPU with an idle context at the reference clock, where the type is not given. */
  readonly contextW: number;
  /** Published throttles by GPU type. */
  readonly throttles: Readonly<Record<string, LinearThrottle>>;
  /** Batch size of the jobs where the set does not say. */
  readonly batch: number;
}

/** iGniter's configuration: 53.5 W with an idle context at 1530 MHz. */
export const COLOCATED_DEFAULTS: ColocatedPowerOptions = {
  gpuTypes: [],
  contextW: 53.5,
  throttles: { V100: IGNITER_V100_THROTTLE },
  batch: 16,
};

const GOAL: SchemeGoal = { timeMape: 0.05, powerMape: 0.06, worst: null, more: '' };
const PUBLISHED =
  'additive power under the cap: largest error 5.1 % of the five, clocks of pairs 0..4.2 % with iGniter’s linear throttle';

/** Equal jobs together: their number, and what was read. */
interface Together {
  readonly count: number;
  readonly share: number;
  readonly batch: number | null;
  readonly powerW: number;
  readonly clockMhz: number | null;
}

/** Jobs of one workload at one share, alone and in growing numbers. */
interface Series {
  readonly gpuType: string;
  readonly source: string;
  readonly workload: string;
  /** Power with one of them alone, and the highest clock that was read. */
  readonly aloneW: number;
  readonly freeMhz: number;
  readonly together: readonly Together[];
}

/**
 * Total power and throttled clock of equal jobs under MPS shares, from one of them alone, which is
 * seen and does not count (calibration C8): once by the simulator (dynamic power that goes with speed,
 * adds up and is capped by lowering the clock), once by iGniter's published cap and linear throttle.
 * Clock errors stand in the time column, over the points that throttle in the measurement or the
 * prediction.
 *
 * Naive: the whole power of each job added up, context included, under the cap; no throttling.
 */
export function colocatedPowerRows(
  table: MeasurementTable,
  options: Partial<ColocatedPowerOptions> = {},
): SchemeRow[] {
  const settings = { ...COLOCATED_DEFAULTS, ...options };
  const all = seriesOf(table.rows);
  const kinds = groupBy(all, ({ gpuType, source, together }) =>
    JSON.stringify([gpuType, source, together.some(({ count }) => count > 2)]),
  );
  return kinds.flatMap(([, series]) => rowsOf(table, series, settings));
}

function rowsOf(
  table: MeasurementTable,
  all: readonly Series[],
  { gpuTypes, contextW, throttles, batch }: ColocatedPowerOptions,
): SchemeRow[] {
  const { gpuType, source } = first(all);
  const type = gpuTypes.find(({ name }) => name === gpuType);
  const throttle = throttles[gpuType];
  const counts = all.flatMap(({ together }) => together.map(({ count }) => count));
  const names = all.map(({ workload }) => workload).join(', ');
  const range = [...new Set([Math.min(...counts), Math.max(...counts)])].join(' to ');
  const what = `${gpuType} (${source}), ${range} of ${names} together`;
  const rowOf = (how: string, predict: Predict): SchemeRow => {
    const errors = all.map((series) => errorsOf(series, predict));
    const clock = errors.flatMap((error) => error.clock);
    const power = errors.flatMap((error) => error.power);
    const naive = all.flatMap((series) =>
      naiveErrors(series, type?.powerLimitW.default ?? throttle?.capW ?? Infinity),
    );
    return {
      what: `${what}, ${how}; clock in the time column`,
      timeMape: clock.length === 0 ? null : mean(clock),
      powerMape: mean(power),
      worst: Math.max(...power, ...clock),
      naiveTime: clock.length === 0 ? null : mean(all.flatMap(unthrottledErrors)),
      naivePower: mean(naive),
      published: PUBLISHED,
      points: power.length,
      workloads: all.length,
      goal: GOAL,
    };
  };
  const rows: SchemeRow[] = [];
  if (type !== undefined) {
    const known = knowledgeOf(table.rows, type, false);
    rows.push(rowOf('simulator', simulatorOf(type, known.workloads, batch)));
  }
  if (throttle !== undefined) {
    const level = type?.contextPowerW ?? contextW;
    rows.push(
      rowOf('published throttle', (series, { count }) =>
        additivePower(new Array<number>(count).fill(series.aloneW), level, throttle),
      ),
    );
  }
  return rows;
}

type Predict = (
  series: Series,
  point: Together,
) => { readonly powerW: number; readonly clockMhz: number };

/**
 * The simulator, from one job's power alone and its times over shares. Its interference is left out:
 * no pair of equal jobs was measured.
 */
function simulatorOf(
  type: GpuType,
  workloads: ReadonlyMap<string, ShareWorkload>,
  usualBatch: number,
): Predict {
  return (series, point) => {
    const time = workloads.get(series.workload)?.time ?? ALL_CORE;
    const batch = point.batch ?? usualBatch;
    const fullW = (series.aloneW - type.contextPowerW) / shareSpeed(time, batch, point.share);
    const workload = { time, fullW: [[batch, fullW]] as const };
    const none = { sensitivity: 0, aggressiveness: 0 };
    const profile = shareProfile(series.workload, workload, batch, type, none, 0);
    const residents = Array.from({ length: point.count }, () => ({ profile, share: point.share }));
    const { powerW, clockX } = evaluateGpu(type, residents, {
      mode: 'mps',
      clockX: 1,
      memoryX: 1,
      powerCapW: type.powerLimitW.default,
      switchingLoss: 0,
    });
    return { powerW, clockMhz: clockX * type.referenceClockMhz };
  };
}

const ALL_CORE: ShareWorkload['time'] = {
  host: { fixedS: 0, perItemS: 0 },
  memory: { fixedS: 0, perItemS: 0 },
  core: { fixedS: 1, perItemS: 0 },
  q: 1,
};

/** Errors of power, and of the clock where it falls or is said to; one job alone was seen. */
function errorsOf(series: Series, predict: Predict) {
  const power: number[] = [];
  const clock: number[] = [];
  for (const point of series.together) {
    const { powerW, clockMhz } = predict(series, point);
    power.push(...relativeErrors([point.powerW], [powerW]));
    if (point.clockMhz === null) continue;
    if (Math.min(point.clockMhz, clockMhz) >= series.freeMhz) continue;
    clock.push(...relativeErrors([point.clockMhz], [clockMhz]));
  }
  return { power, clock };
}

function naiveErrors({ aloneW, together }: Series, capW: number): number[] {
  return together.map(({ count, powerW }) => Math.abs(Math.min(capW, count * aloneW) / powerW - 1));
}

/** Errors of a clock that never falls, where it did. */
function unthrottledErrors({ freeMhz, together }: Series): number[] {
  return together.flatMap(({ clockMhz }) =>
    clockMhz === null || clockMhz >= freeMhz ? [] : [freeMhz / clockMhz - 1],
  );
}

/** Series of equal jobs under shares of which one alone was measured, too. */
function seriesOf(rows: readonly Measurement[]): Series[] {
  const usable = rows.filter(
    ({ sharing, share, powerW, workload, coRunners }) =>
      sharing === 'mps' &&
      share !== null &&
      powerW !== null &&
      coRunners.every((other) => other.workload === workload && other.share === share),
  );
  const groups = groupBy(usable, ({ gpuType, source, workload, batch, share }) =>
    JSON.stringify([gpuType, source, workload, batch, share]),
  );
  return groups.flatMap(([, group]) => {
    const alone = group.filter(({ coRunners }) => coRunners.length === 0);
    if (alone.length === 0 || alone.length === group.length) return [];
    const { gpuType, source, workload } = first(group);
    const together = group.flatMap(({ coRunners, share, batch, powerW, achievedMhz }) =>
      share === null || powerW === null || coRunners.length === 0
        ? []
        : [{ count: coRunners.length + 1, share, batch, powerW, clockMhz: achievedMhz }],
    );
    const aloneW = mean(alone.map(({ powerW }) => powerW ?? 0));
    return [{ gpuType, source, workload, aloneW, freeMhz: highestClockMhz(group), together }];
  });
}
