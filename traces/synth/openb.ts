import { type Counted, trendTimes } from './arrivals.ts';
import type { Generator } from './generator.ts';
import { OPENB } from './openb-statistics.ts';
import { classedBodies } from './size-class.ts';

const RHYTHM: Counted = { kind: 'counted', hours: OPENB.hours, days: [], clockStartS: 0 };

/**
 * A trace like the pod list of Alibaba cluster-trace-gpu-v2023, generated from statistics of it alone (see
 * `OPENB`): shares and gangs as counted, run times through the quantiles of pods with a part of a GPU, a
 * whole one and several, arrivals by the trend over the span and the rhythm of the day. At another rate the
 * span is another, the trend over it the same. Its clock is the trace's own, whose zero means nothing.
 */
export const openbLike: Generator = {
  name: 'openb',
  title: 'Alibaba cluster-trace-gpu-v2023 (Weng et al., ATC 2023)',
  settings: [],
  law: (_settings, maxGpus) => ({
    ratePerS: OPENB.jobs / OPENB.spanS,
    clockStartS: 0,
    wholeSeconds: true,
    bodies: classedBodies(OPENB.classes, maxGpus),
    arrivals: ({ length }, ratePerS, streams) =>
      trendTimes(length, length / ratePerS, OPENB.trend, RHYTHM, streams('arrival')),
    options: {},
    assumed: [
      'shares, gang sizes, the run times of each, the trend over the span and the rhythm of the day are ' +
        'those of the openb pod list',
      'nearly all pods come in the last fifth of the span, as there; days are all alike',
    ],
  }),
};
