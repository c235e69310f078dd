import { InputError } from '../../sim/errors.ts';
import { randomStream } from '../../sim/random.ts';
import { traceJob } from '../importers/trace-job.ts';
import { gpuSeconds, statisticsOf } from '../report.ts';
import { scaleToLoad } from '../shape.ts';
import type { ImportedTrace, TraceJob } from '../workload.ts';
import { OFFICE_RHYTHM, poissonArrivals, type Rhythm } from './arrivals.ts';
import { checkCount, checkPositive } from './check.ts';
import { durationLaw } from './duration-law.ts';
import { type GangCount, gangQuantiles, gangSizes } from './gang-law.ts';
import { PHILLY } from './philly-statistics.ts';

export interface PhillyOptions {
  readonly jobs: number;
  readonly seed: number | string;
  /** Offered load on `capacityGpus`, both or neither; submissions are spaced to meet it exactly. */
  readonly load?: number;
  readonly capacityGpus?: number;
  /** Mean submissions a second, instead of a load; by default that of Philly. */
  readonly ratePerS?: number;
  /** Longer jobs are cut to this. */
  readonly maxDurationS?: number;
  /** Larger gangs are not drawn. */
  readonly maxGpus?: number;
  readonly rhythm?: Rhythm;
}

interface Body {
  readonly gpuCount: number;
  readonly durationS: number;
}

function checkOptions(options: PhillyOptions): void {
  const { load, capacityGpus, ratePerS, maxDurationS, maxGpus } = options;
  checkCount('jobs', options.jobs);
  if (maxGpus !== undefined) checkCount('maxGpus', maxGpus);
  if (load !== undefined) checkPositive('load', load);
  if (capacityGpus !== undefined) checkPositive('capacityGpus', capacityGpus);
  if (ratePerS !== undefined) checkPositive('ratePerS', ratePerS);
  if (maxDurationS !== undefined && !(maxDurationS >= 1)) {
    const detail = `maxDurationS: expected at least 1 s, found ${maxDurationS}`;
    throw new InputError('options', null, null, detail);
  }
  if ((load === undefined) !== (capacityGpus === undefined)) {
    throw new InputError('options', null, null, 'load and capacityGpus: expected both or neither');
  }
  if (load !== undefined && ratePerS !== undefined) {
    throw new InputError(
      'options',
      null,
      null,
      'load and ratePerS: expected one of them, found both',
    );
  }
}

function drawBodies(options: PhillyOptions, gangs: readonly GangCount[], notes: string[]): Body[] {
  const { jobs, seed, maxDurationS = Number.POSITIVE_INFINITY } = options;
  const durations = durationLaw(PHILLY.quantiles, PHILLY.meanDurationS);
  const sizeOf = gangSizes(gangs);
  // The link between size and run time is that of all of Philly, whatever sizes are then drawn.
  const quantileOf = gangQuantiles(
    PHILLY.gangs,
    durations,
    PHILLY.meanDurationS,
    (PHILLY.gpuHours * 3600) / PHILLY.jobs,
  );
  const gangRandom = randomStream(seed, 'synth/philly/gang');
  const durationRandom = randomStream(seed, 'synth/philly/duration');
  let cut = 0;
  const bodies = Array.from({ length: jobs }, (): Body => {
    const gpuCount = sizeOf(gangRandom());
    // Philly counts whole seconds.
    const drawnS = Math.round(durations(quantileOf(gpuCount, durationRandom)));
    if (drawnS > maxDurationS) cut += 1;
    return { gpuCount, durationS: Math.min(drawnS, maxDurationS) };
  });
  if (cut > 0) notes.push(`${cut} run times above ${maxDurationS} s are cut to it`);
  return bodies;
}

function meanRate({ jobs, load, capacityGpus, ratePerS }: PhillyOptions, bodies: readonly Body[]) {
  if (load === undefined || capacityGpus === undefined)
    return ratePerS ?? PHILLY.jobs / PHILLY.spanS;
  let workGpuS = 0;
  for (const body of bodies) workGpuS += gpuSeconds({ ...body, share: 1, submitS: 0 });
  return (jobs * load * capacityGpus) / workGpuS;
}

/**
 * A trace like Microsoft Philly's, generated from its published statistics alone (see `PHILLY`): gang sizes
 * as counted, run times through the published quantiles with the published mean, gangs longer than single
 * jobs so that the published GPU-hours are met, Poisson arrivals with a daily and weekly rhythm. No model,
 * user or virtual cluster. Time 0 is the first submission. Same options, same jobs.
 */
export function synthPhilly(options: PhillyOptions): ImportedTrace {
  checkOptions(options);
  const { jobs: count, seed, maxGpus = Number.POSITIVE_INFINITY, rhythm = OFFICE_RHYTHM } = options;
  const gangs = PHILLY.gangs.filter(({ gpuCount }) => gpuCount <= maxGpus);
  const assumed = [
    'gang sizes, run times and GPU-hours follow published statistics of Philly; the rest is assumed',
    'arrivals are Poisson with a daily and weekly swing, from a Monday',
  ];
  if (gangs.length < PHILLY.gangs.length) assumed.push(`no gangs above ${maxGpus} GPUs are drawn`);
  const bodies = drawBodies(options, gangs, assumed);
  const ratePerS = meanRate(options, bodies);
  const arrivals = poissonArrivals(ratePerS, rhythm, randomStream(seed, 'synth/philly/arrival'));
  const width = String(count).length;
  let firstS: number | null = null;
  const jobs = bodies.map((body, index): TraceJob => {
    const timeS = arrivals.next().value;
    firstS ??= timeS;
    return traceJob({
      gpuCount: body.gpuCount,
      durationS: body.durationS,
      id: `synth-${String(index + 1).padStart(width, '0')}`,
      submitS: timeS - firstS,
      row: index + 1,
    });
  });
  const report = {
    format: 'synth-philly',
    input: null,
    options: {
      jobs: count,
      seed,
      load: options.load ?? null,
      capacityGpus: options.capacityGpus ?? null,
      ratePerS: options.load === undefined ? ratePerS : null,
      maxDurationS: options.maxDurationS ?? null,
      maxGpus: options.maxGpus ?? null,
      ...rhythm,
    },
    rowsRead: count,
    dropped: {},
    badRowExamples: [],
    assumed,
    ...statisticsOf(jobs),
  };
  const drawn = { jobs, report };
  const { load, capacityGpus } = options;
  const scaled =
    load === undefined || capacityGpus === undefined || count === 1
      ? drawn
      : scaleToLoad<TraceJob>(drawn, capacityGpus, load);
  return { name: 'synth-philly', format: 'synth-philly', recognisedBy: null, ...scaled };
}
