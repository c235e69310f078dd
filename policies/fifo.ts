import { PLACEMENT_OPTIONS, placementParts } from './common-options.ts';
import { compose } from './compose.ts';
import type { PolicyDefinition } from './policy.ts';

/** First come, first served, with head-of-line blocking. */
export const fifoDefinition: PolicyDefinition = {
  name: 'fifo',
  title: 'in order of submission; the first job that does not fit blocks those behind it',
  source: 'Tiresias simulator, schedule fifo; Lucid simulator, fifo',
  faithfulness: 'exact',
  checkedBy: 'recorded schedule of the Tiresias simulator (hand12, fifo)',
  duration: 'none',
  profile: 'solo',
  options: PLACEMENT_OPTIONS,
  create: (options, context) =>
    compose({ name: 'fifo', walk: 'head-of-line', ...placementParts(options, context) }),
};
