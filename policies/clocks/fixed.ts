import type { GpuType } from '../../sim/gpu/profile.ts';
import type { Clocks, GpuLimits } from './clocks.ts';

/**
 * Every GPU at one fraction of its reference clock: the highest clock of the type that is not above
 * it, or the lowest that there is; at the default power limit.
 */
export function fixedClock(fraction: number): Clocks {
  if (!(fraction > 0)) throw new RangeError(`clock fraction is ${fraction}, expected above 0`);
  const known = new Map<GpuType, GpuLimits>();
  return {
    name: `fixed-${fraction}`,
    limits(type) {
      let limits = known.get(type);
      if (limits === undefined) {
        const limitMhz = fraction * type.referenceClockMhz * (1 + 1e-12);
        let clockMhz = type.clocksMhz[0] as number;
        for (const clock of type.clocksMhz) if (clock <= limitMhz) clockMhz = clock;
        limits = { clockMhz, powerCapW: type.powerLimitW.default };
        known.set(type, limits);
      }
      return limits;
    },
  };
}
