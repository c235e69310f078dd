import { ElasticPolicy, GangCurves } from '../elastic/index.ts';
import { loadSolver } from '../lp/index.ts';
import type { PolicyDefinition } from '../policy.ts';
import { Choices, gangSizes } from './configurations.ts';
import { SiaPlanner } from './planner.ts';
import { SIA_WEIGHTS } from './program.ts';

const RELEASED = 'released code of Sia, mip.py';

/** Sia: configurations of all jobs by one integer program a round. */
export const siaDefinition: PolicyDefinition = {
  name: 'sia',
  title:
    'gpu type and number of every job by one integer program a round, at least loss of speed; gangs start small and double',
  source:
    'Jayaram Subramanya et al., Sia, SOSP 2023; siasosp23/artifacts. Goodput is the speed of the gang on the type: what larger batches cost in statistical efficiency is not modelled',
  faithfulness: 'like',
  checkedBy:
    'recorded optima of its program, equal; the rounded relaxation against exact optima; hand-made schedules',
  duration: 'none',
  profile: 'solo',
  options: [
    {
      name: 'roundS',
      default: 60,
      min: 1,
      max: 1e6,
      description:
        'length of a round in seconds; nothing is solved in rounds in which nothing may change',
      source: 'SOSP 2023, section 4',
    },
    {
      name: 'fairness',
      default: SIA_WEIGHTS.fairness,
      min: -4,
      max: -0.01,
      description: 'exponent of the speeds in the objective',
      source: RELEASED,
    },
    {
      name: 'idleCost',
      default: SIA_WEIGHTS.idleCost,
      min: 0,
      max: 200,
      description: 'cost of a job that gets no gpus',
      source: `${RELEASED} (lambda_n)`,
    },
    {
      name: 'changeCost',
      default: SIA_WEIGHTS.changeCost,
      min: 0,
      max: 200,
      description: 'cost of each entry of the allocation that changes',
      source: `${RELEASED} (lambda_a)`,
    },
    {
      name: 'restartS',
      default: 30,
      min: 0,
      max: 1e6,
      description: 'time of a restart in the factor on speeds after a change, by age and restarts',
      source: `${RELEASED} (restart_penalty)`,
    },
    {
      name: 'penalty',
      default: 'all',
      choices: ['all', 'same-type'],
      description: 'changes that the factor weighs: all, or only those within a gpu type',
      source: 'SOSP 2023, section 3.4: all; released code: same-type',
    },
    {
      name: 'exactJobs',
      default: 40,
      min: 0,
      max: 1e6,
      description:
        'with more jobs in the system than this a round takes the rounded linear relaxation where that is not certain to be the optimum',
      source: 'assumed: bounds the time of a round; the original always solves exactly',
    },
  ],
  prepare: loadSolver,
  create(options, { cluster, predictor }) {
    const types = predictor.types.map(({ name }) => name);
    const choices = new Choices(new GangCurves(predictor), gangSizes(cluster, types));
    return new ElasticPolicy({
      name: 'sia',
      information: { duration: 'none', durationNoise: 0 },
      planner: new SiaPlanner(choices, {
        weights: {
          fairness: Number(options.fairness),
          idleCost: Number(options.idleCost),
          changeCost: Number(options.changeCost),
        },
        restartS: Number(options.restartS),
        penaltyScope: options.penalty === 'same-type' ? 'same-type' : 'all',
        exactJobs: Number(options.exactJobs),
      }),
      intervalS: Number(options.roundS),
      placement: { pool: 'compact', first: 'largest' },
    });
  },
};
