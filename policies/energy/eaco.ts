import { PLACEMENT_OPTIONS, placementParts } from '../common-options.ts';
import { compose } from '../compose.ts';
import type { PolicyDefinition } from '../policy.ts';
import { boundedCompany } from '../sharing/bounded-company.ts';
import { withNodeSleep } from './node-sleep.ts';

/** Co-location for energy under a bound on slowdown, after EaCO. */
export const eacoDefinition: PolicyDefinition = {
  name: 'eaco',
  title:
    'in order of submission, skipping; a job joins the busiest GPU on which nobody is predicted to lose more than 10 %, empty nodes sleep',
  source:
    'after EaCO (Haghshenas and Hashemi, arXiv 2412.08294; abstract): thresholds and the placement are assumed; what it observes is what is predicted here',
  faithfulness: 'like',
  checkedBy: 'hand-made schedules',
  duration: 'none',
  profile: 'pairs',
  options: [
    {
      name: 'maxSlowdown',
      default: 1.1,
      min: 1,
      max: 100,
      description: 'largest predicted step time of a resident over that alone',
      source: 'assumed',
    },
    {
      name: 'maxUtilisation',
      default: 1,
      min: 0.01,
      max: 48,
      description: 'largest sum of the parts of time for which residents keep a GPU busy alone',
      source: 'assumed: 100 %',
    },
    {
      name: 'maxPerGpu',
      default: 2,
      min: 1,
      max: 48,
      description: 'largest number of jobs on a GPU',
      source: 'assumed',
    },
    {
      name: 'mode',
      default: 'time-slice',
      choices: ['time-slice', 'mps'],
      description: 'how residents share a GPU',
      source: 'EaCO: hardware context switching',
    },
    {
      name: 'sleepAfterS',
      default: 120,
      min: 0,
      max: 1e9,
      description: 'idle time after which an empty node is switched off',
      source: 'assumed',
    },
    ...PLACEMENT_OPTIONS,
  ],
  create(options, context) {
    const policy = compose({
      name: 'eaco',
      walk: 'fit-first',
      sharing: boundedCompany({
        predictor: context.predictor,
        mode: options.mode === 'mps' ? 'mps' : 'time-slice',
        maxPerGpu: Number(options.maxPerGpu),
        maxUtilisation: Number(options.maxUtilisation),
        maxSlowdown: Number(options.maxSlowdown),
      }),
      ...placementParts(options, context),
    });
    return withNodeSleep(policy, { afterS: Number(options.sleepAfterS) });
  },
};
