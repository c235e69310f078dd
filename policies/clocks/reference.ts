import type { Clocks } from './clocks.ts';

/** Every GPU at its type's reference clock, whatever it was set to before. */
export function referenceClock(): Clocks {
  return { name: 'reference', clockMhz: (type) => type.referenceClockMhz };
}
