import { PLACEMENT_OPTIONS, placementParts, typeOrder } from '../common-options.ts';
import { compose } from '../compose.ts';
import type { PolicyDefinition } from '../policy.ts';
import { SLO_OPTION, Tenants } from '../sharing/tenants.ts';
import { igniterSharing, largestLeastShare } from './igniter.ts';
import { Provisioner } from './provision.ts';

/** Shares that keep objectives, after iGniter. */
export const igniterDefinition: PolicyDefinition = {
  name: 'igniter',
  title:
    'largest least share first, skipping; a job joins the GPU where the shares that keep all objectives grow least, each raised unit by unit from the least that suffices alone',
  source:
    'iGniter (Xu et al., IEEE TPDS 2023, arXiv 2211.01713), algorithms 1 and 2; icloud-ecnu/igniter @b1ff2ab. Its latency model is the predictor here; jobs have no request rate, so that there is no batch to choose and no half of the objective to keep for queueing; jobs come one after the other',
  faithfulness: 'like',
  checkedBy:
    'hand-made schedules; on its own latency model, the example of its documentation and the plans of its provisioning',
  duration: 'none',
  profile: 'all',
  options: [
    SLO_OPTION,
    {
      name: 'unit',
      default: 0.025,
      min: 0.01,
      max: 1,
      description: 'unit of the shares, one over a whole number',
      source: 'iGniter: 2.5 % of the SMs of a V100; released setting',
    },
    {
      name: 'adjust',
      default: 'restart',
      choices: ['restart', 'start-only'],
      description:
        'whose shares are raised when a job joins: those of all that would be late, for which they are restarted, or its own alone, so that it joins nobody who would be',
      source:
        'iGniter algorithm 2 raises all; it decides before anything is deployed, and start-only keeps to what a running client allows',
    },
    ...PLACEMENT_OPTIONS.filter(({ name }) => name !== 'clock'),
  ],
  create(options, context) {
    const { predictor } = context;
    const unit = Number(options.unit);
    const wholeUnits = Math.round(1 / unit);
    if (Math.abs(wholeUnits * unit - 1) > 1e-9) {
      throw new RangeError(
        `policy 'igniter': option 'unit' is ${unit}, expected one over a whole number`,
      );
    }
    const restarts = options.adjust === 'restart';
    const tenants = new Tenants(Number(options.slo));
    const provisioner = new Provisioner({ predictor, wholeUnits, raisesMembers: restarts });
    const rule = { tenants, provisioner, wholeUnits, restarts };
    return compose({
      name: 'igniter',
      walk: 'fit-first',
      order: largestLeastShare(rule, typeOrder(options, context)),
      sharing: igniterSharing(rule),
      ...placementParts({ ...options, clock: 1 }, context),
    });
  },
};
