import type { GpuType, WorkloadProfile } from '../../sim/gpu/profile.ts';
import type { Predictor } from '../predictor.ts';
import { largestSliceLeft, type Slice, type SliceTimes } from './partition.ts';

/** The slices that MISO uses, ascending. */
export const SLICES: readonly Slice[] = [1, 2, 3, 4, 7];
const EPSILON = 1e-9;
/** Profiles state the sizes of slices rounded. */
const ROUNDING = 1e-3;

/** A slice as the fraction of a GPU of a type, as this states it; NaN where it has no such slice. */
export function fractionOf(slice: Slice, { migSlices }: GpuType): number {
  return migSlices.find((legal) => Math.abs(legal - slice / 7) < ROUNDING) ?? NaN;
}

/** Whether a GPU type can be partitioned as an A100: all its slices are legal. */
export function hasSevenths(type: GpuType): boolean {
  return SLICES.every((slice) => !Number.isNaN(fractionOf(slice, type)));
}

/** The smallest slice whose memory holds a job that fits the whole GPU. */
export function smallestSlice(needGib: number, type: GpuType): Slice {
  return SLICES.find((slice) => needGib <= fractionOf(slice, type) * type.memoryGib + EPSILON) ?? 7;
}

/** Step times of workloads on slices, as predicted; each worked out once. */
export class SliceTable {
  readonly #predictor: Predictor;
  readonly #known = new Map<string, SliceTimes>();

  constructor(predictor: Predictor) {
    this.#predictor = predictor;
  }

  /** Times on the slices from the smallest that holds the job. */
  times(workload: string, type: number, smallest: Slice): SliceTimes {
    const key = `${type} ${smallest} ${workload}`;
    let times = this.#known.get(key);
    if (times === undefined) {
      const profile = this.#predictor.profile(workload, type) as WorkloadProfile;
      const large = SLICES.filter((slice) => slice >= smallest);
      times = Object.fromEntries(
        large.map((slice) => {
          const share = fractionOf(slice, this.#predictor.types[type] as GpuType);
          const resident = { profile, share };
          const { stepS } = this.#predictor.evaluate(type, [resident], { mode: 'mig' });
          return [slice, stepS[0]];
        }),
      );
      this.#known.set(key, times);
    }
    return times;
  }
}

const LEFT = new Map<string, Slice | 0>();

/** {@link largestSliceLeft}, each answer worked out once. */
export function sliceLeft(needed: readonly Slice[]): Slice | 0 {
  const key = needed.toSorted((a, b) => a - b).join(' ');
  let left = LEFT.get(key);
  if (left === undefined) {
    left = largestSliceLeft(needed);
    LEFT.set(key, left);
  }
  return left;
}
