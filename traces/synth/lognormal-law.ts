import { normalPart, solveIncreasing } from './numeric.ts';

/**
 * Published figures of run times where their distribution is not. Taken as log-normal through the median,
 * cut at the longest, with the deviation that meets the mean: what three figures leave of a heavy-tailed
 * distribution. The form is assumed.
 */
export interface DurationFigures {
  readonly medianS: number;
  readonly meanS: number;
  readonly maxS: number;
}

const MAX_DEVIATION = 10;

/** Mean of a log-normal run time, cut at `maxS`, whose logarithm has this mean and deviation. */
export function cappedMeanS(logMean: number, deviation: number, maxS: number): number {
  const z = (Math.log(maxS) - logMean) / deviation;
  const body = Math.exp(logMean + deviation ** 2 / 2) * normalPart(z - deviation);
  return body + maxS * (1 - normalPart(z));
}

/** Deviation of the logarithm with which the mean of the cut distribution is the published one. */
export function deviationOf({ medianS, meanS, maxS }: DurationFigures): number {
  const mean = (deviation: number) => cappedMeanS(Math.log(medianS), deviation, maxS);
  return solveIncreasing(mean, meanS, 1e-6, MAX_DEVIATION);
}
