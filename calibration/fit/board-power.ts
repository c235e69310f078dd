import { voltage } from '../../sim/gpu/power.ts';
import type { VoltageCurve } from '../../sim/gpu/profile.ts';
import { at, leastSquaresFrom } from './least-squares.ts';
import { nonNegativeLeastSquares } from './non-negative.ts';
import { type ParameterStatus, uncertainty } from './uncertainty.ts';

/** Power of one workload at a core clock x and a memory clock xm, over their references. */
export interface PowerPoint {
  readonly x: number;
  readonly xm: number;
  readonly powerW: number;
}

/** `P = constantW + memoryW * xm + coreW * V(x)^2 * x` (DESIGN section 4; calibration C3 a). */
export interface BoardPower {
  readonly constantW: number;
  readonly memoryW: number;
  readonly coreW: number;
}

/** Watts of the model at each point. */
export function boardPowerW(
  power: BoardPower,
  curve: VoltageCurve,
  { x, xm }: Omit<PowerPoint, 'powerW'>,
): number {
  return power.constantW + power.memoryW * xm + power.coreW * voltage(curve, x) ** 2 * x;
}

/**
 * The three non-negative powers of one workload under a voltage curve, by least squares of relative
 * errors. At one memory clock the constant and the memory's part are one, and it is the memory's.
 */
export function fitBoardPower(points: readonly PowerPoint[], curve: VoltageCurve): BoardPower {
  const isMemorySeen = points.some(({ xm }) => xm !== points[0]?.xm);
  const [constantW = 0, memoryW = 0, coreW = 0] = nonNegativeLeastSquares(
    [
      points.map(({ powerW }) => (isMemorySeen ? 1 / powerW : 0)),
      points.map(({ xm, powerW }) => xm / powerW),
      points.map(({ x, powerW }) => (voltage(curve, x) ** 2 * x) / powerW),
    ],
    points.map(() => 1),
  );
  return { constantW, memoryW, coreW };
}

/** A voltage curve with what the powers say of its knee and slope. */
export interface VoltageFit {
  readonly curve: VoltageCurve;
  readonly status: readonly [knee: ParameterStatus, slope: ParameterStatus];
  readonly standardErrors: readonly [knee: number | null, slope: number | null];
}

const LOWER = [0.6, 0];
const UPPER = [0.9, 3];
const STARTS = [
  [0.62, 1.1],
  [0.7, 0.5],
  [0.8, 1],
];

/**
 * The one voltage curve of a GPU type under which all its workloads together have the least sum of
 * squared relative power errors (calibration C2); the powers of each are solved for inside. The knee
 * is looked for at 0.6..0.9 of the reference clock. It serves to predict power and is no measurement
 * of voltage: knee and slope trade off against each other.
 */
export function fitSharedVoltage(workloads: readonly (readonly PowerPoint[])[]): VoltageFit {
  const residuals = ([knee = 0, slope = 0]: readonly number[]): number[] => {
    const curve = { knee, slope };
    return workloads.flatMap((points) => {
      const power = fitBoardPower(points, curve);
      return points.map((point) => boardPowerW(power, curve, point) / point.powerW - 1);
    });
  };
  const problem = { residuals, lower: LOWER, upper: UPPER };
  const { parameters } = leastSquaresFrom(problem, STARTS);
  const { status, standardErrors } = uncertainty({ ...problem, start: parameters }, parameters);
  return {
    curve: { knee: at(parameters, 0), slope: at(parameters, 1) },
    status: [at(status, 0), at(status, 1)],
    standardErrors: [at(standardErrors, 0), at(standardErrors, 1)],
  };
}
