import { voltage } from '../../sim/gpu/power.ts';
import type { DynamicPowerModel, GpuType, VoltageCurve } from '../../sim/gpu/profile.ts';
import { at, leastSquaresFrom } from './least-squares.ts';

/** Power with a context and nothing running: constant, or with a part that follows the clock. */
export type ContextLevel = number | Pick<GpuType, 'contextPowerW' | 'contextClockW'>;

/** Watts of a context level at x = clock / reference clock, as the simulator has them. */
export function contextAtW(level: ContextLevel, curve: VoltageCurve, x: number): number {
  if (typeof level === 'number') return level;
  const part = (voltage(curve, x) / voltage(curve, 1)) ** 2 * x;
  return level.contextPowerW - level.contextClockW * (1 - part);
}

/** Power of one application over core clocks, x = clock / reference clock. */
export interface PowerSweep {
  readonly x: readonly number[];
  readonly powerW: readonly number[];
}

/**
 * The non-negative `memoryW` and `coreW` of `P = context + memoryW + coreW * V(x)^2 * x`
 * (calibration C3 a) with the least sum of squared relative errors, in closed form.
 */
export function fitDynamicPower(
  sweep: PowerSweep,
  curve: VoltageCurve,
  context: ContextLevel,
): DynamicPowerModel {
  // Rows of the weighted problem a * memoryW + b * coreW = y, each divided by the measured power.
  let [aa, ab, bb, ay, by] = [0, 0, 0, 0, 0];
  sweep.x.forEach((x, i) => {
    const powerW = at(sweep.powerW, i);
    const v = voltage(curve, x);
    const a = 1 / powerW;
    const b = (v * v * x) / powerW;
    const y = (powerW - contextAtW(context, curve, x)) / powerW;
    aa += a * a;
    ab += a * b;
    bb += b * b;
    ay += a * y;
    by += b * y;
  });
  const determinant = aa * bb - ab * ab;
  const memoryW = (ay * bb - by * ab) / determinant;
  const coreW = (aa * by - ab * ay) / determinant;
  if (memoryW >= 0 && coreW >= 0) return { memoryW, coreW };
  // The best point of the quadrant lies on one of its edges.
  return memoryW < 0
    ? { memoryW: 0, coreW: Math.max(0, by / bb) }
    : { memoryW: Math.max(0, ay / aa), coreW: 0 };
}

/** Power of the model at each clock of a sweep, in watts. */
export function powerOverClock(
  x: readonly number[],
  power: DynamicPowerModel,
  curve: VoltageCurve,
  context: ContextLevel,
): number[] {
  return x.map((value) => {
    const v = voltage(curve, value);
    return contextAtW(context, curve, value) + power.memoryW + power.coreW * v * v * value;
  });
}

const LOWER = [0.6, 0];
const UPPER = [0.9, 3];
const STARTS = [
  [0.62, 1.1],
  [0.7, 0.5],
  [0.8, 1],
];

/**
 * The one voltage curve of a GPU type under which all applications together have the least sum of
 * squared relative power errors (calibration C2). The linear coefficients of each application are
 * solved inside, so only the knee and the slope are searched for. They trade off against each
 * other: the curve serves to predict power and is no measurement of voltage.
 */
export function fitVoltageCurve(
  sweeps: readonly PowerSweep[],
  context: ContextLevel,
): VoltageCurve {
  const residuals = ([knee = 0, slope = 0]: readonly number[]): number[] =>
    sweeps.flatMap((sweep) => {
      const curve = { knee, slope };
      const power = fitDynamicPower(sweep, curve, context);
      return powerOverClock(sweep.x, power, curve, context).map(
        (predicted, i) => predicted / at(sweep.powerW, i) - 1,
      );
    });
  const found = leastSquaresFrom({ residuals, lower: LOWER, upper: UPPER }, STARTS);
  return { knee: at(found.parameters, 0), slope: at(found.parameters, 1) };
}

/** A voltage curve with the context level that was fitted beside it. */
export interface CurveAndContext {
  readonly voltage: VoltageCurve;
  readonly contextClockW: number;
}

/**
 * The voltage curve of a GPU type together with the part of its context level that follows the
 * clock, from powers of running applications: none may lie below the context, which at the lowest
 * clock is at least `idleW`. The applications' own core power makes up for any part above what
 * that demands, so the data bounds the part from below and the idle level from above.
 *
 * @param contextPowerW level at the reference clock, measured
 */
export function fitCurveAndContext(
  sweeps: readonly PowerSweep[],
  contextPowerW: number,
  idleW: number,
  lowestX: number,
): CurveAndContext {
  const room = contextPowerW - idleW;
  const model = ([knee = 0, slope = 0, part = 0]: readonly number[]): CurveAndContext => {
    const curve = { knee, slope };
    const followed = 1 - (voltage(curve, lowestX) / voltage(curve, 1)) ** 2 * lowestX;
    return { voltage: curve, contextClockW: (part * room) / followed };
  };
  const residuals = (p: readonly number[]): number[] => {
    const { voltage: curve, contextClockW } = model(p);
    const context = { contextPowerW, contextClockW };
    return sweeps.flatMap((sweep) => {
      const power = fitDynamicPower(sweep, curve, context);
      return powerOverClock(sweep.x, power, curve, context).map(
        (predicted, i) => predicted / at(sweep.powerW, i) - 1,
      );
    });
  };
  const starts = STARTS.map((start) => [...start, 0.9]);
  const bounds = { lower: [...LOWER, 0], upper: [...UPPER, 1] };
  return model(leastSquaresFrom({ residuals, ...bounds }, starts).parameters);
}

/** The naive predictor `P = a + b * x`, by least squares of relative errors. */
export function linearPowerPredictor(sweep: PowerSweep): (x: number) => number {
  // A flat voltage turns the model into the line; no context lets the intercept be free.
  const { memoryW, coreW } = fitDynamicPower(sweep, { knee: 1, slope: 0 }, 0);
  return (x) => memoryW + coreW * x;
}
