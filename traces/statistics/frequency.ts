/** The most frequent values kept of each field. */
const KEPT = 20;

/** How often the values of a field occur. */
export interface Frequencies {
  /** How many values there are. */
  readonly distinct: number;
  /** Jobs by value, the most frequent first; at most 20. */
  readonly most: Readonly<Record<string, number>>;
}

/** Frequencies of a field where it is stated; equal ones in alphabetical order. */
export function frequenciesOf<T>(rows: readonly T[], of: (row: T) => string | null): Frequencies {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const value = of(row);
    if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const order = [...counts].sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
  return { distinct: counts.size, most: Object.fromEntries(order.slice(0, KEPT)) };
}
