/**
 * Divides one unit of capacity among claims in proportion to their weights, none getting more than
 * its demand (weighted max-min fairness, water-filling). Writes the fractions of demand that are met.
 *
 * @param weights positive weight of each claim
 * @param demands positive demand of each claim; when they sum to at most 1 all are met
 * @param met receives granted / demanded in (0, 1]
 */
export function waterFill(
  weights: readonly number[],
  demands: readonly number[],
  met: number[],
): void {
  const n = demands.length;
  let total = 0;
  for (let i = 0; i < n; i += 1) total += demands[i] as number;
  if (total <= 1) {
    for (let i = 0; i < n; i += 1) met[i] = 1;
    return;
  }
  for (let i = 0; i < n; i += 1) met[i] = 0;
  let capacity = 1;
  for (;;) {
    let weight = 0;
    for (let i = 0; i < n; i += 1) if (met[i] === 0) weight += weights[i] as number;
    const level = capacity / weight;
    let satisfied = 0;
    for (let i = 0; i < n; i += 1) {
      const demand = demands[i] as number;
      if (met[i] === 0 && demand <= (weights[i] as number) * level) {
        met[i] = 1;
        satisfied += demand;
      }
    }
    if (satisfied === 0) {
      for (let i = 0; i < n; i += 1) {
        if (met[i] === 0) met[i] = ((weights[i] as number) * level) / (demands[i] as number);
      }
      return;
    }
    capacity -= satisfied;
  }
}

/** Largest memory contention that is looked for: a workload without memory time cannot yield more. */
const KAPPA_MAX = 1000;

/**
 * The smallest kappa >= 1 at which the bandwidth used fits (DESIGN section 4).
 *
 * @param used bandwidth used by all residents at a kappa, as a fraction; non-increasing in kappa
 * @param available bandwidth there is, as a fraction of the reference
 */
export function memoryContention(used: (kappa: number) => number, available: number): number {
  if (used(1) <= available) return 1;
  let low = 1;
  let high = 2;
  while (used(high) > available) {
    low = high;
    high *= 2;
    if (high > KAPPA_MAX) return KAPPA_MAX;
  }
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2;
    if (used(middle) > available) low = middle;
    else high = middle;
  }
  return high;
}
