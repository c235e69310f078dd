import { PLACEMENT_OPTIONS, placementParts, typeOrder } from './common-options.ts';
import { compose } from './compose.ts';
import type { PolicyDefinition } from './policy.ts';
import { mpsEqual } from './sharing/mps-equal.ts';

/** Equal MPS shares on every GPU. */
export const mpsEqualDefinition: PolicyDefinition = {
  name: 'mps-equal',
  title: 'in order of submission, skipping; jobs of one GPU share it under MPS in equal parts',
  source: 'the plain use of MPS active thread percentages (NVIDIA MPS documentation)',
  faithfulness: 'own',
  checkedBy: 'hand-made schedules',
  duration: 'none',
  profile: 'solo',
  options: [
    {
      name: 'maxPerGpu',
      default: 2,
      min: 1,
      max: 48,
      description: 'largest number of jobs on a GPU; the GPU type may allow fewer clients',
      source: 'assumed',
    },
    {
      name: 'shares',
      default: 'fixed',
      choices: ['fixed', 'adaptive'],
      description:
        '1/maxPerGpu from start to end, or 1/n for n residents, for which those that stay are restarted whenever n changes',
      source: 'assumed; a share cannot change under a running client',
    },
    {
      name: 'fill',
      default: 'pack',
      choices: ['pack', 'spread'],
      description: 'take a used GPU before a free one, or after',
      source: 'assumed',
    },
    ...PLACEMENT_OPTIONS,
  ],
  create(options, context) {
    const maxPerGpu = Number(options.maxPerGpu);
    if (!Number.isInteger(maxPerGpu)) {
      throw new RangeError(
        `policy 'mps-equal': maxPerGpu is ${maxPerGpu}, expected a whole number`,
      );
    }
    return compose({
      name: 'mps-equal',
      walk: 'fit-first',
      sharing: mpsEqual({
        maxPerGpu,
        shares: options.shares === 'adaptive' ? 'adaptive' : 'fixed',
        packs: options.fill !== 'spread',
        types: typeOrder(options, context),
      }),
      ...placementParts(options, context),
    });
  },
};
