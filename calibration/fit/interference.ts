import type { InterferenceModel } from '../../sim/gpu/profile.ts';
import { at, leastSquares } from './least-squares.ts';

/** What one workload suffered beside another. */
export interface InterferenceObservation {
  readonly workload: string;
  readonly other: string;
  /** Growth of the GPU's part of the step, less 1. */
  readonly extra: number;
}

/** Pulls aggressiveness towards 1 where the pairs measured do not fix its scale. */
const SCALE_WEIGHT = 0.001;

/**
 * Fits `extra = sensitivity(workload) * aggressiveness(other)` by least squares (calibration C7).
 * Doubling one and halving the other changes nothing, so aggressiveness is kept near 1.
 */
export function fitInterference(
  observations: readonly InterferenceObservation[],
): ReadonlyMap<string, InterferenceModel> {
  const names = [...new Set(observations.flatMap(({ workload, other }) => [workload, other]))];
  names.sort();
  const n = names.length;
  const index = new Map(names.map((name, i) => [name, i]));
  const placed = observations.map(({ workload, other, extra }) => ({
    me: index.get(workload) ?? 0,
    it: n + (index.get(other) ?? 0),
    extra,
  }));
  const found = leastSquares({
    residuals: (p) => [
      ...placed.map(({ me, it, extra }) => at(p, me) * at(p, it) - extra),
      ...names.map((_, i) => SCALE_WEIGHT * (at(p, n + i) - 1)),
    ],
    start: names.map(() => 0.1).concat(names.map(() => 1)),
    lower: new Array<number>(2 * n).fill(0),
    upper: new Array<number>(2 * n).fill(10),
  });
  return new Map(
    names.map((name, i) => [
      name,
      {
        sensitivity: at(found.parameters, i),
        aggressiveness: at(found.parameters, n + i),
      },
    ]),
  );
}
