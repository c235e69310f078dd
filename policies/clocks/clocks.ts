import type { GpuType } from '../../sim/gpu/profile.ts';
import type { JobView } from '../../sim/job-view.ts';

/** Core clock and power limit of a GPU. */
export interface GpuLimits {
  /** One of the type's clocks. */
  readonly clockMhz: number;
  /** Within the type's limits. */
  readonly powerCapW: number;
}

/** At what clock and power limit a GPU runs a job; set when a job starts, where they differ. */
export interface Clocks {
  readonly name: string;
  /** @param typeIndex number of the type in the cluster */
  limits(type: GpuType, typeIndex: number, job: JobView): GpuLimits;
}
