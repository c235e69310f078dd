import { PLACEMENT_OPTIONS, placementParts, typeOrder } from './common-options.ts';
import { compose } from './compose.ts';
import type { PolicyDefinition } from './policy.ts';
import { mpsFree } from './sharing/mps-free.ts';
import { maxPerGpuOf, RESIDENT_OPTIONS } from './sharing/mps-options.ts';

/** MPS without thread limits on every GPU. */
export const mpsFreeDefinition: PolicyDefinition = {
  name: 'mps-free',
  title:
    'in order of submission, skipping; jobs of one GPU share it under MPS without thread limits',
  source:
    'the plain use of MPS (NVIDIA MPS documentation); baseline of Han et al., PER 53(2), 2025',
  faithfulness: 'own',
  checkedBy: 'hand-made schedules',
  duration: 'none',
  profile: 'solo',
  options: [...RESIDENT_OPTIONS, ...PLACEMENT_OPTIONS],
  create: (options, context) =>
    compose({
      name: 'mps-free',
      walk: 'fit-first',
      sharing: mpsFree({
        maxPerGpu: maxPerGpuOf('mps-free', options),
        packs: options.fill !== 'spread',
        types: typeOrder(options, context),
      }),
      ...placementParts(options, context),
    }),
};
