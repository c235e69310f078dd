import { InputError } from '../../sim/errors.ts';
import { fromZero, scaledToLoad, timeScaled } from './clock.ts';
import { cappedDurations, requestedDurations } from './durations.ts';
import {
  firstJobs,
  inWindow,
  ofVirtualClusters,
  sampled,
  withoutLargeGangs,
  withoutLongJobs,
  withoutShortJobs,
} from './select.ts';
import { applySteps, type JobList, type ShapeStep } from './step.ts';

/** Where run times come from: the trace's own, or what users asked for; cut to `capS` unless null. */
export interface DurationChoice {
  readonly of: 'actual' | 'requested';
  readonly capS: number | null;
}

/** How a trace is shaped; null leaves out a step. */
export interface ShapeOptions {
  /** Only jobs of these virtual clusters. */
  readonly virtualClusters: readonly string[] | null;
  /** Only jobs submitted in [fromS, toS), on the clock of the trace. */
  readonly window: { readonly fromS: number; readonly toS: number } | null;
  readonly duration: DurationChoice;
  readonly minDurationS: number | null;
  /** Longer jobs are left out; see `duration.capS` for cutting them. */
  readonly dropLongerS: number | null;
  /** Larger gangs are left out. */
  readonly maxGang: number | null;
  /** Below 1 a part of the jobs, from 1 so many of them. */
  readonly sample: number | null;
  /** Only the first so many jobs. */
  readonly jobs: number | null;
  readonly timeScale: number | null;
  readonly load: { readonly load: number; readonly capacityGpus: number } | null;
  readonly fromZero: boolean;
}

/** A trace as it is. */
export const AS_IT_IS: ShapeOptions = {
  virtualClusters: null,
  window: null,
  duration: { of: 'actual', capS: null },
  minDurationS: null,
  dropLongerS: null,
  maxGang: null,
  sample: null,
  jobs: null,
  timeScale: null,
  load: null,
  fromZero: false,
};

/**
 * The steps in the order in which they are taken: which jobs (virtual clusters, window), how long they run
 * (requested; then too short, too long, capped), how many of them (gangs, sample, first ones), and when
 * they come (from zero, time scale, load). So a sample is drawn from the jobs that count, the number of
 * jobs is that of the run, and a load is that of the jobs that are left.
 */
export function shapeSteps(options: ShapeOptions, seed: number | string): readonly ShapeStep[] {
  const { window, duration, load } = options;
  const step = <T>(value: T | null, make: (value: T) => ShapeStep): ShapeStep[] =>
    value === null ? [] : [make(value)];
  return [
    ...step(options.virtualClusters, ofVirtualClusters),
    ...step(window, ({ fromS, toS }) => inWindow(fromS, toS)),
    ...(duration.of === 'requested' ? [requestedDurations()] : []),
    ...step(options.minDurationS, withoutShortJobs),
    ...step(options.dropLongerS, withoutLongJobs),
    ...step(duration.capS, cappedDurations),
    ...step(options.maxGang, withoutLargeGangs),
    ...step(options.sample, (size) => sampled(size, seed)),
    ...step(options.jobs, firstJobs),
    ...(options.fromZero ? [fromZero()] : []),
    ...step(options.timeScale, timeScaled),
    ...step(load, (to) => scaledToLoad(to.load, to.capacityGpus)),
  ];
}

/** Refuses to go on without jobs, saying where they went. */
function refuseEmpty({ jobs, report }: JobList, name: string): void {
  if (jobs.length > 0) return;
  const { input, rowsRead, dropped } = report;
  const lost = Object.entries(dropped).map(([reason, count]) => `${count} ${reason}`);
  const because = lost.length === 0 ? '' : ` (${lost.join(', ')})`;
  const detail = `expected jobs, found none: ${rowsRead} rows read${because}`;
  throw new InputError(input?.path ?? name, null, null, detail);
}

/** Shapes a trace; `seed` draws its sample. What cannot be done, or leaves no job, is an `InputError`. */
export function shapeTrace<T extends JobList & { readonly name: string }>(
  trace: T,
  options: ShapeOptions,
  seed: number | string,
): T {
  const shaped = { ...trace, ...applySteps(trace, shapeSteps(options, seed)) };
  refuseEmpty(shaped, trace.name);
  return shaped;
}
