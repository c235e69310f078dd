import { clockPoints, perWorkload, type SoloPoint } from '../clocks/solo-points.ts';
import type { PolicyDefinition, PolicyOption } from '../policy.ts';
import {
  CLOCK_OBJECTIVES,
  type ClockObjective,
  clockFor,
  interpolated,
} from './clock-objective.ts';
import { EXCLUSIVE_OPTIONS, exclusivePolicy } from './exclusive.ts';

const OPTIONS: readonly PolicyOption[] = [
  {
    name: 'objective',
    default: 'energy',
    choices: CLOCK_OBJECTIVES,
    description:
      'energy: least E T^2 within the time that may be lost; edp: E T; ed2p: E T^2; performance: least time with that part of the energy saved',
    source: 'GPOEO section 3.1 and released code',
  },
  {
    name: 'threshold',
    default: 0.05,
    min: 0,
    max: 1,
    description: 'part of the time that may be lost, or of the energy that must be saved',
    source: 'GPOEO section 5; the release uses 0.045 inside for this target',
  },
];

function definition(
  name: string,
  title: string,
  source: string,
  options: readonly PolicyOption[],
  known: (points: readonly SoloPoint[], samples: number) => readonly SoloPoint[],
): PolicyDefinition {
  return {
    name,
    title,
    source,
    faithfulness: 'like',
    checkedBy: 'hand-made schedules',
    duration: 'oracle',
    profile: 'solo',
    options: [...options, ...EXCLUSIVE_OPTIONS],
    create(given, context) {
      const objective = given.objective as ClockObjective;
      const clocks = perWorkload(name, (workload, type) => {
        const points = clockPoints(context.predictor, workload, type);
        return clockFor(known(points, Number(given.samples)), objective, Number(given.threshold));
      });
      return exclusivePolicy(name, given, context, clocks);
    },
  };
}

/** GPOEO: predicts energy and time at each clock, then refines by measuring: the predicted optimum here. */
export const gpoeoDefinition = definition(
  'gpoeo',
  'whole GPUs; each job at the clock of least E T^2 that loses at most 5 % of its time',
  'GPOEO (Wang et al., TPDS 2022); counters and period detection are replaced by the profile',
  OPTIONS,
  (points) => points,
);

/** ODPP: the same from a few measured clocks, with lines between them. */
export const odppDefinition = definition(
  'odpp',
  'as gpoeo, from a few sampled clocks with straight lines between them',
  'ODPP (Zou et al., CCGrid 2020), without its correction by a neural network',
  [
    ...OPTIONS,
    {
      name: 'samples',
      default: 5,
      min: 2,
      max: 1000,
      description: 'clocks that are sampled, evenly spaced',
      source: 'assumed',
    },
  ],
  interpolated,
);
