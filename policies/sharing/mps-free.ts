import { type MpsEqualOptions, mpsEqual } from './mps-equal.ts';
import type { Sharing } from './sharing.ts';

/**
 * Jobs of one GPU share it under MPS without any limit on their threads, as far as memory allows: every
 * client may use all SMs. Seats are those of {@link mpsEqual}. Gangs have their GPUs alone.
 */
export function mpsFree(options: Omit<MpsEqualOptions, 'shares'>): Sharing {
  return {
    ...mpsEqual({ ...options, shares: 'fixed' }),
    name: 'mps-free',
    startShare: (_view, job) => (job.gpuCount > 1 ? job.share : 1),
  };
}
