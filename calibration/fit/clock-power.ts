import { voltage } from '../../sim/gpu/power.ts';
import type { DynamicPowerModel, VoltageCurve } from '../../sim/gpu/profile.ts';
import { at, leastSquaresFrom } from './least-squares.ts';

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
  contextW: number,
): DynamicPowerModel {
  // Rows of the weighted problem a * memoryW + b * coreW = y, each divided by the measured power.
  let [aa, ab, bb, ay, by] = [0, 0, 0, 0, 0];
  sweep.x.forEach((x, i) => {
    const powerW = at(sweep.powerW, i);
    const v = voltage(curve, x);
    const a = 1 / powerW;
    const b = (v * v * x) / powerW;
    const y = (powerW - contextW) / powerW;
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
  contextW: number,
): number[] {
  return x.map((value) => {
    const v = voltage(curve, value);
    return contextW + power.memoryW + power.coreW * v * v * value;
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
export function fitVoltageCurve(sweeps: readonly PowerSweep[], contextW: number): VoltageCurve {
  const residuals = ([knee = 0, slope = 0]: readonly number[]): number[] =>
    sweeps.flatMap((sweep) => {
      const curve = { knee, slope };
      const power = fitDynamicPower(sweep, curve, contextW);
      return powerOverClock(sweep.x, power, curve, contextW).map(
        (predicted, i) => predicted / at(sweep.powerW, i) - 1,
      );
    });
  const found = leastSquaresFrom({ residuals, lower: LOWER, upper: UPPER }, STARTS);
  return { knee: at(found.parameters, 0), slope: at(found.parameters, 1) };
}

/** The naive predictor `P = a + b * x`, by least squares of relative errors. */
export function linearPowerPredictor(sweep: PowerSweep): (x: number) => number {
  // A flat voltage turns the model into the line; no context lets the intercept be free.
  const { memoryW, coreW } = fitDynamicPower(sweep, { knee: 1, slope: 0 }, 0);
  return (x) => memoryW + coreW * x;
}
