import type { Information } from '../sim/view.ts';
import { fixedClock } from './clocks/fixed.ts';
import type { Composition } from './compose.ts';
import { consolidated } from './placement/consolidated.ts';
import { fastestType, firstType } from './placement/type-order.ts';
import type { OptionValues, PolicyContext, PolicyOption } from './policy.ts';

/** Options of every policy that places whole GPUs; none of them is part of a policy's own rule. */
export const PLACEMENT_OPTIONS: readonly PolicyOption[] = [
  {
    name: 'types',
    default: 'first',
    choices: ['first', 'fastest'],
    description:
      'GPU type that a job tries first: the first of the cluster, or the one on which it runs fastest (solo profiles)',
    source: 'assumed',
  },
  {
    name: 'strict',
    default: false,
    description: 'a gang that one empty node could hold waits for one instead of being spread',
    source: 'Lucid placement (consolidate); Tiresias spreads',
  },
  {
    name: 'clock',
    default: 1,
    min: 0.01,
    max: 4,
    description:
      'core clock of all GPUs over the reference clock, rounded down to a clock they have',
    source: 'assumed',
  },
];

/** Option of every policy that reads durations. */
export const DURATION_OPTION: PolicyOption = {
  name: 'durationNoise',
  default: 0,
  min: 0,
  max: 10,
  description:
    'standard deviation of the logarithm of the error of the durations that are told; 0 tells them exactly',
  source: 'assumed; the Tiresias and Lucid simulators tell exact durations',
};

/** Placement and clocks as `PLACEMENT_OPTIONS` say. */
export function placementParts(
  options: OptionValues,
  context: PolicyContext,
): Pick<Composition, 'placement' | 'clocks'> {
  const placement = consolidated({
    types: typeOrder(options, context),
    strict: options.strict === true,
  });
  const clock = Number(options.clock);
  return clock === 1 ? { placement } : { placement, clocks: fixedClock(clock) };
}

/** Type order as `PLACEMENT_OPTIONS` say. */
export function typeOrder(options: OptionValues, { predictor }: PolicyContext) {
  if (options.types !== 'fastest') return firstType;
  return fastestType((job, type) => predictor.speed(job, type));
}

/** What is told of durations as `DURATION_OPTION` says. */
export function durationInformation(options: OptionValues): Information {
  const durationNoise = Number(options.durationNoise);
  return { duration: durationNoise > 0 ? 'estimate' : 'oracle', durationNoise };
}
