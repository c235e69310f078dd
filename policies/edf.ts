import {
  DURATION_OPTION,
  durationInformation,
  PLACEMENT_OPTIONS,
  placementParts,
} from './common-options.ts';
import { compose } from './compose.ts';
import { earliestDeadline } from './order/edf.ts';
import type { PolicyDefinition } from './policy.ts';

/** Earliest deadline first. */
export const edfDefinition: PolicyDefinition = {
  name: 'edf',
  title: 'earliest deadline first, skipping jobs that do not fit',
  source: 'definition; the baseline of ElasticFlow (ASPLOS 2023) without its elastic gangs',
  faithfulness: 'exact',
  checkedBy: 'hand-made schedules',
  duration: 'oracle',
  profile: 'solo',
  options: [
    {
      name: 'walk',
      default: 'fit-first',
      choices: ['fit-first', 'preemptive'],
      description: 'whether a running job gives way to one with an earlier deadline',
      source: 'definition of both',
    },
    {
      name: 'slack',
      default: 2,
      min: 0,
      max: 1e6,
      description: 'deadline of a job that states none, in durations after its submission',
      source: 'assumed',
    },
    DURATION_OPTION,
    ...PLACEMENT_OPTIONS,
  ],
  create(options, context) {
    return compose({
      name: 'edf',
      walk: options.walk === 'preemptive' ? 'preemptive' : 'fit-first',
      order: earliestDeadline(Number(options.slack)),
      information: durationInformation(options),
      ...placementParts(options, context),
    });
  },
};
