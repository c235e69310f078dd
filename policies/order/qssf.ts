import type { JobView } from '../../sim/job-view.ts';
import type { Order } from './order.ts';

/** Service that a job will take: its duration, as it is told or estimated, times its GPUs. */
export function expectedService({
  durationS,
  gpuCount,
}: Pick<JobView, 'durationS' | 'gpuCount'>): number {
  return durationS * gpuCount;
}

/** Quasi-shortest service first (Helios; Lucid, policy/qssf.py): expected duration x GPUs. */
export function shortestService(): Order {
  return { name: 'qssf', readsDuration: true, key: expectedService };
}
