/** What is published of a GPU's power limit: iGniter's `f = F + a_f (P - cap)` above the cap. */
export interface LinearThrottle {
  readonly capW: number;
  readonly referenceMhz: number;
  /** Negative: clock lost for each watt of demand above the cap. */
  readonly mhzPerW: number;
}

/** iGniter's V100 (arXiv 2211.01713; configuration at commit b1ff2ab): 1530 MHz, 300 W. */
export const IGNITER_V100_THROTTLE: LinearThrottle = {
  capW: 300,
  referenceMhz: 1530,
  mhzPerW: -1.0254,
};

/** Power of a GPU and the clock that it holds. */
export interface ColocatedPower {
  readonly powerW: number;
  readonly clockMhz: number;
}

/**
 * Total power and clock of several jobs on one GPU: what each adds to the context power alone, added
 * up and capped, and above the cap a clock that falls linearly with the demand (calibration C5, C8).
 *
 * @param aloneW power of the GPU with each of the jobs alone, as it runs here
 */
export function additivePower(
  aloneW: readonly number[],
  contextW: number,
  { capW, referenceMhz, mhzPerW }: LinearThrottle,
): ColocatedPower {
  const demandW = aloneW.reduce((sum, powerW) => sum + (powerW - contextW), contextW);
  return {
    powerW: Math.min(capW, demandW),
    clockMhz: referenceMhz + mhzPerW * Math.max(0, demandW - capW),
  };
}
