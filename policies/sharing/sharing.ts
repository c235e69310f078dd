import type { Decision } from '../../sim/decisions.ts';
import type { SharingMode } from '../../sim/gpu/evaluate.ts';
import type { JobView } from '../../sim/job-view.ts';
import type { View } from '../../sim/view.ts';
import type { Likeness } from '../queue/job-classes.ts';

/**
 * Which jobs share a GPU, and with what shares. Jobs that do not share get whole GPUs from the
 * placement. A rule keeps track of who sits where, so it serves one run.
 */
export interface Sharing {
  readonly name: string;
  readonly mode: SharingMode;
  /** Whether a used GPU is taken before a free one. */
  readonly packs: boolean;
  /** What makes jobs alike, so that a seat suits both or neither; *seat* when absent. */
  readonly likeness?: Likeness;
  /** Share with which a job starts on GPUs of this type. */
  startShare(view: View, job: JobView, gpu: number): number;
  /** A used GPU that the job may join now, or -1. */
  seat(view: View, job: JobView): number;
  /** Told of each job that has started, and of each that has left its GPUs. */
  started(view: View, job: JobView): void;
  left(view: View, job: JobView): void;
  /** Decisions after all starts. */
  adjust?(view: View): Iterable<Decision>;
}
