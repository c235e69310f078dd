import type { Order } from './order.ts';

/** Shortest remaining time first (Tiresias simulator, schedule `shortest`). */
export function shortestRemaining(): Order {
  return { name: 'srtf', readsDuration: true, key: (job) => job.remainingS };
}
