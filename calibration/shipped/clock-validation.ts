import type { GpuType } from '../../sim/gpu/profile.ts';
import {
  fitCurveAndContext,
  fitDynamicPower,
  linearPowerPredictor,
  powerOverClock,
} from '../fit/clock-power.ts';
import { fitTimeOverClock, timeOverClock } from '../fit/clock-time.ts';
import { mean, meanAbsolutePercentageError } from '../fit/errors.ts';
import { at } from '../fit/least-squares.ts';
import type { ClockSweep } from './sweeps.ts';

/** Mean and worst errors over applications, as fractions. */
export interface ClockErrors {
  readonly meanTime: number;
  readonly worstTime: number;
  readonly meanPower: number;
  readonly worstPower: number;
}

/** Errors of the model and of a naive predictor on clocks that neither saw, and in-sample. */
export interface ClockValidation {
  readonly apps: number;
  readonly inSample: ClockErrors;
  readonly heldOut: ClockErrors;
  /** Power linear in the clock, time inverse to it. */
  readonly naive: ClockErrors;
}

/**
 * Fits the voltage curve and all applications on every second clock (both ends among them) and
 * predicts the clocks in between; beside it a naive predictor with as much to see.
 */
export function validateClockSet(sweeps: readonly ClockSweep[], v100: GpuType): ClockValidation {
  const all: Sweep[] = sweeps.map(({ clocksMhz, powerW, timeRatio }) => ({
    x: clocksMhz.map((clock) => clock / v100.referenceClockMhz),
    powerW,
    timeS: timeRatio,
  }));
  const even = all.map((sweep) => pick(sweep, 0));
  const odd = all.map((sweep) => pick(sweep, 1));
  const { contextPowerW, idlePowerW } = v100;
  const lowestX = at(v100.clocksMhz, 0) / v100.referenceClockMhz;
  const errorsOf = (seen: readonly Sweep[], asked: readonly Sweep[]): ClockErrors => {
    const found = fitCurveAndContext(seen, contextPowerW, idlePowerW, lowestX);
    const { voltage: curve } = found;
    const context = { contextPowerW, contextClockW: found.contextClockW };
    return summary(
      asked.map((sweep, i) => {
        const known = at(seen, i);
        const power = fitDynamicPower(known, curve, context);
        return {
          time: timeOverClock(sweep.x, fitTimeOverClock(known, 0)),
          power: powerOverClock(sweep.x, power, curve, context),
        };
      }),
      asked,
    );
  };
  const naive = odd.map(({ x }, i) => ({
    time: x.map((value) => 1 / value),
    power: x.map(linearPowerPredictor(at(even, i))),
  }));
  return {
    apps: all.length,
    inSample: errorsOf(all, all),
    heldOut: errorsOf(even, odd),
    naive: summary(naive, odd),
  };
}

interface Sweep {
  readonly x: readonly number[];
  readonly powerW: readonly number[];
  readonly timeS: readonly number[];
}

/** Every second point, from the first (0) or the second (1) on. */
function pick(sweep: Sweep, parity: 0 | 1): Sweep {
  const half = (values: readonly number[]): number[] => values.filter((_, i) => i % 2 === parity);
  return { x: half(sweep.x), powerW: half(sweep.powerW), timeS: half(sweep.timeS) };
}

function summary(
  predicted: readonly { readonly time: readonly number[]; readonly power: readonly number[] }[],
  asked: readonly Sweep[],
): ClockErrors {
  const time = asked.map(({ timeS }, i) =>
    meanAbsolutePercentageError(timeS, at(predicted, i).time),
  );
  const power = asked.map(({ powerW }, i) =>
    meanAbsolutePercentageError(powerW, at(predicted, i).power),
  );
  return {
    meanTime: mean(time),
    worstTime: Math.max(...time),
    meanPower: mean(power),
    worstPower: Math.max(...power),
  };
}
