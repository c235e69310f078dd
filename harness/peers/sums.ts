/** Sum in the order given. */
export function total(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

/** Sum over count; 0 of nothing. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : total(values) / values.length;
}
