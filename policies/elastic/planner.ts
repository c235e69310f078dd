import type { JobView } from '../../sim/job-view.ts';
import type { Target } from './reallocation.ts';
import type { Holding, TypeRoom } from './room.ts';

/** What a plan is made from. */
export interface PlanState {
  readonly nowS: number;
  /** GPUs that the plan may give away. */
  readonly room: TypeRoom;
  /** What a job has now or is about to get; null for nothing. */
  readonly holding: (job: JobView) => Holding | null;
}

/** Who is to have what. */
export interface Plan {
  /** Jobs that are to have GPUs; all others are to have none. */
  readonly targets: ReadonlyMap<JobView, Target>;
  /** When another plan is needed though nothing happens; Infinity for never. */
  readonly againAtS: number;
}

/** Divides GPUs among jobs; keeps state and serves one run. It sees no gang that no type can hold. */
export interface Planner {
  /**
   * A job came.
   * @param atS when it can get GPUs at the earliest
   * @param room makes what a plan could give away now
   * @returns why it is turned away, or null
   */
  enter(job: JobView, atS: number, room: () => TypeRoom): string | null;
  /** A job is done or given up. */
  leave(job: JobView): void;
  plan(state: PlanState): Plan;
}
