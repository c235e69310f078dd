import {
  DURATION_OPTION,
  durationInformation,
  PLACEMENT_OPTIONS,
  typeOrder,
} from '../common-options.ts';
import { ElasticPolicy, GangCurves, gpusByType, intervalOption } from '../elastic/index.ts';
import type { PolicyDefinition } from '../policy.ts';
import { ElasticFlowPlanner } from './planner.ts';

/** ElasticFlow: deadlines by admission control and elastic gangs. */
export const elasticFlowDefinition: PolicyDefinition = {
  name: 'elastic-flow',
  title:
    'admits a job only if all deadlines can be met; every job its minimum satisfactory share, then gangs grow where that takes least gpu time',
  source:
    'Gu et al., ElasticFlow, ASPLOS 2023; pkusys/ElasticFlow (scheduler.py). A job stays on the gpu type that admits it; gpu time of a larger gang counts one slot, not its whole plan',
  faithfulness: 'like',
  checkedBy: 'hand-made schedules; admission against exhaustive search on small cases',
  duration: 'oracle',
  profile: 'solo',
  options: [
    {
      name: 'slack',
      default: 0,
      min: 0,
      max: 1e6,
      description:
        'deadline of a job that states none, in durations after its submission; 0: it has none and takes what the others leave',
      source: 'ASPLOS 2023, section 4.4: best-effort jobs; published slacks are 0.5 to 1.5',
    },
    {
      name: 'marginS',
      default: 0,
      min: 0,
      max: 1e6,
      description:
        'time before its deadline by which a job is planned to be done, for its restarts',
      source: 'assumed',
    },
    {
      name: 'scaleUp',
      default: 'least',
      choices: ['least', 'released'],
      description:
        'gangs that grow first: those that take least more gpu time, or most, as the released code sorts',
      source: 'ASPLOS 2023, algorithm 2; released allocate_free_gpus',
    },
    intervalOption(60, 'released code (scheduling_slot)'),
    DURATION_OPTION,
    ...PLACEMENT_OPTIONS.filter(({ name }) => name === 'types'),
  ],
  create(options, context) {
    const { cluster, predictor } = context;
    const slotS = Number(options.intervalS);
    const planner = new ElasticFlowPlanner(
      new GangCurves(predictor),
      gpusByType(cluster, predictor.types),
      typeOrder(options, context),
      {
        slack: Number(options.slack),
        marginS: Number(options.marginS),
        slotS: Math.max(slotS, 1),
        scaleUp: options.scaleUp === 'released' ? 'released' : 'least',
      },
    );
    return new ElasticPolicy({
      name: 'elastic-flow',
      information: durationInformation(options),
      planner,
      intervalS: slotS,
      placement: { pool: 'compact', first: 'largest' },
    });
  },
};
