import type { PolicyOption } from '../policy.ts';

/** Least time between two plans of a policy that divides all GPUs anew. */
export function intervalOption(defaultS: number, source: string): PolicyOption {
  return {
    name: 'intervalS',
    default: defaultS,
    min: 0,
    max: 1e6,
    description:
      'least time in seconds from one plan to the next; a plan is made when jobs or GPUs have changed',
    source,
  };
}
