import { solveIncreasing } from './numeric.ts';

const MAX_RATIO = 100;

/** How many jobs of a trace, or what part of them, ask for this. */
export interface SizeCount {
  readonly gpuCount: number;
  readonly share: number;
  readonly jobs: number;
}

/** Sum of the counts. */
export function jobsOf(sizes: readonly SizeCount[]): number {
  return sizes.reduce((sum, { jobs }) => sum + jobs, 0);
}

/** Picks the entry that a uniform draw from [0, 1) falls on, in the proportion of the counts. */
export function countedPick<T extends SizeCount>(counted: readonly T[]): (draw: number) => T {
  const [first] = counted;
  if (first === undefined) throw new RangeError('nothing to pick from');
  const total = jobsOf(counted);
  return (draw) => {
    let left = draw * total;
    for (const entry of counted) {
      left -= entry.jobs;
      if (left < 0) return entry;
    }
    return first;
  };
}

/**
 * Gangs of 1, 2, 4, ... up to `maxGpus` GPUs: a part of the jobs asks for a single one, and of the others
 * each size is rarer (or more frequent) than the one before by a constant ratio, the one that meets the
 * mean. The form is assumed: published are the median, the mean and the largest.
 */
export function powersOfTwo(
  singlePart: number,
  meanGpus: number,
  maxGpus: number,
): readonly SizeCount[] {
  const sizes: number[] = [];
  for (let gpus = 2; gpus <= maxGpus; gpus *= 2) sizes.push(gpus);
  const weights = (ratio: number) => sizes.map((_gpus, power) => ratio ** power);
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
  const gangMean = (ratio: number) => {
    const each = weights(ratio);
    return sum(sizes.map((gpus, at) => gpus * (each[at] ?? 0))) / sum(each);
  };
  const wanted = (meanGpus - singlePart) / (1 - singlePart);
  const ratio = solveIncreasing(gangMean, wanted, 1e-9, MAX_RATIO);
  const each = weights(ratio);
  return [
    { gpuCount: 1, share: 1, jobs: singlePart },
    ...sizes.map((gpuCount, at) => ({
      gpuCount,
      share: 1,
      jobs: ((1 - singlePart) * (each[at] ?? 0)) / sum(each),
    })),
  ];
}
