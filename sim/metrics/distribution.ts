import type { Distribution } from '../result.ts';

/** Quantile of ascending values, linear between order statistics (type 7); 0 for none. */
export function quantile(ascending: Float64Array, p: number): number {
  const n = ascending.length;
  if (n === 0) return 0;
  const position = (n - 1) * p;
  const below = Math.floor(position);
  const low = ascending[below] as number;
  const high = ascending[Math.min(below + 1, n - 1)] as number;
  return low + (high - low) * (position - below);
}

/** Mean and quantiles of values in any order. */
export function distribution(values: Float64Array): Distribution {
  const ascending = values.slice().sort();
  let sum = 0;
  for (const value of values) sum += value;
  return {
    mean: values.length === 0 ? 0 : sum / values.length,
    median: quantile(ascending, 0.5),
    p95: quantile(ascending, 0.95),
    p99: quantile(ascending, 0.99),
    max: ascending.at(-1) ?? 0,
  };
}
