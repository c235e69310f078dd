import type { JobView } from '../../sim/job-view.ts';
import type { View } from '../../sim/view.ts';

/**
 * The order in which a walk considers jobs: lower key first, ties by submission. The key of a queued
 * job must not change while it is queued, unless `update` says so; that of a running one may.
 *
 * An order with state serves one run.
 */
export interface Order {
  readonly name: string;
  /** Whether `key` reads the duration, so that a policy must declare that it is told. */
  readonly readsDuration: boolean;
  /** The key is the same for all: the order is that of submission. */
  readonly bySubmission?: boolean;
  key(job: JobView): number;
  /** Before each walk. @returns queued jobs whose key has changed */
  update?(view: View): readonly JobView[];
  /** After each preemptive walk: jobs that hold GPUs now, and jobs preempted, in the order walked. */
  decided?(view: View, holding: readonly JobView[], preempted: readonly JobView[]): void;
  /** When a key changes by itself so that the walk must be repeated; Infinity for never. */
  nextChangeS?(view: View): number;
}
