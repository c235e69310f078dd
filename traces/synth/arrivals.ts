import { randomExponential } from 'd3-random';
import type { RandomSource } from '../../sim/random.ts';

const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;
const WEEK_S = 7 * DAY_S;

/** A smooth swing of the rate of arrivals. Time 0 is a Monday, 00:00. */
export interface Swing {
  readonly kind: 'swing';
  /** Swing over a day as a part of the mean, 0 (none) to 1. */
  readonly daySwing: number;
  readonly dayPeakHour: number;
  readonly weekSwing: number;
  /** Day of the week, with fractions, 0 being Monday 00:00. */
  readonly weekPeakDay: number;
}

/** Measured counts of arrivals by hour of the day and by day of the week. */
export interface Counted {
  readonly kind: 'counted';
  /** 24, from 00:00. */
  readonly hours: readonly number[];
  /** 7, from Monday; empty for days that are all alike. */
  readonly days: readonly number[];
  /** Time 0 in seconds after Monday 00:00. */
  readonly clockStartS: number;
}

/** How the rate of arrivals depends on the time. */
export type Rhythm = Swing | Counted | { readonly kind: 'none' };

export const NO_RHYTHM: Rhythm = { kind: 'none' };

/**
 * The rhythm where none was measured. Assumed round figures: most submissions in the afternoon and in the
 * middle of the week, as public GPU cluster traces show.
 */
export const OFFICE_RHYTHM: Swing = {
  kind: 'swing',
  daySwing: 0.3,
  dayPeakHour: 14,
  weekSwing: 0.3,
  weekPeakDay: 2.5,
};

/** Rate of arrivals over its mean, which over a week is 1. */
export interface RelativeRate {
  readonly at: (timeS: number) => number;
  /** Nowhere exceeded. */
  readonly peak: number;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function swingRate({ daySwing, dayPeakHour, weekSwing, weekPeakDay }: Swing): RelativeRate {
  return {
    at(timeS) {
      const day = 2 * Math.PI * (timeS / DAY_S - dayPeakHour / 24);
      const week = 2 * Math.PI * (timeS / WEEK_S - weekPeakDay / 7);
      return (1 + daySwing * Math.cos(day)) * (1 + weekSwing * Math.cos(week));
    },
    peak: (1 + daySwing) * (1 + weekSwing),
  };
}

function countedRate({ hours, days, clockStartS }: Counted): RelativeRate {
  const week = days.length === 0 ? [1] : days;
  const byHour = hours.map((count) => count / meanOf(hours));
  const byDay = week.map((count) => count / meanOf(week));
  return {
    at(timeS) {
      const clockS = timeS + clockStartS;
      const hour = byHour[Math.floor(clockS / HOUR_S) % 24] ?? 1;
      return hour * (byDay[Math.floor(clockS / DAY_S) % byDay.length] ?? 1);
    },
    peak: Math.max(...byHour) * Math.max(...byDay),
  };
}

/** The rate of arrivals over its mean, by time. */
export function relativeRate(rhythm: Rhythm): RelativeRate {
  switch (rhythm.kind) {
    case 'swing':
      return swingRate(rhythm);
    case 'counted':
      return countedRate(rhythm);
    case 'none':
      return { at: () => 1, peak: 1 };
  }
}

/** Arrival times of a Poisson process with this mean rate and rhythm, by thinning (Lewis, Shedler 1979). */
export function* poissonArrivals(
  ratePerS: number,
  rhythm: Rhythm,
  random: RandomSource,
): Generator<number, never> {
  const { at, peak } = relativeRate(rhythm);
  const gapS = randomExponential.source(random)(ratePerS * peak);
  let timeS = 0;
  for (;;) {
    timeS += gapS();
    if (random() * peak < at(timeS)) yield timeS;
  }
}

/** So many arrivals of a Poisson process from time 0, at which the first one comes. */
export function poissonTimes(
  count: number,
  ratePerS: number,
  rhythm: Rhythm,
  random: RandomSource,
): number[] {
  const arrivals = poissonArrivals(ratePerS, rhythm, random);
  return Array.from({ length: count }, (_, at) => (at === 0 ? 0 : arrivals.next().value));
}

/** By which place of a span, 0 to 1, which part of the arrivals has come; both ascend from 0 to 1. */
export interface Trend {
  readonly parts: readonly number[];
  readonly places: readonly number[];
}

/** So many arrivals over a span, by its trend and, within that, by the rhythm; the first at time 0. */
export function trendTimes(
  count: number,
  spanS: number,
  { parts, places }: Trend,
  rhythm: Rhythm,
  random: RandomSource,
): number[] {
  const { at, peak } = relativeRate(rhythm);
  const draw = () => {
    const u = random();
    const step = parts.findIndex((part) => u < part) - 1;
    const [from = 0, to = 1] = parts.slice(step, step + 2);
    const [place = 0, next = 1] = places.slice(step, step + 2);
    return (place + ((u - from) / (to - from)) * (next - place)) * spanS;
  };
  const times = new Float64Array(count);
  for (let index = 1; index < count; index += 1) {
    let timeS = draw();
    while (random() * peak >= at(timeS)) timeS = draw();
    times[index] = timeS;
  }
  return [...times.sort()];
}
