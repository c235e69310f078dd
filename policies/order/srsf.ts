import type { Order } from './order.ts';

/** Smallest remaining service first: remaining time x GPUs (Tiresias simulator, `shortest-gpu`). */
export function smallestRemainingService(): Order {
  return { name: 'srsf', readsDuration: true, key: (job) => job.remainingS * job.gpuCount };
}
