import type { GpuType } from '../../sim/gpu/profile.ts';

/** The core clock at which a GPU runs its jobs; set when a job starts, where it differs. */
export interface Clocks {
  readonly name: string;
  /** One of the type's clocks. */
  clockMhz(type: GpuType): number;
}
