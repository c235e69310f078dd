import { DURATION_OPTION, durationInformation } from '../common-options.ts';
import { loadSolver } from '../lp/index.ts';
import type {
  OptionValues,
  Policy,
  PolicyContext,
  PolicyDefinition,
  PolicyOption,
} from '../policy.ts';

import { ROUND_OPTIONS, RoundPolicy, roundOptions } from '../rounds/index.ts';
import { GavelAllocator, OBJECTIVES, type Objective, readsDuration } from './allocator.ts';
import { Rates } from './rates.ts';

const SHARING_OPTIONS: readonly PolicyOption[] = [
  {
    name: 'spaceSharing',
    default: false,
    description:
      'lets two jobs with one gang size share their GPUs under MPS, each without a limit',
    source: 'OSDI 2020, section 3.1; released code: *_packed',
  },
  {
    name: 'pairs',
    default: 2000,
    min: 1,
    max: 1e6,
    description:
      'most pairs of jobs that a program looks at with spaceSharing, those that gain most',
    source: 'assumed; the released code looks at all',
  },
];

function gavelPolicy(
  name: string,
  objective: Objective,
  options: OptionValues,
  { predictor }: PolicyContext,
): Policy {
  const spaceSharing = options.spaceSharing === true;
  const allocator = new GavelAllocator({
    objective,
    rates: new Rates(predictor),
    mostPairs: spaceSharing ? Number(options.pairs) : 0,
    makespan: options.makespan === 'released' ? 'released' : 'exact',
    fairShare: Number(options.fairShare ?? 0),
  });
  const information = readsDuration(objective)
    ? durationInformation(options)
    : { duration: 'none' as const, durationNoise: 0 };
  return new RoundPolicy({ name, information, allocator, spaceSharing, ...roundOptions(options) });
}

/** Gavel with one of its objectives. */
export const gavelDefinition: PolicyDefinition = {
  name: 'gavel',
  title: 'shares of time on each type by a linear program, made into rounds',
  source:
    'Narayanan et al., Heterogeneity-Aware Cluster Scheduling Policies for Deep Learning Workloads, OSDI 2020; stanford-futuredata/gavel',
  faithfulness: 'port',
  checkedBy:
    'recorded objectives of its programs; its own clock replayed: recorded runs, most of them to the last digit; a hand-worked allocation',
  duration: 'oracle',
  profile: 'pairs',
  options: [
    {
      name: 'objective',
      default: 'max-min',
      choices: OBJECTIVES,
      description:
        'what the shares are best at: least throughput (max-min, or max-min-agnostic that takes all types for equal), finish-time fairness, makespan, summed throughput, or summed work per joule (energy-cost)',
      source: 'OSDI 2020, section 4; energy-cost is its cost policy with watts for prices',
    },
    ...SHARING_OPTIONS,
    ...ROUND_OPTIONS,
    {
      name: 'makespan',
      default: 'exact',
      choices: ['exact', 'released'],
      description: 'for makespan: the least one, or one within 5 % of it by bisection',
      source: 'assumed; released: min_total_duration.py',
    },
    {
      name: 'fairShare',
      default: 0,
      min: 0,
      max: 1,
      description: 'for energy-cost: part of its max-min fair throughput that every job keeps',
      source: 'assumed; the released cost policy has floors of its own kind (SLOs)',
    },
    DURATION_OPTION,
  ],
  prepare: loadSolver,
  create: (options, context) =>
    gavelPolicy('gavel', options.objective as Objective, options, context),
};

/** Themis as Gavel's authors model it. */
export const themisDefinition: PolicyDefinition = {
  name: 'themis',
  title: 'finish-time fairness: the largest ratio of the time shared to the time alone is least',
  source:
    "Mahajan et al., Themis, NSDI 2020, by the program of Gavel's finish_time_fairness.py (no code of its own is public)",
  faithfulness: 'like',
  checkedBy:
    'recorded objectives of that program and recorded runs within 10 %; a hand-made schedule',
  duration: 'oracle',
  profile: 'pairs',
  options: [...SHARING_OPTIONS, ...ROUND_OPTIONS, DURATION_OPTION],
  prepare: loadSolver,
  create: (options, context) => gavelPolicy('themis', 'finish-time-fairness', options, context),
};
