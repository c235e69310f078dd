import type { JobView } from '../../sim/job-view.ts';
import type { Order } from './order.ts';

/** When a job must be done: as it says, or `slack` times its duration after its submission. */
export function deadlineOf(job: JobView, slack: number): number {
  return job.submitS + (job.deadlineS ?? slack * job.durationS);
}

/** Earliest deadline first. */
export function earliestDeadline(slack: number): Order {
  return { name: 'edf', readsDuration: true, key: (job) => deadlineOf(job, slack) };
}
