import type { Clocks } from './clocks.ts';
import { fixedClock } from './fixed.ts';

/** Every GPU at its type's reference clock and default limit, whatever they were set to before. */
export function referenceClock(): Clocks {
  return { ...fixedClock(1), name: 'reference' };
}
