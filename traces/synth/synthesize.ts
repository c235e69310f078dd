import { InputError, nearest } from '../../sim/errors.ts';
import { randomStream } from '../../sim/random.ts';
import { quoted } from '../csv/row.ts';
import type { Settings } from '../importers/importer.ts';
import { traceJob } from '../importers/trace-job.ts';
import type { OptionValue, QualityReport } from '../report.ts';
import { applySteps, scaledToLoad } from '../shape/index.ts';
import { statisticsOf } from '../statistics/job-statistics.ts';
import type { ImportedTrace, TraceJob } from '../workload.ts';
import { acme } from './acme.ts';
import { burst } from './burst.ts';
import { checkCount, checkPositive } from './check.ts';
import { type Body, type Generator, SettingReader, type TraceLaw } from './generator.ts';
import { helios } from './helios.ts';
import { openbLike } from './openb.ts';
import { pai } from './pai.ts';
import { philly } from './philly.ts';
import { poisson } from './poisson.ts';

/** Every generator, by name. */
export const GENERATORS: ReadonlyMap<string, Generator> = new Map(
  [philly, helios, pai, acme, openbLike, poisson, burst].map((each) => [each.name, each]),
);

export interface SynthOptions {
  readonly jobs: number;
  readonly seed: number | string;
  /** Offered load on `capacityGpus`, both or neither; submissions are spaced to meet it exactly. */
  readonly load?: number;
  readonly capacityGpus?: number;
  /** Mean submissions a second, instead of a load; by default that of the trace that is imitated. */
  readonly ratePerS?: number;
  /** Longer jobs are cut to this. */
  readonly maxDurationS?: number;
  /** Larger gangs are not drawn. */
  readonly maxGpus?: number;
  /** Options of the generator. */
  readonly settings?: Settings;
}

/** The generator of a name. */
export function generatorNamed(name: string): Generator {
  const generator = GENERATORS.get(name);
  if (generator !== undefined) return generator;
  const names = [...GENERATORS.keys()];
  const near = nearest(name, names);
  const hint = near === null ? '' : `; did you mean ${quoted(near)}?`;
  const detail = `expected one of ${names.map(quoted).join(', ')}, found ${quoted(name)}${hint}`;
  throw new InputError('options', null, null, `generator: ${detail}`);
}

/** How a generator draws with these options of its own. Wrong ones are an `InputError`. */
export function generatorLaw(
  name: string,
  settings: Settings = {},
  maxGpus = Number.POSITIVE_INFINITY,
): TraceLaw {
  const generator = generatorNamed(name);
  return generator.law(new SettingReader(generator, settings), maxGpus);
}

function checkOptions(options: SynthOptions): void {
  const { load, capacityGpus, ratePerS, maxDurationS, maxGpus } = options;
  const refuse = (detail: string) => {
    throw new InputError('options', null, null, detail);
  };
  checkCount('jobs', options.jobs);
  if (maxGpus !== undefined) checkCount('maxGpus', maxGpus);
  if (load !== undefined) checkPositive('load', load);
  if (capacityGpus !== undefined) checkPositive('capacityGpus', capacityGpus);
  if (ratePerS !== undefined) checkPositive('ratePerS', ratePerS);
  if (maxDurationS !== undefined && !(maxDurationS >= 1)) {
    refuse(`maxDurationS: expected at least 1 s, found ${maxDurationS}`);
  }
  if ((load === undefined) !== (capacityGpus === undefined)) {
    refuse('load and capacityGpus: expected both or neither');
  }
  if (load !== undefined && ratePerS !== undefined) {
    refuse('load and ratePerS: expected one of them, found both');
  }
}

/** The bodies in whole seconds and cut to the longest run time asked for. */
function finished(
  bodies: readonly Body[],
  { wholeSeconds }: TraceLaw,
  maxDurationS: number,
  notes: string[],
): readonly Body[] {
  let cut = 0;
  const result = bodies.map((body): Body => {
    const drawnS = wholeSeconds ? Math.max(1, Math.round(body.durationS)) : body.durationS;
    if (drawnS > maxDurationS) cut += 1;
    const { gpuCount, share } = body;
    return { gpuCount, share, durationS: Math.min(drawnS, maxDurationS) };
  });
  if (cut > 0) notes.push(`${cut} run times above ${maxDurationS} s are cut to it`);
  return result;
}

function meanRate(options: SynthOptions, law: TraceLaw, bodies: readonly Body[]): number {
  const { jobs, load, capacityGpus, ratePerS } = options;
  if (load === undefined || capacityGpus === undefined) return ratePerS ?? law.ratePerS;
  let workGpuS = 0;
  for (const body of bodies) workGpuS += body.gpuCount * body.share * body.durationS;
  return (jobs * load * capacityGpus) / workGpuS;
}

/** Jobs in order of submission, the first at time 0. */
function submitted(bodies: readonly Body[], times: readonly number[]): TraceJob[] {
  const order = [...bodies.keys()].sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0));
  const firstS = times[order[0] ?? 0] ?? 0;
  const width = String(bodies.length).length;
  return order.map((at, rank) => {
    const { gpuCount = 1, share = 1, durationS = 1 } = bodies[at] ?? {};
    return traceJob({
      id: `synth-${String(rank + 1).padStart(width, '0')}`,
      submitS: (times[at] ?? 0) - firstS,
      durationS,
      gpuCount,
      share,
      row: rank + 1,
    });
  });
}

/**
 * A trace made by a generator. No model, user or virtual cluster. Time 0 is the first submission. Same
 * options, same jobs. Bad options are an `InputError`.
 */
export function synthesize(name: string, options: SynthOptions): ImportedTrace {
  checkOptions(options);
  const { jobs: count, seed, load, capacityGpus } = options;
  const { maxGpus = Number.POSITIVE_INFINITY, maxDurationS = Number.POSITIVE_INFINITY } = options;
  const law = generatorLaw(name, options.settings, maxGpus);
  const assumed = [...law.assumed];
  if (maxGpus !== Number.POSITIVE_INFINITY)
    assumed.push(`no gangs above ${maxGpus} GPUs are drawn`);
  const streams = (purpose: string) => randomStream(seed, `synth/${name}/${purpose}`);
  const bodies = finished(law.bodies(count, streams), law, maxDurationS, assumed);
  const ratePerS = meanRate(options, law, bodies);
  const jobs = submitted(bodies, law.arrivals(bodies, ratePerS, streams));
  const given: Readonly<Record<string, OptionValue>> = {
    jobs: count,
    seed,
    load: load ?? null,
    capacityGpus: capacityGpus ?? null,
    ratePerS: load === undefined ? ratePerS : null,
    maxDurationS: options.maxDurationS ?? null,
    maxGpus: options.maxGpus ?? null,
    ...law.options,
  };
  const format = `synth-${name}`;
  const report: QualityReport = {
    format,
    input: null,
    options: given,
    rowsRead: count,
    dropped: {},
    badRowExamples: [],
    assumed,
    ...statisticsOf(jobs),
  };
  const drawn = { jobs, report };
  const scaled =
    load === undefined || capacityGpus === undefined || count === 1
      ? drawn
      : applySteps(drawn, [scaledToLoad(load, capacityGpus)]);
  return { name: format, format, recognisedBy: null, ...scaled };
}
