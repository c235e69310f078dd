import type { PolicyDefinition } from './policy.ts';
import { SMALLEST_SHARE, smUtilisation, TWO_CLASS_OPTIONS, TwoClass } from './sharing/two-class.ts';

/**
 * AntMan at the level of jobs: opportunistic jobs take what guaranteed ones leave idle. On a GPU the
 * residual share is what the guaranteed job does not use of the SM time when it is alone, which AntMan
 * reaches by the launch rate of kernels.
 */
export const antmanDefinition: PolicyDefinition = {
  name: 'antman',
  title:
    'guaranteed jobs first, as if alone; opportunistic ones on the least used GPUs with the SM share that a guaranteed one leaves idle',
  source:
    'AntMan (Xiao et al., OSDI 2020); placement as in the AntMan of the Muri simulator (Rivendile/Muri @4e69a78); no memory is swapped out, and a new share restarts a client',
  faithfulness: 'like',
  checkedBy: 'hand-made schedules',
  duration: 'none',
  profile: 'solo',
  options: [
    {
      name: 'maxUtilisation',
      default: 0.8,
      min: 0,
      max: 1,
      description: 'largest utilisation of a GPU that an opportunistic job may join',
      source: 'AntMan of the Muri simulator: 0.8',
    },
    ...TWO_CLASS_OPTIONS,
  ],
  create(options, context) {
    const used = smUtilisation(context.predictor);
    return new TwoClass(
      {
        name: 'antman',
        maxUtilisation: Number(options.maxUtilisation),
        residual: (_opportunistic, guaranteed, type) =>
          Math.max(SMALLEST_SHARE, 1 - used(guaranteed, type)),
      },
      options,
      context,
    );
  },
};
