import type { GpuType } from '../../sim/gpu/profile.ts';
import type { JobView } from '../../sim/job-view.ts';
import type { Predictor } from '../predictor.ts';
import type { Clocks, GpuLimits } from './clocks.ts';

/** What a job alone on a GPU does at a clock and power limit. */
export interface SoloPoint extends GpuLimits {
  /** Seconds of a step, and watts of the GPU with its context. */
  readonly stepS: number;
  readonly powerW: number;
}

/** Each clock of a type, ascending, at the default power limit; empty where the workload cannot run. */
export function clockPoints(predictor: Predictor, workload: string, type: number): SoloPoint[] {
  const { clocksMhz, powerLimitW } = predictor.types[type] as GpuType;
  return points(
    predictor,
    workload,
    type,
    clocksMhz.map((clockMhz) => ({ clockMhz, powerCapW: powerLimitW.default })),
  );
}

/** Power limits of a type from the highest to the lowest, `stepW` apart, at the reference clock. */
export function capPoints(
  predictor: Predictor,
  workload: string,
  type: number,
  stepW: number,
): SoloPoint[] {
  const { referenceClockMhz, powerLimitW } = predictor.types[type] as GpuType;
  const caps: GpuLimits[] = [];
  for (let cap = powerLimitW.max; cap >= powerLimitW.min; cap -= stepW) {
    caps.push({ clockMhz: referenceClockMhz, powerCapW: cap });
  }
  return points(predictor, workload, type, caps);
}

function points(
  predictor: Predictor,
  workload: string,
  type: number,
  settings: readonly GpuLimits[],
): SoloPoint[] {
  const profile = predictor.profile(workload, type);
  if (profile === null) return [];
  return settings.map((setting) => {
    const point = predictor.evaluate(type, [{ profile, share: 1 }], {
      ...setting,
      mode: 'exclusive',
    });
    return { ...setting, stepS: point.stepS[0] as number, powerW: point.powerW };
  });
}

/** The point of least cost, the first of equals; null for none. */
export function cheapest(
  candidates: readonly SoloPoint[],
  cost: (point: SoloPoint) => number,
): SoloPoint | null {
  let best: SoloPoint | null = null;
  let least = Infinity;
  for (const point of candidates) {
    const value = cost(point);
    if (value >= least) continue;
    best = point;
    least = value;
  }
  return best;
}

/**
 * Clocks chosen once for each workload on each type; the reference clock and default limit where the
 * rule chooses nothing.
 */
export function perWorkload(
  name: string,
  choose: (workload: string, typeIndex: number) => GpuLimits | null,
): Clocks {
  const known = new Map<string, (GpuLimits | undefined)[]>();
  return {
    name,
    limits(type: GpuType, typeIndex: number, { workload }: JobView) {
      let byType = known.get(workload);
      if (byType === undefined) {
        byType = [];
        known.set(workload, byType);
      }
      byType[typeIndex] ??= choose(workload, typeIndex) ?? usualLimits(type);
      return byType[typeIndex];
    },
  };
}

/** The reference clock and the default power limit. */
export function usualLimits({ referenceClockMhz, powerLimitW }: GpuType): GpuLimits {
  return { clockMhz: referenceClockMhz, powerCapW: powerLimitW.default };
}
