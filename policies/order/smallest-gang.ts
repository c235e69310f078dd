import type { Order } from './order.ts';

/** Fewest GPUs first (Tiresias simulator, schedule `sjf`: it compares gang sizes, not durations). */
export function smallestGang(): Order {
  return { name: 'smallest-gang', readsDuration: false, key: (job) => job.gpuCount };
}
