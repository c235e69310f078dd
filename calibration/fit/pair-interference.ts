import type { InterferenceModel } from '../../sim/gpu/profile.ts';
import { mean } from './errors.ts';
import type { InterferenceObservation } from './interference.ts';
import { leastSquares } from './least-squares.ts';
import { at } from './linear-algebra.ts';

/** Interference terms of workloads, those of an unknown one included. */
export type InterferenceTerms = (workload: string) => InterferenceModel;

/** Sensitivity and aggressiveness lie within this factor of the common level. */
const LARGEST_LOG = Math.log(20);
/** A common level below this is none: then nothing can be in proportion to it. */
const SMALLEST_EXTRA = 1e-6;

/**
 * Fits `extra = base * exp(s(workload) + a(other))` to the mean extra of each ordered pair of
 * workloads (calibration C7), drawn towards the common level by `shrinkage * (|s|^2 + |a|^2)` against
 * squared errors relative to it. Infinite shrinkage leaves the common level: all pairs alike.
 *
 * In the simulator's terms the sensitivity of a workload is `base * exp(s)` and its aggressiveness
 * `exp(a)`; one that was not seen has `base` and 1.
 */
export function fitShrunkInterference(
  observations: readonly InterferenceObservation[],
  shrinkage: number,
): InterferenceTerms {
  const pairs = meansByPair(observations);
  const level = Math.max(0, mean(pairs.map(({ extra }) => extra)));
  const common: InterferenceModel = { sensitivity: level, aggressiveness: 1 };
  if (level < SMALLEST_EXTRA || shrinkage === Infinity) return () => common;
  const names = [...new Set(pairs.flatMap(({ workload, other }) => [workload, other]))].sort();
  const n = names.length;
  const index = new Map(names.map((name, i) => [name, i]));
  const placed = pairs.map(({ workload, other, extra }) => ({
    me: 1 + (index.get(workload) ?? 0),
    it: 1 + n + (index.get(other) ?? 0),
    ratio: extra / level,
  }));
  const weight = Math.sqrt(shrinkage);
  const terms = 1 + 2 * n;
  const { parameters } = leastSquares({
    residuals: (p) => [
      ...placed.map(({ me, it, ratio }) => Math.exp(at(p, 0) + at(p, me) + at(p, it)) - ratio),
      ...p.slice(1).map((log) => weight * log),
    ],
    start: new Array<number>(terms).fill(0),
    lower: new Array<number>(terms).fill(-LARGEST_LOG),
    upper: new Array<number>(terms).fill(LARGEST_LOG),
  });
  const base = level * Math.exp(at(parameters, 0));
  return (workload) => {
    const i = index.get(workload);
    if (i === undefined) return { sensitivity: base, aggressiveness: 1 };
    return {
      sensitivity: base * Math.exp(at(parameters, 1 + i)),
      aggressiveness: Math.exp(at(parameters, 1 + n + i)),
    };
  };
}

/** Rows of one ordered pair share what the form cannot say of it: they count as one observation. */
function meansByPair(observations: readonly InterferenceObservation[]): InterferenceObservation[] {
  const pairs = new Map<string, InterferenceObservation[]>();
  for (const observation of observations) {
    const key = JSON.stringify([observation.workload, observation.other]);
    const rows = pairs.get(key);
    if (rows === undefined) pairs.set(key, [observation]);
    else rows.push(observation);
  }
  return [...pairs.values()].map((rows) => {
    const { workload, other } = at(rows, 0);
    return { workload, other, extra: mean(rows.map(({ extra }) => extra)) };
  });
}
