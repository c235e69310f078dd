/** Shares are whole percents, 1 at least: that is how MPS clients are limited. */
const PERCENT = 100;

/**
 * The share after a period, by how far a job is from its objective (GSLICE, self-learning). With residuals
 * of latency, objective less measured, and of throughput, measured less required: nothing changes
 * while both are within `band` of the objective and of what is required; else the share grows by the larger
 * residual, over what was measured, where one is negative, and shrinks by it where both are positive. Shares
 * are rounded up to whole percents, 1 to 100.
 *
 * A job has one measure here, its step time: its throughput is 1 / step time and 1 / objective is required.
 *
 * @param latency step time over its objective, > 0
 */
export function nextShare(share: number, latency: number, band: number): number {
  const latencyResidual = 1 - latency;
  const throughputResidual = 1 / latency - 1;
  if (latencyResidual >= -1e-9 && throughputResidual <= band + 1e-9) return share;
  // Of a throughput of 1 / latency the residual is the part 1 - latency; of a latency, 1 / latency - 1.
  const change = Math.max(Math.abs(throughputResidual), Math.abs(latencyResidual));
  const next = latencyResidual < 0 ? share * (1 + change) : share * (1 - change);
  return Math.min(PERCENT, Math.max(1, Math.ceil(next * PERCENT - 1e-9))) / PERCENT;
}
