import { capPoints, cheapest, perWorkload, type SoloPoint } from '../clocks/solo-points.ts';
import type { PolicyDefinition } from '../policy.ts';
import { EXCLUSIVE_OPTIONS, exclusivePolicy } from './exclusive.ts';

/**
 * Zeus (NSDI 2023, equation 2): the power limit p of least `(eta P(p) + (1 - eta) MAXPOWER) / throughput(p)`
 * for each workload on each GPU type, of limits 25 W apart. Batch sizes are part of the workload and stay.
 */
export const zeusDefinition: PolicyDefinition = {
  name: 'zeus',
  title: 'whole GPUs; each job at the power limit that weighs its energy against its time',
  source: 'Zeus (You et al., NSDI 2023), power limits only; SymbioticLab/Zeus @3df2fc4',
  faithfulness: 'port',
  checkedBy: 'hand-made schedules',
  duration: 'oracle',
  profile: 'solo',
  options: [
    {
      name: 'eta',
      default: 0.5,
      min: 0,
      max: 1,
      description: 'weight of energy against time: 1 saves energy, 0 runs at full power',
      source: 'Zeus section 3.2; released default 0.5',
    },
    {
      name: 'selector',
      default: 'cost',
      choices: ['cost', 'max-slowdown'],
      description: 'least cost, or the lowest limit within maxSlowdown of the best time',
      source: 'Zeus; MaxSlowdownConstraint of its later releases',
    },
    {
      name: 'maxSlowdown',
      default: 1.1,
      min: 1,
      max: 100,
      description: 'for selector max-slowdown: largest time over the best',
      source: 'assumed',
    },
    {
      name: 'stepW',
      default: 25,
      min: 1,
      max: 1000,
      description: 'distance of the limits that are profiled, from the highest down, in watts',
      source: 'Zeus section 5',
    },
    ...EXCLUSIVE_OPTIONS,
  ],
  create(options, context) {
    const { predictor } = context;
    const eta = Number(options.eta);
    const clocks = perWorkload('zeus', (workload, type) => {
      const points = capPoints(predictor, workload, type, Number(options.stepW));
      if (options.selector === 'max-slowdown') {
        return lowestWithin(points, Number(options.maxSlowdown));
      }
      const maxPowerW = predictor.types[type]?.powerLimitW.max ?? 0;
      return cheapest(
        points,
        ({ powerW, stepS }) => (eta * powerW + (1 - eta) * maxPowerW) * stepS,
      );
    });
    return exclusivePolicy('zeus', options, context, clocks);
  },
};

/** The lowest limit whose time is at most `factor` of the best. */
function lowestWithin(points: readonly SoloPoint[], factor: number): SoloPoint | null {
  const best = Math.min(...points.map(({ stepS }) => stepS));
  const allowed = points.filter(({ stepS }) => stepS <= best * factor);
  return cheapest(allowed, ({ powerCapW }) => powerCapW);
}
