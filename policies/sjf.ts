import {
  DURATION_OPTION,
  durationInformation,
  PLACEMENT_OPTIONS,
  placementParts,
} from './common-options.ts';
import { compose } from './compose.ts';
import { shortestJob } from './order/sjf.ts';
import type { PolicyDefinition } from './policy.ts';

/** Shortest job first, without preemption. */
export const sjfDefinition: PolicyDefinition = {
  name: 'sjf',
  title: 'shortest duration first, without preemption',
  source: 'Lucid simulator, policy/sjf.py (head-of-line)',
  faithfulness: 'port',
  checkedBy: 'hand-made schedules',
  duration: 'oracle',
  profile: 'solo',
  options: [
    {
      name: 'walk',
      default: 'head-of-line',
      choices: ['head-of-line', 'fit-first'],
      description: 'what a job that does not fit does to those behind it: block them, or nothing',
      source: 'Lucid simulator: head-of-line; Alibaba 2020 simulator: fit-first',
    },
    DURATION_OPTION,
    ...PLACEMENT_OPTIONS,
  ],
  create: (options, context) =>
    compose({
      name: 'sjf',
      walk: options.walk === 'fit-first' ? 'fit-first' : 'head-of-line',
      order: shortestJob(),
      information: durationInformation(options),
      ...placementParts(options, context),
    }),
};
