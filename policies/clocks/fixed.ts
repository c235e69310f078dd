import type { Clocks } from './clocks.ts';

/**
 * Every GPU at one fraction of its reference clock: the highest clock of the type that is not above
 * it, or the lowest that there is.
 */
export function fixedClock(fraction: number): Clocks {
  if (!(fraction > 0)) throw new RangeError(`clock fraction is ${fraction}, expected above 0`);
  return {
    name: `fixed-${fraction}`,
    clockMhz: (type) => {
      const limitMhz = fraction * type.referenceClockMhz * (1 + 1e-12);
      let found = type.clocksMhz[0] as number;
      for (const clock of type.clocksMhz) if (clock <= limitMhz) found = clock;
      return found;
    },
  };
}
