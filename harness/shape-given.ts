import { AS_IT_IS } from '../traces/shape/index.ts';
import type { TraceSource } from './resolved.ts';
import { SpecProblem, TRACE_FIELDS, type WorkloadGiven } from './spec.ts';

/** Fields that one kind of source has and the other has not, or that do not go together. @throws {SpecProblem} */
export function refuseMisplaced(given: WorkloadGiven): void {
  for (const key of TRACE_FIELDS) {
    if (given.trace === undefined && given[key] !== undefined) {
      throw new SpecProblem(['workload', key], `'${key}' needs a trace`);
    }
  }
  if (given.synth?.ratePerS !== undefined && given.load !== undefined) {
    throw new SpecProblem(['workload', 'load'], 'load and ratePerS exclude each other');
  }
  if (given.timeScale !== undefined && given.load !== undefined) {
    throw new SpecProblem(['workload', 'load'], 'load and timeScale exclude each other');
  }
  const { fromS, toS } = given.window ?? { fromS: 0, toS: 1 };
  if (!(toS > fromS)) {
    const detail = `expected a time after fromS (${fromS}), found ${toS}`;
    throw new SpecProblem(['workload', 'window', 'toS'], detail);
  }
}

/** The steps that shape a trace; its first submission becomes time 0. */
export function shapeOf(given: WorkloadGiven): TraceSource['shape'] {
  const { load: _load, ...none } = AS_IT_IS;
  const { of = 'actual', capS = null } = given.duration ?? {};
  return {
    ...none,
    virtualClusters: given.virtualClusters ?? null,
    window: given.window ?? null,
    duration: { of, capS },
    minDurationS: given.minDurationS ?? null,
    dropLongerS: given.dropLongerS ?? null,
    maxGang: given.maxGang ?? null,
    sample: given.sample ?? null,
    jobs: given.jobs ?? null,
    timeScale: given.timeScale ?? null,
    fromZero: true,
  };
}
