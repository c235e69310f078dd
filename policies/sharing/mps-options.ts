import type { OptionValues, PolicyOption } from '../policy.ts';

/** Options of the policies that put a bounded number of jobs on a GPU under MPS. */
export const RESIDENT_OPTIONS: readonly PolicyOption[] = [
  {
    name: 'maxPerGpu',
    default: 2,
    min: 1,
    max: 48,
    description: 'largest number of jobs on a GPU; the GPU type may allow fewer clients',
    source: 'assumed',
  },
  {
    name: 'fill',
    default: 'pack',
    choices: ['pack', 'spread'],
    description: 'take a used GPU before a free one, or after',
    source: 'assumed',
  },
];

/**
 * `maxPerGpu` of the options.
 * @throws {RangeError} when it is not whole, naming the policy
 */
export function maxPerGpuOf(policy: string, options: OptionValues): number {
  const maxPerGpu = Number(options.maxPerGpu);
  if (Number.isInteger(maxPerGpu)) return maxPerGpu;
  throw new RangeError(`policy '${policy}': maxPerGpu is ${maxPerGpu}, expected a whole number`);
}
