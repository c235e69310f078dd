import { randomExponential } from 'd3-random';
import type { RandomSource } from '../../sim/random.ts';

const DAY_S = 86_400;
const WEEK_S = 7 * DAY_S;

/** How the rate of arrivals swings. Time 0 is a Monday, 00:00. */
export interface Rhythm {
  /** Swing over a day as a part of the mean, 0 (none) to 1. */
  readonly daySwing: number;
  readonly dayPeakHour: number;
  readonly weekSwing: number;
  /** Day of the week, with fractions, 0 being Monday 00:00. */
  readonly weekPeakDay: number;
}

/**
 * The default rhythm. Assumed round figures: most submissions in the afternoon and in the middle of the
 * week, as every public GPU cluster trace shows; no published figure for Philly gives their size.
 */
export const OFFICE_RHYTHM: Rhythm = {
  daySwing: 0.3,
  dayPeakHour: 14,
  weekSwing: 0.3,
  weekPeakDay: 2.5,
};

/** Rate of arrivals over its mean at a time. Its mean over a week is 1. */
export function rhythmAt(rhythm: Rhythm, timeS: number): number {
  const day = 2 * Math.PI * (timeS / DAY_S - rhythm.dayPeakHour / 24);
  const week = 2 * Math.PI * (timeS / WEEK_S - rhythm.weekPeakDay / 7);
  return (1 + rhythm.daySwing * Math.cos(day)) * (1 + rhythm.weekSwing * Math.cos(week));
}

/** Arrival times of a Poisson process with this mean rate and rhythm, by thinning (Lewis, Shedler 1979). */
export function* poissonArrivals(
  ratePerS: number,
  rhythm: Rhythm,
  random: RandomSource,
): Generator<number, never> {
  const peak = (1 + rhythm.daySwing) * (1 + rhythm.weekSwing);
  const gapS = randomExponential.source(random)(ratePerS * peak);
  let timeS = 0;
  for (;;) {
    timeS += gapS();
    if (random() * peak < rhythmAt(rhythm, timeS)) yield timeS;
  }
}
