/** Rounds of the fixed point of {@link smMet}; each gains at least a digit in two or three. */
const ROUNDS = 200;
const SMALLEST_CHANGE = 1e-13;

/**
 * SMs under contention. A job demands SMs only while it is busy, and others are busy at times of
 * their own, so what one gets while it runs is what those leave whom it happens to meet: demands that
 * sum to more than the GPU are cut in proportion. With `b` the busy part of a step alone, `d` the
 * demand, and `s` the factor by which contention stretches busy time,
 *
 *     p_j = b_j s_j / (1 - b_j + b_j s_j),    s_i = E[ max(1, d_i + sum of d_j over busy j) ].
 *
 * Job j is met busy with the part `p_j` of time in which it is, as in approximate mean value
 * analysis of a closed queueing network (Schweitzer 1979; Bard 1979), here without a server but with
 * processor sharing beyond the whole GPU. Of several others, those that are busy less are taken to be
 * busy when those are that are busy more. That overlap is the largest there can be, so that the SMs
 * used never sum to more than the GPU.
 *
 * Demands that sum to at most 1 are met; jobs that are always busy get SMs in proportion to their
 * demands; two that demand all and are always busy run at half speed.
 *
 * @param demands fractions of the SMs, in (0, 1], demanded while busy
 * @param busy parts of their steps, in [0, 1], that the jobs would keep the GPU busy alone
 * @param met receives `1 / s`: the part of its demand that each gets while busy, in (0, 1]
 */
export function smMet(demands: readonly number[], busy: readonly number[], met: number[]): void {
  const n = demands.length;
  let total = 0;
  for (let i = 0; i < n; i += 1) {
    total += demands[i] as number;
    met[i] = 1;
  }
  if (total <= 1) return;
  const order = Array.from({ length: n }, (_, i) => i);
  const seen = [...busy];
  for (let round = 0; round < ROUNDS; round += 1) {
    let change = 0;
    if (n > 2) order.sort((a, b) => (seen[b] as number) - (seen[a] as number));
    for (let i = 0; i < n; i += 1) {
      const stretch = expectedLoad(i, demands, seen, order);
      change = Math.max(change, Math.abs(stretch * (met[i] as number) - 1));
      met[i] = 1 / stretch;
    }
    if (change < SMALLEST_CHANGE) return;
    for (let i = 0; i < n; i += 1) {
      const busyS = (busy[i] as number) / (met[i] as number);
      seen[i] = busyS / (1 - (busy[i] as number) + busyS);
    }
  }
}

/** Expected `max(1, SM demand)` while job i is busy, the others in order of falling `seen`. */
function expectedLoad(
  i: number,
  demands: readonly number[],
  seen: readonly number[],
  order: readonly number[],
): number {
  let load = demands[i] as number;
  let expected = 0;
  let atLeast = 1;
  for (const j of order) {
    if (j === i) continue;
    const part = seen[j] as number;
    expected += (atLeast - part) * Math.max(1, load);
    atLeast = part;
    load += demands[j] as number;
  }
  return expected + atLeast * Math.max(1, load);
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
