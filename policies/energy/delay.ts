import type { Decision } from '../../sim/decisions.ts';
import type { JobView } from '../../sim/job-view.ts';
import type { RateSeries } from '../../sim/options.ts';
import type { View } from '../../sim/view.ts';
import { referenceClock } from '../clocks/reference.ts';
import type { OptionValues, Policy, PolicyContext, PolicyDefinition } from '../policy.ts';
import { OrderedHeap } from '../queue/ordered-heap.ts';
import { EXCLUSIVE_OPTIONS, exclusivePolicy } from './exclusive.ts';

/** The rate at a time. @param series ascending; before its first start the first value holds */
export function rateAt(series: RateSeries, timeS: number): number {
  let low = 0;
  let high = series.startsS.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((series.startsS[middle] as number) <= timeS) low = middle;
    else high = middle - 1;
  }
  return series.values[low] as number;
}

/** The first time from `timeS` on at which the rate is at most `limit`; Infinity for never. */
export function nextTimeAtMost(series: RateSeries, limit: number, timeS: number): number {
  if (rateAt(series, timeS) <= limit) return timeS;
  for (const [i, startS] of series.startsS.entries()) {
    if (startS > timeS && (series.values[i] as number) <= limit) return startS;
  }
  return Infinity;
}

/** The value that a part of the series' values does not exceed. */
export function quantileOf(series: RateSeries, part: number): number {
  const sorted = series.values.toSorted((a, b) => a - b);
  const rank = Math.min(sorted.length - 1, Math.max(0, Math.ceil(part * sorted.length) - 1));
  return sorted[rank] as number;
}

/** A view in which other jobs have entered the queue. */
class EnteredView implements View {
  readonly #view: View;
  readonly entered: readonly JobView[];

  constructor(view: View, entered: readonly JobView[]) {
    this.#view = view;
    this.entered = entered;
  }

  get nowS() {
    return this.#view.nowS;
  }
  get cluster() {
    return this.#view.cluster;
  }
  get queue() {
    return this.#view.queue;
  }
  get active() {
    return this.#view.active;
  }
  get left() {
    return this.#view.left;
  }
  job(index: number) {
    return this.#view.job(index);
  }
  clockMhz(gpu: number) {
    return this.#view.clockMhz(gpu);
  }
  powerCapW(gpu: number) {
    return this.#view.powerCapW(gpu);
  }
  mode(gpu: number) {
    return this.#view.mode(gpu);
  }
  slices(gpu: number) {
    return this.#view.slices(gpu);
  }
}

/**
 * Holds each job until the rate is low (at most the given quantile of the series), but never longer than
 * `maxDelayS`, nor so long that its deadline is missed; then it waits for GPUs like any other.
 */
function create(options: OptionValues, context: PolicyContext): Policy {
  const inner = exclusivePolicy('delay', options, context, referenceClock());
  const { pricePerKwh, carbonGramPerKwh } = context.tariff;
  const series = options.signal === 'price' ? pricePerKwh : carbonGramPerKwh;
  const limit = quantileOf(series, Number(options.quantile));
  const maxDelayS = Number(options.maxDelayS);
  const held = new OrderedHeap<JobView>();

  function releaseS(job: JobView, nowS: number): number {
    const lowS = nextTimeAtMost(series, limit, nowS);
    const slackS = job.deadlineS === null ? Infinity : job.deadlineS - job.durationS;
    return Math.min(lowS, nowS + Math.min(maxDelayS, Math.max(0, slackS)));
  }

  return {
    ...inner,
    information: { duration: 'oracle', durationNoise: 0 },
    *decide(view): Generator<Decision> {
      const released: JobView[] = [];
      for (const job of view.entered) {
        // A job that has run, and comes back, is not held again.
        const atS = job.hasStarted ? view.nowS : releaseS(job, view.nowS);
        if (atS <= view.nowS) released.push(job);
        else held.push(atS, job.index, job);
      }
      for (let job = held.first; job !== null && held.firstKey <= view.nowS; job = held.first) {
        held.pop();
        released.push(job);
      }
      yield* inner.decide(new EnteredView(view, released));
      if (held.first !== null) yield { kind: 'call-back', atS: held.firstKey };
    },
  };
}

export const delayDefinition: PolicyDefinition = {
  name: 'delay',
  title: 'jobs wait for hours of cheap or clean energy, within a bound; then whole GPUs in order',
  source: 'assumed: threshold suspension as in carbon-aware computing; series of the experiment',
  faithfulness: 'own',
  checkedBy: 'hand-made schedules',
  duration: 'oracle',
  profile: 'solo',
  options: [
    {
      name: 'signal',
      default: 'carbon',
      choices: ['carbon', 'price'],
      description: 'series that is watched: carbonGramPerKwh or pricePerKwh of the experiment',
      source: 'assumed',
    },
    {
      name: 'quantile',
      default: 0.3,
      min: 0,
      max: 1,
      description: 'part of the values of the series that count as low',
      source: 'assumed',
    },
    {
      name: 'maxDelayS',
      default: 21_600,
      min: 0,
      max: 1e9,
      description: 'longest time for which a job is held',
      source: 'assumed: 6 h',
    },
    ...EXCLUSIVE_OPTIONS,
  ],
  create,
};
