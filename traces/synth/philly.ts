import { type Counted, poissonTimes } from './arrivals.ts';
import type { Generator } from './generator.ts';
import { PHILLY } from './philly-statistics.ts';
import { classedBodies } from './size-class.ts';

const RHYTHM: Counted = {
  kind: 'counted',
  hours: PHILLY.hours,
  days: PHILLY.days,
  clockStartS: PHILLY.clockStartS,
};

/**
 * A trace like Microsoft Philly's, generated from statistics of it alone (see `PHILLY`): gang sizes as
 * counted, run times through the quantiles of each gang size with its mean, Poisson arrivals with the
 * counted rhythm of day and week. The mean rate is the same in all weeks, which in Philly it is not. Its
 * clock starts with the trace's own, on a Monday at 10:30:41.
 */
export const philly: Generator = {
  name: 'philly',
  title: 'Microsoft Philly (Jeon et al., ATC 2019)',
  settings: [],
  law: (_settings, maxGpus) => ({
    ratePerS: PHILLY.jobs / PHILLY.spanS,
    clockStartS: PHILLY.clockStartS,
    wholeSeconds: true,
    bodies: classedBodies(PHILLY.classes, maxGpus),
    arrivals: ({ length }, ratePerS, streams) =>
      poissonTimes(length, ratePerS, RHYTHM, streams('arrival')),
    options: {},
    assumed: [
      'gang sizes, the run times of each and the rhythm of day and week are those of Philly',
      'arrivals are Poisson, with the same mean rate in all weeks; the first is near Monday 10:30:41',
    ],
  }),
};
