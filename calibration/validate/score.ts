import { mean } from '../fit/errors.ts';

/** Errors of one workload on points that its fit did not see, as fractions. */
export interface Score {
  readonly workload: string;
  readonly time: readonly number[];
  readonly power: readonly number[];
}

/** |predicted / measured - 1| of each point. */
export function relativeErrors(
  measured: readonly number[],
  predicted: readonly number[],
): number[] {
  if (measured.length !== predicted.length) {
    throw new RangeError(
      `expected as many predicted as measured values, found ${predicted.length} and ${measured.length}`,
    );
  }
  return measured.map((value, i) => Math.abs((predicted[i] ?? Number.NaN) / value - 1));
}

/** Means over the workloads of their mean errors, and the worst of the workloads' mean errors. */
export function summaryOf(scores: readonly Score[]): {
  readonly timeMape: number;
  readonly powerMape: number;
  readonly worst: number;
  readonly points: number;
  readonly workloads: number;
} {
  const time = scores.map((score) => mean(score.time));
  const power = scores.map((score) => mean(score.power));
  return {
    timeMape: mean(time),
    powerMape: mean(power),
    worst: Math.max(...time, ...power),
    points: scores.reduce((sum, score) => sum + score.time.length, 0),
    workloads: scores.length,
  };
}
