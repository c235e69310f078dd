import type { Resident } from '../sim/gpu/evaluate.ts';
import type { WorkloadProfile } from '../sim/gpu/profile.ts';
import type { PolicyDefinition } from './policy.ts';
import type { Predictor } from './predictor.ts';
import { type Residual, SMALLEST_SHARE, TWO_CLASS_OPTIONS, TwoClass } from './sharing/two-class.ts';

/**
 * The fixed point of the rate control of TGS: the largest share, in hundredths, under which the guaranteed
 * job loses at most a part of its speed; one hundredth where even that takes more.
 */
function largestWithin(predictor: Predictor, loss: number): Residual {
  /** By type, guaranteed and opportunistic workload. */
  const known = predictor.types.map(() => new Map<string, Map<string, number>>());
  return (opportunistic, guaranteed, type) => {
    const ofType = known[type] as Map<string, Map<string, number>>;
    let shares = ofType.get(guaranteed);
    if (shares === undefined) {
      shares = new Map();
      ofType.set(guaranteed, shares);
    }
    let share = shares.get(opportunistic);
    if (share === undefined) {
      share = search(predictor, loss, opportunistic, guaranteed, type);
      shares.set(opportunistic, share);
    }
    return share;
  };
}

function search(
  predictor: Predictor,
  loss: number,
  opportunistic: string,
  guaranteed: string,
  type: number,
): number {
  const resident = (workload: string, share: number): Resident => ({
    profile: predictor.profile(workload, type) as WorkloadProfile,
    share,
  });
  const first = resident(guaranteed, 1);
  const aloneS = predictor.evaluate(type, [first]).stepS[0] as number;
  for (let percent = 100; percent > 1; percent -= 1) {
    const { stepS } = predictor.evaluate(type, [first, resident(opportunistic, percent / 100)]);
    if (aloneS >= (1 - loss) * (stepS[0] as number) * (1 - 1e-9)) return percent / 100;
  }
  return SMALLEST_SHARE;
}

/**
 * TGS at the level of jobs. It differs from AntMan in the residual: found by its effect on the guaranteed
 * job, whose speed is measured all the time, and not from how much of the GPU that one uses alone; and it
 * knows of no utilisation above which a GPU is not shared.
 */
export const tgsDefinition: PolicyDefinition = {
  name: 'tgs',
  title:
    'guaranteed jobs first; opportunistic ones on the least used GPUs with the largest SM share under which a guaranteed one loses 3 % of its speed',
  source:
    'TGS (Wu et al., NSDI 2023), at the point where its rate control settles (pkusys/TGS @e1c6a31); placement as for antman; no memory is over-committed, and a new share restarts a client',
  faithfulness: 'like',
  checkedBy: 'hand-made schedules',
  duration: 'none',
  profile: 'pairs',
  options: [
    {
      name: 'maxLoss',
      default: 0.03,
      min: 0,
      max: 0.99,
      description: 'part of its speed that a guaranteed job may lose',
      source: 'released threshold 0.03',
    },
    {
      name: 'maxUtilisation',
      default: 1,
      min: 0,
      max: 1,
      description: 'largest utilisation of a GPU that an opportunistic job may join',
      source: 'TGS has no such limit',
    },
    ...TWO_CLASS_OPTIONS,
  ],
  create: (options, context) =>
    new TwoClass(
      {
        name: 'tgs',
        maxUtilisation: Number(options.maxUtilisation),
        residual: largestWithin(context.predictor, Number(options.maxLoss)),
      },
      options,
      context,
    ),
};
