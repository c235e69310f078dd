/** Mean of |predicted / measured - 1|, as a fraction. Measured values must not be zero. */
export function meanAbsolutePercentageError(
  measured: readonly number[],
  predicted: readonly number[],
): number {
  if (measured.length === 0 || measured.length !== predicted.length) {
    throw new RangeError(
      `expected as many predicted as measured values, found ${predicted.length} and ${measured.length}`,
    );
  }
  return mean(measured.map((value, i) => Math.abs((predicted[i] ?? Number.NaN) / value - 1)));
}

/** Arithmetic mean. @throws {RangeError} on an empty list */
export function mean(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError('expected values to average, found none');
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Middle value, or the mean of the two in the middle. @throws {RangeError} on an empty list */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return mean(
    sorted.length % 2 === 1 ? sorted.slice(half, half + 1) : sorted.slice(half - 1, half + 1),
  );
}
