import { PLACEMENT_OPTIONS, placementParts } from './common-options.ts';
import { compose } from './compose.ts';
import type { PolicyDefinition } from './policy.ts';

/** First come, first served, skipping jobs that do not fit. */
export const fifoFitDefinition: PolicyDefinition = {
  name: 'fifo-fit',
  title:
    'in order of submission; jobs that do not fit are skipped (no reservation: gangs may starve)',
  source: 'Tiresias simulator, schedule fjf',
  faithfulness: 'exact',
  checkedBy: 'recorded schedule of the Tiresias simulator (hand12, fjf)',
  duration: 'none',
  profile: 'solo',
  options: PLACEMENT_OPTIONS,
  create: (options, context) =>
    compose({ name: 'fifo-fit', walk: 'fit-first', ...placementParts(options, context) }),
};
