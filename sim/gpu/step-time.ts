import type { StepTimeModel } from './profile.ts';

/**
 * Seconds of one step (DESIGN section 4; calibration C1 c, C6):
 * `T = host + f * ((kappa * memory / xm)^q + (core / (x * s))^q)^(1/q)`, `s = min(1, share/smDemand)`.
 *
 * @param smDemand fraction of the SMs that the workload can use, in (0, 1]
 * @param x core clock over reference core clock, > 0
 * @param xm memory clock over reference memory clock, > 0
 * @param share effective SM share, > 0
 * @param kappa memory contention, >= 1
 * @param interference factor f on the GPU's part of the step, >= 1
 */
export function stepTimeS(
  time: StepTimeModel,
  smDemand: number,
  x: number,
  xm: number,
  share: number,
  kappa = 1,
  interference = 1,
): number {
  const s = share < smDemand ? share / smDemand : 1;
  const memoryS = (kappa * time.memoryS) / xm;
  const coreS = time.coreS / (x * s);
  return time.hostS + interference * pNorm(memoryS, coreS, time.q);
}

function pNorm(a: number, b: number, q: number): number {
  if (q === 1) return a + b;
  const large = Math.max(a, b);
  if (large === 0) return 0;
  const ratio = Math.min(a, b) / large;
  return large * (1 + ratio ** q) ** (1 / q);
}
