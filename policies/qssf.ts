import {
  DURATION_OPTION,
  durationInformation,
  PLACEMENT_OPTIONS,
  placementParts,
} from './common-options.ts';
import { compose } from './compose.ts';
import { shortestService } from './order/qssf.ts';
import type { PolicyDefinition } from './policy.ts';

/** Quasi-shortest service first of Helios, without preemption. */
export const qssfDefinition: PolicyDefinition = {
  name: 'qssf',
  title: 'smallest expected duration x GPUs first, without preemption',
  source: 'Hu et al., Helios, SC 2021; Lucid simulator, policy/qssf.py (head-of-line)',
  faithfulness: 'port',
  checkedBy: 'recorded schedule of the Lucid simulator (toy10, qssf), and hand-made schedules',
  duration: 'oracle',
  profile: 'solo',
  options: [
    {
      name: 'walk',
      default: 'head-of-line',
      choices: ['head-of-line', 'fit-first'],
      description: 'what a job that does not fit does to those behind it: block them, or nothing',
      source: 'Lucid simulator: head-of-line',
    },
    DURATION_OPTION,
    ...PLACEMENT_OPTIONS,
  ],
  create: (options, context) =>
    compose({
      name: 'qssf',
      walk: options.walk === 'fit-first' ? 'fit-first' : 'head-of-line',
      order: shortestService(),
      information: durationInformation(options),
      ...placementParts(options, context),
    }),
};
