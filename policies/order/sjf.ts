import type { Order } from './order.ts';

/** Shortest job first, by the whole duration (Lucid, policy/sjf.py). */
export function shortestJob(): Order {
  return { name: 'sjf', readsDuration: true, key: (job) => job.durationS };
}
