import type { Order } from './order.ts';

/** First come, first served: order of submission. */
export function fifo(): Order {
  return { name: 'fifo', readsDuration: false, bySubmission: true, key: () => 0 };
}
