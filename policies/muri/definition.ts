import type { Information } from '../../sim/view.ts';
import {
  DURATION_OPTION,
  durationInformation,
  PLACEMENT_OPTIONS,
  placementParts,
} from '../common-options.ts';
import { attainedService } from '../order/least-attained.ts';
import type { Order } from '../order/order.ts';
import { smallestRemainingService } from '../order/srsf.ts';
import { consolidated } from '../placement/consolidated.ts';
import type {
  OptionValues,
  Policy,
  PolicyContext,
  PolicyDefinition,
  PolicyOption,
} from '../policy.ts';
import { Muri } from './muri.ts';
import { ProfileRating } from './rating.ts';

const MURI_OPTIONS: readonly PolicyOption[] = [
  {
    name: 'packingNum',
    default: 4,
    min: 1,
    max: 4,
    description: 'largest number of jobs in a group',
    source: 'released default packing_num',
  },
  {
    name: 'intervalS',
    default: 360,
    min: 0,
    max: 86_400,
    description: 'time between two groupings; 0 groups at every arrival and departure',
    source: 'released prototype 360 s; its simulator groups at every event',
  },
  ...PLACEMENT_OPTIONS.filter(({ name }) => name !== 'clock'),
];

const SOURCE =
  'Muri (Zhao et al., SIGCOMM 2022; Rivendile/Muri @4e69a78); stages from the solo profile (host and GPU), jobs whose GPUs stay the same are not restarted';
const CHECKED_BY = 'recorded iteration times of 77 groups; hand-made matchings and schedules';

function create(
  name: string,
  order: Order,
  ages: boolean,
  information: Information,
  options: OptionValues,
  context: PolicyContext,
): Policy {
  const packingNum = Number(options.packingNum);
  if (!Number.isInteger(packingNum)) {
    throw new RangeError(`policy '${name}': packingNum is ${packingNum}, expected a whole number`);
  }
  const { placement = consolidated() } = placementParts({ ...options, clock: 1 }, context);
  return new Muri({
    name,
    information,
    order,
    ages,
    placement,
    rating: new ProfileRating(context.predictor),
    packingNum,
    intervalS: Number(options.intervalS),
  });
}

/** Muri with known durations. */
export const muriShortDefinition: PolicyDefinition = {
  name: 'muri-s',
  title:
    'smallest remaining time x GPUs first, with preemption; groups of up to four jobs that use different resources share GPUs when these are short',
  source: SOURCE,
  faithfulness: 'port',
  checkedBy: CHECKED_BY,
  duration: 'oracle',
  profile: 'solo',
  options: [DURATION_OPTION, ...MURI_OPTIONS],
  create: (options, context) =>
    create(
      'muri-s',
      smallestRemainingService(),
      false,
      durationInformation(options),
      options,
      context,
    ),
};

/** Muri without. */
export const muriLeastDefinition: PolicyDefinition = {
  name: 'muri-l',
  title:
    'least time x GPUs had first, with preemption; groups of up to four jobs that use different resources share GPUs when these are short',
  source: SOURCE,
  faithfulness: 'port',
  checkedBy: CHECKED_BY,
  duration: 'none',
  profile: 'solo',
  options: MURI_OPTIONS,
  create: (options, context) =>
    create(
      'muri-l',
      { name: 'least-attained', readsDuration: false, key: attainedService },
      true,
      { duration: 'none', durationNoise: 0 },
      options,
      context,
    ),
};
