import { soloStepS } from '../../sim/gpu/evaluate.ts';
import { contextPowerW, dynamicPowerW } from '../../sim/gpu/power.ts';
import type { GpuType, WorkloadProfile } from '../../sim/gpu/profile.ts';
import { stepTimeS } from '../../sim/gpu/step-time.ts';
import type { Predictor } from '../predictor.ts';

/** What a workload does on a GPU type over the clocks and shares of the search, tabulated. */
export interface Curve {
  readonly profile: WorkloadProfile;
  /** Step and power alone on the GPU at its reference clock and default power limit. */
  readonly aloneS: number;
  readonly aloneW: number;
  /** Step alone at the reference clock, were there no power limit. */
  readonly uncappedS: number;
  /** By clock: step alone on the whole GPU, and dynamic power then. */
  readonly soloS: Float64Array;
  readonly dynamicW: Float64Array;
  /** By share step and clock (`step * clocks + clock`): the GPU's part of a step, no contention. */
  readonly gpuPartS: Float64Array;
  /** Share steps beyond which more gains nothing. */
  readonly usefulSteps: number;
}

/** A GPU type as the search sees it. */
export interface Grid {
  readonly type: GpuType;
  readonly typeIndex: number;
  /** Clocks that may be set, ascending, and each over the reference clock. */
  readonly clocksMhz: readonly number[];
  readonly clockX: Float64Array;
  /** Context power at each clock. */
  readonly contextW: Float64Array;
  /** Share steps that make the whole GPU, and the most that the steps of all residents sum to. */
  readonly wholeSteps: number;
  readonly maxSteps: number;
  readonly powerCapW: number;
}

/** What spans the grid. */
export interface GridOptions {
  readonly shareStep: number;
  readonly oversubscription: number;
  readonly powerCap: number;
  readonly dvfs: boolean;
}

/** The grid of a type: all its clocks, or the reference clock alone without DVFS. */
export function gridOf(predictor: Predictor, typeIndex: number, options: GridOptions): Grid {
  const type = predictor.types[typeIndex] as GpuType;
  const clocksMhz = options.dvfs ? type.clocksMhz : [type.referenceClockMhz];
  const wholeSteps = Math.round(1 / options.shareStep);
  const clockX = Float64Array.from(clocksMhz, (clock) => clock / type.referenceClockMhz);
  return {
    type,
    typeIndex,
    clocksMhz,
    clockX,
    contextW: clockX.map((x) => contextPowerW(type, x)),
    wholeSteps,
    maxSteps: Math.floor(options.oversubscription * wholeSteps + 1e-9),
    powerCapW: powerCapW(type, options.powerCap),
  };
}

/** A part of the default limit, within what the type can be set to. */
export function powerCapW(type: GpuType, part: number): number {
  const { min, default: usual } = type.powerLimitW;
  return Math.max(min, part * usual);
}

/** Tabulates a workload on a grid. */
export function curveOf(predictor: Predictor, grid: Grid, profile: WorkloadProfile): Curve {
  const { type, typeIndex, clockX, wholeSteps } = grid;
  const alone = predictor.evaluate(typeIndex, [{ profile, share: 1 }]);
  const onGpu = { ...profile.time, hostS: 0 };
  const clocks = clockX.length;
  const gpuPartS = new Float64Array((wholeSteps + 1) * clocks);
  for (let step = 1; step <= wholeSteps; step += 1) {
    for (let c = 0; c < clocks; c += 1) {
      const x = clockX[c] as number;
      gpuPartS[step * clocks + c] = stepTimeS(onGpu, profile.smDemand, x, 1, step / wholeSteps);
    }
  }
  const uncappedS = soloStepS(profile);
  return {
    profile,
    aloneS: alone.stepS[0] as number,
    aloneW: alone.powerW,
    uncappedS,
    soloS: clockX.map((x) => soloStepS(profile, x)),
    dynamicW: clockX.map((x) => dynamicPowerW(profile.power, type.voltage, x, 1)),
    gpuPartS,
    usefulSteps: Math.min(wholeSteps, Math.ceil(profile.smDemand * wholeSteps - 1e-9)),
  };
}
