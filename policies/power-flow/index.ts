import { PLACEMENT_OPTIONS, typeOrder } from '../common-options.ts';
import { ElasticPolicy, intervalOption } from '../elastic/index.ts';
import type { PolicyDefinition } from '../policy.ts';
import { PowerFlowPlanner } from './planner.ts';

/** PowerFlow: elastic gangs and clocks under a budget of energy. */
export const powerFlowDefinition: PolicyDefinition = {
  name: 'power-flow',
  title:
    'every job its least number of gpus at the clock of least energy; gpus and clock steps by run time saved for their energy, under a power budget',
  source:
    'after PowerFlow (Gu et al., arXiv 2304.06381; abstract): its equations and defaults are not known here; the energy budget is one of power, batch sizes stay',
  faithfulness: 'like',
  checkedBy: 'hand-made schedules',
  duration: 'none',
  profile: 'solo',
  options: [
    {
      name: 'budget',
      default: 0.6,
      min: 0,
      max: 10,
      description:
        'power that all gpus together may take, as predicted, over the sum of their default power limits',
      source: 'assumed',
    },
    {
      name: 'clockSteps',
      default: 8,
      min: 1,
      max: 1000,
      description: 'clocks of a workload that are considered, from the one of least energy up',
      source: 'assumed',
    },
    intervalOption(60, 'assumed: the slots of ElasticFlow; 0 plans at every change'),
    ...PLACEMENT_OPTIONS.filter(({ name }) => name === 'types'),
  ],
  create(options, context) {
    const { predictor, cluster } = context;
    return new ElasticPolicy({
      name: 'power-flow',
      information: { duration: 'none', durationNoise: 0 },
      planner: new PowerFlowPlanner(predictor, typeOrder(options, context), cluster, {
        budget: Number(options.budget),
        clockSteps: Math.floor(Number(options.clockSteps)),
      }),
      intervalS: Number(options.intervalS),
      placement: { pool: 'compact', first: 'largest' },
    });
  },
};
