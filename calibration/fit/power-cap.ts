import { voltage } from '../../sim/gpu/power.ts';
import type { DynamicPowerModel, StepTimeModel, VoltageCurve } from '../../sim/gpu/profile.ts';
import { stepTimeS } from '../../sim/gpu/step-time.ts';
import { contextAtW } from './clock-power.ts';
import { EXPONENTS, smallestGoodExponent } from './clock-time.ts';
import { median } from './errors.ts';
import { at, leastSquaresFrom } from './least-squares.ts';

/** Time and average power of one job over power caps. */
export interface CapMeasurements {
  readonly capsW: readonly number[];
  readonly timeS: readonly number[];
  readonly powerW: readonly number[];
}

/** What is known of the GPU before the fit. Clocks are fractions of the reference clock. */
export interface CapGpu {
  readonly voltage: VoltageCurve;
  readonly contextPowerW: number;
  /** Part of the context level that follows the clock; 0 where it is left out. */
  readonly contextClockW?: number;
  /** Lowest clock that a cap can force. */
  readonly lowestX: number;
  /** Clock at which a job runs that no cap binds. */
  readonly highestX: number;
}

export interface CapFit {
  readonly time: StepTimeModel;
  readonly power: DynamicPowerModel;
  /** Average power over the cap where the cap binds: below 1 for jobs that draw power in bursts. */
  readonly eta: number;
}

/** Where the model says that a job runs under a cap. */
export interface CapPoint {
  readonly x: number;
  readonly timeS: number;
  readonly powerW: number;
}

/** Bounds of eta: epoch averages of the Zeus traces lie at 0.7..1.0 of a cap that binds. */
const ETA = { lower: 0.7, start: 0.94, upper: 1 };

/** Weights of the two weak priors, in relative errors as big as a measured row's. */
const FREE_RUN_WEIGHT = 0.3;
const ETA_WEIGHT = 0.02;

/** Gain of a step below which it is the last: priors and noise are far above it. */
const SMALLEST_GAIN = 1e-9;

const CLOCK_STEPS = 40;

function contextW({ contextPowerW, contextClockW = 0, voltage: curve }: CapGpu, x: number): number {
  return contextAtW({ contextPowerW, contextClockW }, curve, x);
}

/**
 * Predicts time and power under a cap: the clock falls until the average power is `eta * cap`, and
 * not below the lowest (calibration C5).
 */
export function predictUnderCap(fit: CapFit, gpu: CapGpu, capW: number): CapPoint {
  const powerAt = (x: number): number => {
    const v = voltage(gpu.voltage, x);
    return contextW(gpu, x) + fit.power.memoryW + fit.power.coreW * v * v * x;
  };
  const limitW = fit.eta * capW;
  let x = gpu.highestX;
  if (powerAt(x) > limitW) {
    let low = gpu.lowestX;
    let high = x;
    for (let step = 0; step < CLOCK_STEPS; step += 1) {
      const middle = (low + high) / 2;
      if (powerAt(middle) > limitW) high = middle;
      else low = middle;
    }
    x = low;
  }
  return { x, timeS: stepTimeS(fit.time, 1, x, 1, 1), powerW: powerAt(x) };
}

/**
 * True when the caps of a sweep say anything about clocks: at the lowest cap the power is at most
 * nine tenths of the highest power seen, so that the cap did bind.
 */
export function capsBind({ powerW }: CapMeasurements): boolean {
  return at(powerW, 0) <= 0.9 * Math.max(...powerW);
}

/**
 * Fits time and power of one job on one GPU type to its measurements under power caps. The clock at
 * each cap is latent: it follows from the cap, the power model and eta. For each exponent of the
 * roofline, times, powers and eta are fitted together by least squares of relative errors.
 *
 * Two weak priors keep what the rows leave open within reason: at the highest cap the job runs near
 * the highest clock, and eta is near 0.94.
 *
 * @param hostShare part of the step, at the median time, that the host takes and no clock shortens
 */
export function fitPowerCap(rows: CapMeasurements, gpu: CapGpu, hostShare: number): CapFit {
  const scaleS = Math.min(...rows.timeS);
  const freeContextW = contextW(gpu, gpu.highestX);
  const scaleW = Math.max(...rows.powerW) - freeContextW;
  const freeV = voltage(gpu.voltage, gpu.highestX);
  const coreScaleW = scaleW / (freeV * freeV * gpu.highestX);
  const hostS = hostShare * scaleS;
  const model = (p: readonly number[], q: number): CapFit => ({
    time: { hostS, memoryS: at(p, 0) * scaleS, coreS: at(p, 1) * scaleS, q },
    power: { memoryW: at(p, 2) * scaleW, coreW: at(p, 3) * coreScaleW },
    eta: at(p, 4),
  });
  const fits = EXPONENTS.map((q) => {
    const residuals = (p: readonly number[]): number[] => {
      const fit = model(p, q);
      const predicted = rows.capsW.map((capW) => predictUnderCap(fit, gpu, capW));
      const freeW = freeContextW + fit.power.memoryW + at(p, 3) * scaleW;
      return [
        ...predicted.map(({ timeS }, i) => timeS / at(rows.timeS, i) - 1),
        ...predicted.map(({ powerW }, i) => powerW / at(rows.powerW, i) - 1),
        FREE_RUN_WEIGHT * (freeW / at(rows.powerW, rows.powerW.length - 1) - 1),
        ETA_WEIGHT * (fit.eta / ETA.start - 1),
      ];
    };
    const found = leastSquaresFrom(
      {
        residuals,
        lower: [0, 0, 0, 0, ETA.lower],
        upper: [2, 2, 2, 2, ETA.upper],
        smallestGain: SMALLEST_GAIN,
      },
      [
        [0.5, 0.5, 0.1, 0.9, ETA.start],
        [0.9, 0.5, 0.3, 0.8, 0.85],
        [0.2, 0.9, 0.05, 1.1, ETA.start],
        [0.8, 0.2, 0.3, 0.8, 0.85],
      ],
    );
    return { cost: found.cost, fit: model(found.parameters, q) };
  });
  return smallestGoodExponent(fits).fit;
}

/**
 * For a job that no cap binds: median time and power, divided as a given profile divides them.
 *
 * @param like profile that says which part of the time and of the power belongs to the core clock
 */
export function scaleToFreeRun(
  rows: CapMeasurements,
  gpu: CapGpu,
  like: Pick<CapFit, 'time' | 'power'>,
): CapFit {
  const timeFactor = median(rows.timeS) / stepTimeS(like.time, 1, gpu.highestX, 1, 1);
  const v = voltage(gpu.voltage, gpu.highestX);
  const likeW = like.power.memoryW + like.power.coreW * v * v * gpu.highestX;
  const freeW = median(rows.powerW) - contextW(gpu, gpu.highestX);
  const powerFactor = Math.max(0, freeW) / likeW;
  return {
    time: {
      hostS: like.time.hostS * timeFactor,
      memoryS: like.time.memoryS * timeFactor,
      coreS: like.time.coreS * timeFactor,
      q: like.time.q,
    },
    power: {
      memoryW: like.power.memoryW * powerFactor,
      coreW: like.power.coreW * powerFactor,
    },
    eta: ETA.upper,
  };
}
