import { integrateUnit, solveIncreasing } from './numeric.ts';

const STEPS = 500;
const MAX_CURVE = 100;

/** Parts at which the run times of many jobs are tabulated: every 40th, and the ends more closely. */
export const FINE_PARTS: readonly number[] = [
  0,
  0.01,
  0.025,
  ...Array.from({ length: 37 }, (_, at) => (at + 2) / 40),
  0.975,
  0.99,
  0.995,
  1,
];
/** The same for few jobs: every 20th. */
export const COARSE_PARTS: readonly number[] = [
  ...Array.from({ length: 20 }, (_, at) => at / 20),
  0.98,
  1,
];

/** Durations by quantile: the run time that a part u of the jobs, 0 <= u <= 1, does not exceed. */
export type DurationLaw = (u: number) => number;

/** Measured quantiles of run times. */
export interface QuantileTable {
  /** Ascending from 0 to 1. */
  readonly parts: readonly number[];
  /** Run time that each part of the jobs does not exceed; above 0. */
  readonly durationsS: readonly number[];
  readonly meanS: number;
}

/** Mean of exp(linear) between two quantiles: (b - a) / ln(b / a). */
function logLinearMean(a: number, b: number): number {
  return a === b ? a : (b - a) / Math.log(b / a);
}

/** Position t in [0, 1] between two run times, on a logarithmic scale bent by the exponent `curve`. */
const between = (a: number, b: number, t: number, curve: number) => a * (b / a) ** (t ** curve);

/**
 * A distribution through the given quantiles with the given mean. Between two quantiles the logarithm of
 * the run time is linear in u; above the last but one it is bent, ln D = ln a + (ln b - ln a) t^k, with the
 * k that meets the mean. (Straight, the last 1 % of Philly alone would exceed it.)
 */
export function quantileLaw({ parts, durationsS, meanS }: QuantileTable): DurationLaw {
  const last = parts.length - 2;
  if (last < 0) throw new RangeError('a duration law needs two quantiles');
  const part = (at: number) => parts[at] ?? 1;
  const durationS = (at: number) => durationsS[at] ?? 0;
  const width = (at: number) => part(at + 1) - part(at);
  let bodyS = 0;
  for (let at = 0; at < last; at += 1) {
    bodyS += width(at) * logLinearMean(durationS(at), durationS(at + 1));
  }
  const wantedS = (meanS - bodyS) / width(last);
  const tailMeanS = (curve: number) =>
    integrateUnit((t) => between(durationS(last), durationS(last + 1), t, curve), STEPS);
  const tailCurve = solveIncreasing((k) => -tailMeanS(k), -wantedS, 1e-3, MAX_CURVE);

  return (u) => {
    let at = 0;
    while (at < last && u >= part(at + 1)) at += 1;
    const t = Math.min(1, (u - part(at)) / width(at));
    return between(durationS(at), durationS(at + 1), t, at === last ? tailCurve : 1);
  };
}
