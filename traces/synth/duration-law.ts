import { integrateUnit, solveIncreasing } from './numeric.ts';
import type { Quantile } from './philly-statistics.ts';

const STEPS = 2_000;
const MAX_CURVE = 100;

/** Durations by quantile: the run time that a part u of the jobs, 0 <= u <= 1, does not exceed. */
export type DurationLaw = (u: number) => number;

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
export function durationLaw(quantiles: readonly Quantile[], meanS: number): DurationLaw {
  const segments = quantiles.slice(1).map((to, index) => {
    const from = quantiles[index] ?? to;
    return { from, to, width: to.part - from.part };
  });
  const tail = segments.at(-1);
  if (tail === undefined) throw new RangeError('a duration law needs two quantiles');
  let bodyS = 0;
  for (const { from, to, width } of segments.slice(0, -1)) {
    bodyS += width * logLinearMean(from.durationS, to.durationS);
  }
  const wantedS = (meanS - bodyS) / tail.width;
  const { from, to } = tail;
  const tailMean = (curve: number) =>
    integrateUnit((t) => between(from.durationS, to.durationS, t, curve), STEPS);
  const curve = solveIncreasing((k) => -tailMean(k), -wantedS, 1e-3, MAX_CURVE);

  return (u) => {
    const segment = segments.find(({ to: end }) => u < end.part) ?? tail;
    const t = Math.min(1, (u - segment.from.part) / segment.width);
    return between(segment.from.durationS, segment.to.durationS, t, segment === tail ? curve : 1);
  };
}
