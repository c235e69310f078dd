import { PLACEMENT_OPTIONS, placementParts, typeOrder } from './common-options.ts';
import { compose } from './compose.ts';
import type { PolicyDefinition } from './policy.ts';
import { fractional } from './sharing/fractional.ts';

/** Best fit for fractional jobs, as schedulers of production clusters with GPU sharing. */
export const bestFitDefinition: PolicyDefinition = {
  name: 'best-fit',
  title:
    'in order of submission, skipping; jobs that ask for a part of a GPU are packed where least is left',
  source:
    'after BestFit of the FGD simulator (ATC 2023), which scores nodes, on CPU and GPU together',
  faithfulness: 'like',
  checkedBy: 'hand-made schedules',
  duration: 'none',
  profile: 'solo',
  options: [
    {
      name: 'mode',
      default: 'mps',
      choices: ['mps', 'time-slice'],
      description: 'how jobs share a GPU',
      source: 'assumed',
    },
    ...PLACEMENT_OPTIONS,
  ],
  create: (options, context) =>
    compose({
      name: 'best-fit',
      walk: 'fit-first',
      sharing: fractional({
        mode: options.mode === 'time-slice' ? 'time-slice' : 'mps',
        types: typeOrder(options, context),
      }),
      ...placementParts(options, context),
    }),
};
