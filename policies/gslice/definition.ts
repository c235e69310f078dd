import { PLACEMENT_OPTIONS, placementParts, typeOrder } from '../common-options.ts';
import { compose } from '../compose.ts';
import type { PolicyDefinition } from '../policy.ts';
import { SLO_OPTION, Tenants } from '../sharing/tenants.ts';
import { Gslice } from './gslice.ts';
import { Measured } from './measured.ts';

/** Shares that follow what is measured. */
export const gsliceDefinition: PolicyDefinition = {
  name: 'gslice',
  title:
    'in order of submission, skipping; jobs start with 30 % of a GPU, and after each period a share grows or shrinks by as much as the job is measured to be from its objective',
  source:
    'GSLICE (Dhakal et al., SoCC 2020; abstract) as implemented again in icloud-ecnu/igniter @b1ff2ab, the share alone: jobs have no batch to choose. What is measured is what the predictor says; a new share restarts the client, where GSLICE hides that behind a standby; which GPU a job joins, and that company starts the rounds anew, is assumed',
  faithfulness: 'like',
  checkedBy: 'hand-worked rounds; hand-made schedules',
  duration: 'none',
  profile: 'all',
  options: [
    SLO_OPTION,
    {
      name: 'startShare',
      default: 0.3,
      min: 0.01,
      max: 1,
      description: 'share with which a job starts',
      source: 'icloud-ecnu/igniter: 30 %',
    },
    {
      name: 'periodS',
      default: 60,
      min: 1,
      max: 1e6,
      description: 'time from a start, or a change, to the next measurement',
      source: 'assumed',
    },
    {
      name: 'band',
      default: 0.1,
      min: 0,
      max: 1,
      description:
        'part of the objective, and of the required speed, by which a job may be better off',
      source: 'icloud-ecnu/igniter: within 0 and 10 % nothing changes',
    },
    {
      name: 'rounds',
      default: 5,
      min: 0,
      max: 1000,
      description: 'most changes of a share until company changes',
      source: 'icloud-ecnu/igniter: 5 rounds; that company starts them anew is assumed',
    },
    ...PLACEMENT_OPTIONS.filter(({ name }) => name !== 'clock'),
  ],
  create(options, context) {
    return compose({
      name: 'gslice',
      walk: 'fit-first',
      sharing: new Gslice({
        tenants: new Tenants(Number(options.slo)),
        measured: new Measured(context.predictor),
        startShare: Number(options.startShare),
        periodS: Number(options.periodS),
        band: Number(options.band),
        rounds: Number(options.rounds),
        types: typeOrder(options, context),
      }),
      ...placementParts({ ...options, clock: 1 }, context),
    });
  },
};
