import {
  DURATION_OPTION,
  durationInformation,
  PLACEMENT_OPTIONS,
  placementParts,
} from './common-options.ts';
import { compose } from './compose.ts';
import type { PolicyDefinition } from './policy.ts';

/** First come, first served, with EASY backfilling. */
export const easyDefinition: PolicyDefinition = {
  name: 'easy',
  title:
    'in order of submission; later jobs start early if that does not delay the first that waits',
  source: 'EASY backfilling (Lifka 1995), from its definition',
  faithfulness: 'own',
  checkedBy: 'hand-made schedules',
  duration: 'oracle',
  profile: 'solo',
  options: [DURATION_OPTION, ...PLACEMENT_OPTIONS],
  create: (options, context) =>
    compose({
      name: 'easy',
      walk: 'easy',
      information: durationInformation(options),
      speed: (job, type) => context.predictor.speed(job, type),
      ...placementParts(options, context),
    }),
};
