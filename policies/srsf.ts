import {
  DURATION_OPTION,
  durationInformation,
  PLACEMENT_OPTIONS,
  placementParts,
} from './common-options.ts';
import { compose } from './compose.ts';
import { smallestRemainingService } from './order/srsf.ts';
import type { PolicyDefinition } from './policy.ts';

/** Smallest remaining service first, with preemption. */
export const srsfDefinition: PolicyDefinition = {
  name: 'srsf',
  title: 'smallest remaining time x GPUs first, with preemption',
  source: 'Tiresias simulator, schedule shortest-gpu',
  faithfulness: 'port',
  checkedBy: 'hand-made schedules',
  duration: 'oracle',
  profile: 'solo',
  options: [DURATION_OPTION, ...PLACEMENT_OPTIONS],
  create: (options, context) =>
    compose({
      name: 'srsf',
      walk: 'preemptive',
      order: smallestRemainingService(),
      information: durationInformation(options),
      ...placementParts(options, context),
    }),
};
