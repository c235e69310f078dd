import { contextPowerW, dynamicPowerW } from '../../sim/gpu/power.ts';
import type { DynamicPowerModel, GpuType, StepTimeModel } from '../../sim/gpu/profile.ts';
import { stepTimeS } from '../../sim/gpu/step-time.ts';
import type { Observation } from './observations.ts';

/** The terms of a profile that measurements alone on a GPU speak of. */
export interface SoloTerms {
  readonly time: StepTimeModel;
  readonly power: DynamicPowerModel;
  readonly capFraction: number;
}

/** What the model says of one point. */
export interface SoloPoint {
  readonly x: number;
  readonly stepS: number;
  readonly powerW: number;
}

const THROTTLE_STEPS = 40;

/**
 * Time and power of a workload alone, as the simulator has them (docs/model.md): clock and share
 * as set, dynamic power by the speed at the share, and under a cap the highest clock at which the
 * average power is at most `capFraction` of it.
 */
export function predictAlone(terms: SoloTerms, type: GpuType, point: Observation): SoloPoint {
  const xm = point.memoryMhz === null ? 1 : point.memoryMhz / type.referenceMemoryClockMhz;
  const at = (x: number): SoloPoint => {
    const stepS = stepTimeS(terms.time, 1, x, xm, point.share);
    const speed = point.share < 1 ? stepTimeS(terms.time, 1, x, xm, 1) / stepS : 1;
    const dynamicW = dynamicPowerW(terms.power, type.voltage, x, xm) * speed;
    return { x, stepS, powerW: contextPowerW(type, x) + dynamicW };
  };
  const free = at(point.coreMhz === null ? 1 : point.coreMhz / type.referenceClockMhz);
  const limitW = point.powerCapW === null ? Infinity : terms.capFraction * point.powerCapW;
  if (free.powerW <= limitW) return free;
  let low = Math.min(
    free.x,
    (type.clocksMhz[0] ?? type.referenceClockMhz) / type.referenceClockMhz,
  );
  let high = free.x;
  if (at(low).powerW > limitW) return at(low);
  for (let step = 0; step < THROTTLE_STEPS; step += 1) {
    const middle = (low + high) / 2;
    if (at(middle).powerW > limitW) high = middle;
    else low = middle;
  }
  return at(low);
}

/** What a workload's points can tell apart. */
export interface Evidence {
  readonly times: number;
  readonly powers: number;
  readonly clocks: number;
  readonly memoryClocks: number;
  readonly shares: number;
  readonly caps: number;
  /** True when the power at the lowest cap is at most nine tenths of the highest seen. */
  readonly capsBind: boolean;
}

const BINDING = 0.9;

/** Counts what was varied. */
export function evidenceOf(points: readonly Observation[]): Evidence {
  const distinct = (values: readonly (number | null)[]): number =>
    new Set(values.filter((value) => value !== null)).size;
  const capped = points
    .filter(({ powerCapW, powerW }) => powerCapW !== null && powerW !== null)
    .sort((a, b) => (a.powerCapW ?? 0) - (b.powerCapW ?? 0));
  const powers = capped.map(({ powerW }) => powerW ?? 0);
  return {
    times: points.filter(({ stepS }) => stepS !== null).length,
    powers: points.filter(({ powerW }) => powerW !== null).length,
    clocks: distinct(points.map(({ coreMhz }) => coreMhz)),
    memoryClocks: distinct(points.map(({ memoryMhz }) => memoryMhz)),
    shares: distinct(points.map(({ share }) => share)),
    caps: distinct(points.map(({ powerCapW }) => powerCapW)),
    capsBind: powers.length > 2 && (powers[0] ?? 0) <= BINDING * Math.max(...powers),
  };
}
