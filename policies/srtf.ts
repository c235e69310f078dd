import {
  DURATION_OPTION,
  durationInformation,
  PLACEMENT_OPTIONS,
  placementParts,
} from './common-options.ts';
import { compose } from './compose.ts';
import { shortestRemaining } from './order/srtf.ts';
import type { PolicyDefinition } from './policy.ts';

/** Shortest remaining time first, with preemption. */
export const srtfDefinition: PolicyDefinition = {
  name: 'srtf',
  title: 'shortest remaining time first, with preemption',
  source: 'Tiresias simulator, schedule shortest',
  faithfulness: 'exact',
  checkedBy: 'recorded schedule of the Tiresias simulator (hand12, shortest)',
  duration: 'oracle',
  profile: 'solo',
  options: [DURATION_OPTION, ...PLACEMENT_OPTIONS],
  create: (options, context) =>
    compose({
      name: 'srtf',
      walk: 'preemptive',
      order: shortestRemaining(),
      information: durationInformation(options),
      ...placementParts(options, context),
    }),
};
