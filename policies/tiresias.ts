import { PLACEMENT_OPTIONS, placementParts } from './common-options.ts';
import { compose } from './compose.ts';
import { AttainedService } from './order/attained-service.ts';
import type { PolicyDefinition } from './policy.ts';

const RELEASED = 'released simulator, jobs.py';

/** Discretised 2D-LAS of Tiresias. */
export const tiresiasDefinition: PolicyDefinition = {
  name: 'tiresias',
  title: 'least attained GPU time first, in discrete queues, with preemption (2D-LAS)',
  source: 'Gu et al., Tiresias, NSDI 2019; SymbioticLab/Tiresias, run_sim.py dlas_sim_jobs',
  faithfulness: 'port',
  checkedBy:
    'recorded schedules of its simulator: exact for dlas, and for dlas-gpu and dlas-gpu-1 with demotion released',
  duration: 'none',
  profile: 'solo',
  options: [
    {
      name: 'queues',
      default: 3,
      min: 1,
      max: 32,
      description: 'number of priority queues',
      source: RELEASED,
    },
    {
      name: 'limits',
      default: '3250,7200,18000',
      description:
        'service at which a job falls to the next queue, in GPU-seconds (or seconds, see service); one limit less than queues is used',
      source: `${RELEASED}; its README says 3600 for the first; the third is listed but never used`,
    },
    {
      name: 'service',
      default: 'gpu-time',
      choices: ['gpu-time', 'time'],
      description: 'what counts as service: GPUs x time running, or time running',
      source: 'paper section 3.2 (2D-LAS); time is schedule dlas of the released simulator',
    },
    {
      name: 'promoteKnob',
      default: 0,
      min: 0,
      description:
        'a job that has waited this many times as long as it has run goes back to the first queue; 0 for never',
      source: 'paper section 3.2 (PROMOTEKNOB); off as in schedule dlas-gpu',
    },
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
    const queues = Number(options.queues);
    const limits = String(options.limits)
      .split(',')
      .map((text) => (text.trim() === '' ? NaN : Number(text)));
    if (!Number.isInteger(queues) || limits.length < queues - 1) {
      throw new RangeError(
        `policy 'tiresias': queues is ${queues}, expected a whole number of at most limits + 1 (limits is '${options.limits}')`,
      );
    }
    const order = new AttainedService({
      limits: limits.slice(0, queues - 1),
      service: options.service === 'time' ? 'time' : 'gpu-time',
      promoteKnob: Number(options.promoteKnob),
      demotion: options.demotion === 'released' ? 'released' : 'exact',
    });
    return compose({
      name: 'tiresias',
      walk: 'preemptive',
      order,
      ...placementParts(options, context),
    });
  },
};
