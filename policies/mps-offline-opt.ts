import { PLACEMENT_OPTIONS, placementParts, typeOrder } from './common-options.ts';
import { compose } from './compose.ts';
import type { PolicyDefinition } from './policy.ts';
import { bestSplit } from './sharing/best-split.ts';
import { maxPerGpuOf, RESIDENT_OPTIONS } from './sharing/mps-options.ts';
import { ShareSplits } from './sharing/share-split.ts';

/** The best MPS split of every GPU by exhaustive search over the whole physics: a bound. */
export const mpsOfflineOptDefinition: PolicyDefinition = {
  name: 'mps-offline-opt',
  title:
    'in order of submission, skipping; jobs of one GPU share it under MPS in the parts that take least energy, found exhaustively',
  source:
    'offline optimum of Han et al., Energy-efficient GPU SM allocation (SIGMETRICS PER 53(2), 2025); abstract only, so what is minimised is assumed: the energy until all have done equal work, as their times alone go',
  faithfulness: 'like',
  checkedBy: 'hand-worked splits; every split of a pair tried; hand-made schedules',
  duration: 'none',
  profile: 'all',
  options: [
    ...RESIDENT_OPTIONS,
    {
      name: 'shareStep',
      default: 0.1,
      min: 0.01,
      max: 1,
      description: 'step of the shares that are tried, one over a whole number',
      source: 'assumed',
    },
    {
      name: 'shares',
      default: 'fixed',
      choices: ['fixed', 'adaptive'],
      description:
        'a job keeps the part that it had with its first company, or all have the best parts at any time, for which those that stay are restarted',
      source: 'assumed; a share cannot change under a running client',
    },
    ...PLACEMENT_OPTIONS,
  ],
  create(options, context) {
    const maxPerGpu = maxPerGpuOf('mps-offline-opt', options);
    const splits = new ShareSplits(context.predictor, Number(options.shareStep));
    if (maxPerGpu > splits.steps) {
      throw new RangeError(
        `policy 'mps-offline-opt': maxPerGpu is ${maxPerGpu}, but shareStep makes ${splits.steps} parts of a gpu`,
      );
    }
    return compose({
      name: 'mps-offline-opt',
      walk: 'fit-first',
      sharing: bestSplit({
        splits,
        maxPerGpu,
        shares: options.shares === 'adaptive' ? 'adaptive' : 'fixed',
        packs: options.fill !== 'spread',
        types: typeOrder(options, context),
      }),
      ...placementParts(options, context),
    });
  },
};
