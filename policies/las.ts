import { PLACEMENT_OPTIONS, placementParts } from './common-options.ts';
import { compose } from './compose.ts';
import { LeastAttained } from './order/least-attained.ts';
import type { PolicyDefinition } from './policy.ts';

/** Least attained service, without the discrete queues of Tiresias. */
export const lasDefinition: PolicyDefinition = {
  name: 'las',
  title: 'least attained GPU time first, with preemption, jobs that had the same taking turns',
  source: 'least attained service in rounds, as blox (EuroSys 2024), schedulers/las.py',
  faithfulness: 'like',
  checkedBy: 'hand-made schedules; the naive rule on random jobs',
  duration: 'none',
  profile: 'solo',
  options: [
    {
      name: 'roundS',
      default: 300,
      min: 1,
      description:
        'length of a round in seconds; between the ends of rounds only arrivals and departures change who runs',
      source: 'blox: rounds of 300 s; Lucid and Pollux decide every 60 s, Gavel every 360 s',
    },
    ...PLACEMENT_OPTIONS,
  ],
  create: (options, context) =>
    compose({
      name: 'las',
      walk: 'preemptive',
      order: new LeastAttained(Number(options.roundS)),
      ...placementParts(options, context),
    }),
};
