import { PLACEMENT_OPTIONS, placementParts } from './common-options.ts';
import { compose } from './compose.ts';
import { AttainedService } from './order/attained-service.ts';
import { ReleasedQueues } from './order/released-queues.ts';
import type { PolicyDefinition } from './policy.ts';
import { QUEUE_OPTIONS, queueRules } from './tiresias-queues.ts';

/** Discretised 2D-LAS of Tiresias (Tiresias-L). */
export const tiresiasDefinition: PolicyDefinition = {
  name: 'tiresias',
  title: 'least attained GPU time first, in discrete queues, with preemption (2D-LAS)',
  source: 'Gu et al., Tiresias, NSDI 2019; SymbioticLab/Tiresias, run_sim.py dlas_sim_jobs',
  faithfulness: 'port',
  checkedBy:
    'recorded schedules of its simulator: exact for dlas, and for dlas-gpu and dlas-gpu-1 with demotion released; random jobs against a list model',
  duration: 'none',
  profile: 'solo',
  options: [
    ...QUEUE_OPTIONS,
    {
      name: 'demotion',
      default: 'exact',
      choices: ['exact', 'released'],
      description:
        'when a job falls: exactly at the limit, or late as in the released simulator, which mixes seconds and GPU-seconds',
      source: 'assumed; released: run_sim.py, under its Python 2.7',
    },
    ...PLACEMENT_OPTIONS,
  ],
  create(options, context) {
    const rules = queueRules('tiresias', options);
    const order =
      options.demotion === 'released'
        ? new ReleasedQueues({ ...rules, gittins: null })
        : new AttainedService(rules);
    return compose({
      name: 'tiresias',
      walk: 'preemptive',
      order,
      ...placementParts(options, context),
    });
  },
};
