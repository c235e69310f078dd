import { voltage } from '../../sim/gpu/power.ts';
import type { DynamicPowerModel, StepTimeModel, VoltageCurve } from '../../sim/gpu/profile.ts';
import { stepTimeS } from '../../sim/gpu/step-time.ts';
import { smallestGoodExponent } from './clock-time.ts';
import { at, leastSquaresFrom } from './least-squares.ts';
import type { CapMeasurements, CapPoint } from './power-cap.ts';

/** What is known of a GPU under caps before the fit. Clocks are fractions of the reference clock. */
export interface PhaseGpu {
  readonly voltage: VoltageCurve;
  readonly contextPowerW: number;
  /** Lowest clock that a cap can force: below it power exceeds the cap. */
  readonly lowestX: number;
  /** Clock at which a job runs that no cap binds. */
  readonly highestX: number;
  /** Power that the controller lets a busy GPU draw, as a fraction of the cap. */
  readonly heldPart: number;
}

/**
 * A job that is busy on the GPU for a part of each step and draws little for the rest: data loading,
 * host work, short kernels. A cap acts on power as it is drawn, so it slows the busy part alone, and
 * the average stays below the cap the more, the larger the light part is.
 */
export interface PhasedJob {
  /** Part of a step that no clock shortens, and its power above the context level. */
  readonly lightS: number;
  readonly lightW: number;
  /** The busy part: `(memory^q + (core / x)^q)^(1/q)`. */
  readonly busy: StepTimeModel;
  /** Power above the context level in the busy part: `memoryW + coreW * V(x)^2 * x`. */
  readonly power: DynamicPowerModel;
}

/** Exponents of the busy part that are tried. */
const EXPONENTS = [1, 2, 4, 8] as const;

const NEWTON_STEPS = 8;

/** The clock that a cap leaves to the busy part. */
export function clockUnderCap({ power }: PhasedJob, gpu: PhaseGpu, capW: number): number {
  const { knee, slope } = gpu.voltage;
  // The cap in units of the core power: the clock solves V(x)^2 x = room.
  const room = (gpu.heldPart * capW - gpu.contextPowerW - power.memoryW) / power.coreW;
  let x = gpu.highestX;
  if (voltage(gpu.voltage, x) ** 2 * x <= room) return x;
  if (room <= gpu.lowestX) return gpu.lowestX;
  if (room <= knee) return room;
  // V(x)^2 x is convex and grows, so that Newton's steps from above never pass the solution.
  for (let step = 0; step < NEWTON_STEPS; step += 1) {
    const v = 1 + slope * (x - knee);
    x -= (v * v * x - room) / (v * v + 2 * slope * v * x);
  }
  return Math.max(x, gpu.lowestX);
}

/** Time of a step and its average power under a cap. */
export function predictPhased(job: PhasedJob, gpu: PhaseGpu, capW: number): CapPoint {
  const x = clockUnderCap(job, gpu, capW);
  const busyS = stepTimeS(job.busy, 1, x, 1, 1);
  const busyW = job.power.memoryW + job.power.coreW * voltage(gpu.voltage, x) ** 2 * x;
  const timeS = job.lightS + busyS;
  // A light part that would itself exceed the cap draws no more than the busy part.
  const lightW = Math.min(job.lightW, busyW);
  return {
    x,
    timeS,
    powerW: gpu.contextPowerW + (job.lightS * lightW + busyS * busyW) / timeS,
  };
}

/** Weight of the priors, in relative errors as big as a measured row's. */
const PRIOR_WEIGHT = 0.02;

/** Where the priors pull what the rows leave open: parts of the shortest step and of the most power. */
const PRIOR = [0.3, 0.3, 0.3, 0.6, 0.2, 1];

const STARTS = [
  [0.3, 0.3, 0.2, 0.5, 0.2, 1],
  [0.05, 0.3, 0.5, 0.5, 0.1, 1.2],
  [0.6, 0.4, 0.1, 0.3, 0.3, 1.5],
];

/** Gain of a step below which it is the last: priors and noise are far above it. */
const SMALLEST_GAIN = 1e-9;

const UPPER = [1.2, 1.2, 1.2, 1.2, 2, 4];

/**
 * Fits a job in two phases to its times and average powers under caps, by least squares of relative
 * errors, for each exponent. A sweep of few caps leaves some of the six terms open: weak priors keep
 * them within reason, and single terms of such a fit mean little.
 */
export function fitPhasedJob(
  rows: CapMeasurements,
  gpu: PhaseGpu,
): { readonly job: PhasedJob; readonly cost: number } {
  const scaleS = Math.min(...rows.timeS);
  const scaleW = Math.max(...rows.powerW) - gpu.contextPowerW;
  const fits = EXPONENTS.map((q) => {
    const residuals = (p: readonly number[]): number[] => {
      const job = jobOf(p, q, scaleS, scaleW);
      const result: number[] = [];
      for (let i = 0; i < rows.capsW.length; i += 1) {
        const { timeS, powerW } = predictPhased(job, gpu, at(rows.capsW, i));
        result.push(timeS / at(rows.timeS, i) - 1, powerW / at(rows.powerW, i) - 1);
      }
      for (let i = 0; i < PRIOR.length; i += 1) {
        result.push(PRIOR_WEIGHT * (at(p, i) - at(PRIOR, i)));
      }
      return result;
    };
    const lower = PRIOR.map(() => 0);
    const problem = { residuals, lower, upper: UPPER, smallestGain: SMALLEST_GAIN };
    const { cost, parameters } = leastSquaresFrom(problem, STARTS);
    return { cost, job: jobOf(parameters, q, scaleS, scaleW) };
  });
  return smallestGoodExponent(fits);
}

function jobOf(p: readonly number[], q: number, scaleS: number, scaleW: number): PhasedJob {
  return {
    lightS: at(p, 0) * scaleS,
    lightW: at(p, 1) * scaleW,
    busy: { hostS: 0, memoryS: at(p, 2) * scaleS, coreS: at(p, 3) * scaleS, q },
    power: { memoryW: at(p, 4) * scaleW, coreW: Math.max(at(p, 5), 1e-6) * scaleW },
  };
}
