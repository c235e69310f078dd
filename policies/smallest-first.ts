import { PLACEMENT_OPTIONS, placementParts } from './common-options.ts';
import { compose } from './compose.ts';
import { smallestGang } from './order/smallest-gang.ts';
import type { PolicyDefinition } from './policy.ts';

/** Smallest gang first, with preemption. */
export const smallestFirstDefinition: PolicyDefinition = {
  name: 'smallest-first',
  title: 'fewest GPUs first, with preemption',
  source: 'Tiresias simulator, schedule sjf (it compares gang sizes, not durations)',
  faithfulness: 'exact',
  checkedBy: 'recorded schedule of the Tiresias simulator (hand12, sjf)',
  duration: 'none',
  profile: 'solo',
  options: PLACEMENT_OPTIONS,
  create: (options, context) =>
    compose({
      name: 'smallest-first',
      walk: 'preemptive',
      order: smallestGang(),
      ...placementParts(options, context),
    }),
};
