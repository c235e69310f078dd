import type { Clocks } from '../clocks/clocks.ts';
import {
  DURATION_OPTION,
  durationInformation,
  PLACEMENT_OPTIONS,
  placementParts,
} from '../common-options.ts';
import { compose } from '../compose.ts';
import { fifo } from '../order/fifo.ts';
import { shortestJob } from '../order/sjf.ts';
import type { OptionValues, Policy, PolicyContext, PolicyOption } from '../policy.ts';

/** Options of the policies that only choose clocks or power limits: how jobs get whole GPUs. */
export const EXCLUSIVE_OPTIONS: readonly PolicyOption[] = [
  {
    name: 'order',
    default: 'fifo',
    choices: ['fifo', 'sjf'],
    description: 'the order in which waiting jobs get whole GPUs, skipping those that do not fit',
    source: 'assumed: the original tunes running jobs and does not schedule',
  },
  DURATION_OPTION,
  ...PLACEMENT_OPTIONS.filter(({ name }) => name !== 'clock'),
];

/** Whole GPUs in order, each job at the clock and limit that a rule gives it. */
export function exclusivePolicy(
  name: string,
  options: OptionValues,
  context: PolicyContext,
  clocks: Clocks,
): Policy {
  const shortest = options.order === 'sjf';
  const { placement } = placementParts({ ...options, clock: 1 }, context);
  return compose({
    name,
    walk: 'fit-first',
    order: shortest ? shortestJob() : fifo(),
    information: shortest ? durationInformation(options) : { duration: 'none', durationNoise: 0 },
    ...(placement === undefined ? {} : { placement }),
    clocks,
  });
}
