import type { OptionValues, PolicyOption } from '../policy.ts';

/** The options of HeShare, typed. Meaning, defaults and sources: {@link HESHARE_OPTIONS}. */
export interface HeshareOptions {
  readonly energyWeight: number;
  readonly maxSlowdown: number;
  readonly maxPerGpu: number;
  readonly shareStep: number;
  readonly oversubscription: number;
  readonly unlimited: boolean;
  readonly powerCap: number;
  readonly minGain: number;
  readonly order: 'fifo' | 'sjf';
  readonly window: number;
  readonly patience: number;
  readonly boundStep: number;
  readonly durationNoise: number;
  readonly mps: boolean;
  readonly dvfs: boolean;
  readonly sched: boolean;
}

const ABSTRACT = 'HeShare abstract (the mechanism)';

/**
 * Every value that the abstract of the paper does not state, which is all of them, by name. The
 * three switches at the end are the ablations.
 */
export const HESHARE_OPTIONS: readonly PolicyOption[] = [
  {
    name: 'energyWeight',
    default: 0.5,
    min: 0,
    max: 1,
    description: 'weight of energy against time, at both levels; 1 is energy alone',
    source: 'assumed',
  },
  {
    name: 'maxSlowdown',
    default: 1.5,
    min: 1,
    max: 100,
    description:
      'largest run slowdown against running alone at full clock on the same gpu; a stricter bound of the job wins',
    source: 'assumed',
  },
  {
    name: 'maxPerGpu',
    default: 3,
    min: 1,
    max: 8,
    description: 'most jobs on one gpu; the mps client limit of the type holds besides',
    source: 'assumed',
  },
  {
    name: 'shareStep',
    default: 0.1,
    min: 0.01,
    max: 1,
    description: 'grid of the mps shares; 1 is a whole number of steps',
    source: 'assumed',
  },
  {
    name: 'oversubscription',
    default: 1,
    min: 1,
    max: 8,
    description: 'most that the shares on one gpu may sum to',
    source: 'assumed',
  },
  {
    name: 'unlimited',
    default: true,
    description: 'whether all residents at 100 % each (mps without limits) is a candidate too',
    source: 'assumed; the default of mps itself',
  },
  {
    name: 'powerCap',
    default: 1,
    min: 0.1,
    max: 1,
    description: 'power cap of every gpu as a part of its default limit, within its range',
    source: 'assumed',
  },
  {
    name: 'minGain',
    default: 0.03,
    min: 0,
    max: 1,
    description: 'gain of the per-gpu objective below which shares stay as they are',
    source: 'assumed',
  },
  {
    name: 'order',
    default: 'fifo',
    choices: ['fifo', 'sjf'],
    description:
      'order in which waiting jobs are placed: by submission, or shortest estimate first',
    source: 'assumed',
  },
  {
    name: 'window',
    default: 64,
    min: 1,
    max: 1_000_000,
    description: 'kinds of waiting jobs that are tried at one instant before the rest waits',
    source: 'assumed',
  },
  {
    name: 'patience',
    default: 0,
    min: 0,
    max: 1000,
    description:
      'a job waits while its best placement scores more than this many times its best on an idle cluster; 0 never waits',
    source: 'assumed',
  },
  {
    name: 'boundStep',
    default: 0.05,
    min: 0.001,
    max: 1,
    description:
      'slowdown bounds are rounded down to this grid (twice as wide from 2 on, and so forth)',
    source: 'assumed',
  },
  {
    name: 'durationNoise',
    default: 0.3,
    min: 0,
    max: 5,
    description: 'standard deviation of the logarithm of the error of duration estimates',
    source: 'assumed',
  },
  {
    name: 'mps',
    default: true,
    description: 'co-location under mps; without it every job is alone on its gpus',
    source: ABSTRACT,
  },
  {
    name: 'dvfs',
    default: true,
    description: 'core clocks are chosen; without it every gpu runs at its reference clock',
    source: ABSTRACT,
  },
  {
    name: 'sched',
    default: true,
    description: 'energy-aware allocation; without it the first gpu that fits is taken',
    source: ABSTRACT,
  },
];

/** Typed options from checked values. @throws {RangeError} on a number that should be whole */
export function heshareOptions(values: OptionValues): HeshareOptions {
  const options = values as unknown as HeshareOptions;
  for (const name of ['maxPerGpu', 'window'] as const) {
    if (!Number.isInteger(options[name])) {
      throw new RangeError(`${name} is ${options[name]}, expected a whole number`);
    }
  }
  const steps = 1 / options.shareStep;
  if (Math.abs(steps - Math.round(steps)) > 1e-9) {
    throw new RangeError(`shareStep is ${options.shareStep}, expected 1 divided by a whole number`);
  }
  return options;
}
