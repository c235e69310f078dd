import type { OptionValues, PolicyOption } from '../policy.ts';
import type { RoundOptions } from './round-policy.ts';

const RELEASED = 'released code of Gavel, scheduler.py';

/** Options of every policy that runs in Gavel's rounds. */
export const ROUND_OPTIONS: readonly PolicyOption[] = [
  {
    name: 'roundS',
    default: 360,
    min: 1,
    max: 86400,
    description: 'length of a round in seconds',
    source: `${RELEASED} (time_per_iteration)`,
  },
  {
    name: 'resetS',
    default: 1920,
    min: 0,
    max: 1e6,
    description: 'least time in seconds from one allocation to the next',
    source: `${RELEASED} (minimum_time_between_allocation_resets)`,
  },
  {
    name: 'newJobs',
    default: 'fill',
    choices: ['fill', 'wait'],
    description:
      'what a job does that came after the last allocation: it takes GPUs that would stay idle, or waits for the next',
    source: 'OSDI 2020, algorithm 1: fill; released code: wait',
  },
];

/** What `ROUND_OPTIONS` say. */
export function roundOptions(
  options: OptionValues,
): Pick<RoundOptions, 'roundS' | 'resetS' | 'fills'> {
  return {
    roundS: Number(options.roundS),
    resetS: Number(options.resetS),
    fills: options.newJobs !== 'wait',
  };
}
