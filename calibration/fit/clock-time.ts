import type { StepTimeModel } from '../../sim/gpu/profile.ts';
import { stepTimeS } from '../../sim/gpu/step-time.ts';
import { at, leastSquaresFrom } from './least-squares.ts';

/** Exponents of the roofline that are tried. Finer ones change the error by less than the noise. */
export const EXPONENTS = [1, 1.5, 2, 3, 4, 6, 8, 12] as const;

/** Step time of one application over core clocks, x = clock / reference clock. */
export interface TimeSweep {
  readonly x: readonly number[];
  readonly timeS: readonly number[];
}

/** Step times of the model on the whole GPU at each clock. */
export function timeOverClock(x: readonly number[], time: StepTimeModel): number[] {
  return x.map((value) => stepTimeS(time, 1, value, 1, 1));
}

/**
 * Fits `T = host + (memory^q + (core / x)^q)^(1/q)` (calibration C1 c) by least squares of relative
 * errors, for each exponent of `EXPONENTS`; the smallest exponent that is within a thousandth of
 * the best cost wins. The host part is given: locked clocks cannot tell it from the memory part.
 */
export function fitTimeOverClock(sweep: TimeSweep, hostS: number): StepTimeModel {
  const scale = Math.max(...sweep.timeS);
  const model = (parameters: readonly number[], q: number): StepTimeModel => ({
    hostS,
    memoryS: at(parameters, 0) * scale,
    coreS: at(parameters, 1) * scale,
    q,
  });
  const fits = EXPONENTS.map((q) => {
    const residuals = (parameters: readonly number[]): number[] =>
      timeOverClock(sweep.x, model(parameters, q)).map(
        (predicted, i) => predicted / at(sweep.timeS, i) - 1,
      );
    const found = leastSquaresFrom({ residuals, lower: [0, 0], upper: [2, 2] }, [
      [0.5, 0.5],
      [0.9, 0.3],
    ]);
    return { cost: found.cost, time: model(found.parameters, q) };
  });
  return smallestGoodExponent(fits).time;
}

/** The first of fits in the order of their exponents whose cost is close to the best. */
export function smallestGoodExponent<T extends { readonly cost: number }>(fits: readonly T[]): T {
  const best = Math.min(...fits.map(({ cost }) => cost));
  const good = fits.find(({ cost }) => cost <= 1.001 * best + 1e-12);
  if (good === undefined) throw new RangeError('expected a fit with a finite cost, found none');
  return good;
}
