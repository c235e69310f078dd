export interface Range {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

/** A range with its mean and the least values that more than 90 and 99 % do not exceed. */
export interface Spread extends Range {
  readonly mean: number;
  readonly p90: number;
  readonly p99: number;
}

/** One number of each element; a loop, as `Float64Array.from` takes five times as long. */
export function numbersOf<T>(values: readonly T[], of: (value: T) => number): Float64Array {
  const numbers = new Float64Array(values.length);
  let at = 0;
  for (const value of values) {
    numbers[at] = of(value);
    at += 1;
  }
  return numbers;
}

/** Digits that floating point may take from a product: 0.99 x 700 must not become 692. */
const ROUNDING = 1e-9;

/** The least of ascending values that more than this part of them, below 1, does not exceed. */
function quantileOf(sorted: Float64Array, part: number): number {
  return sorted[Math.floor(part * sorted.length + ROUNDING)] ?? sorted.at(-1) ?? 0;
}

/** Range of ascending values; null for none. */
export function sortedRange(sorted: Float64Array): Range | null {
  const [min] = sorted;
  const max = sorted.at(-1);
  if (min === undefined || max === undefined) return null;
  const half = (sorted.length - 1) / 2;
  const median = ((sorted[Math.floor(half)] ?? 0) + (sorted[Math.ceil(half)] ?? 0)) / 2;
  return { min, median, max };
}

/** Range of values; null for none. */
export function rangeOf(values: Float64Array): Range | null {
  return sortedRange(values.toSorted());
}

/** Range, mean and quantiles of values; null for none. */
export function spreadOf(values: Float64Array): Spread | null {
  const sorted = values.toSorted();
  const range = sortedRange(sorted);
  if (range === null) return null;
  let sum = 0;
  for (const value of sorted) sum += value;
  const { min, median, max } = range;
  const [p90, p99] = [quantileOf(sorted, 0.9), quantileOf(sorted, 0.99)];
  return { min, median, mean: sum / sorted.length, p90, p99, max };
}
