import type { View } from '../../sim/view.ts';
import { compose } from '../compose.ts';
import type { Policy, PolicyContext, PolicyDefinition, PolicyOption } from '../policy.ts';
import { type TypicalTask, typicalTasks } from './fragmentation.ts';
import type { ShareTask } from './node.ts';
import { NodePlacer, placerParts } from './placer.ts';
import { weighted, withAddedPower } from './power.ts';
import {
  bestFitScore,
  clusteringScore,
  dotProductScore,
  fgdScore,
  type NodeScore,
  packingScore,
  randomScore,
} from './scores.ts';

const MODE: PolicyOption = {
  name: 'mode',
  default: 'mps',
  choices: ['mps', 'time-slice'],
  description: 'how jobs share a GPU',
  source: 'assumed',
};
const POPULARITY: PolicyOption = {
  name: 'popularity',
  default: 0.95,
  min: 0.01,
  max: 1,
  description:
    'part of the jobs seen so far that the typical tasks cover, by which fragmentation is measured',
  source: 'published experiments 0.95, released default 0.6; the workload is not known in advance',
};

const POWER_WEIGHT: PolicyOption = {
  name: 'powerWeight',
  default: 0.1,
  min: 0,
  max: 1,
  description: 'weight of the added power; the rest is that of fragmentation',
  source: 'published 0.5, 0.2, 0.1 and 0.05',
};

interface Rule {
  readonly name: string;
  readonly title: string;
  readonly released: string;
  readonly options?: readonly PolicyOption[];
  readonly create: (context: PolicyContext, settings: RuleSettings) => Policy;
}

interface RuleSettings {
  readonly mode: 'mps' | 'time-slice';
  readonly popularity: number;
  readonly powerWeight: number;
}

function policyOf(name: string, placer: NodePlacer, mode: 'mps' | 'time-slice'): Policy {
  return compose({ name, walk: 'fit-first', ...placerParts(placer, mode) });
}

function definitionOf({ name, title, released, options = [], create }: Rule): PolicyDefinition {
  return {
    name,
    title: `in order of submission, skipping; ${title}`,
    source: `FGD (Weng et al., ATC 2023), ${released} of its simulator; without CPU and host memory`,
    faithfulness: 'port',
    checkedBy: 'recorded placements of the FGD simulator (heshare peers fgd); hand-made schedules',
    duration: 'none',
    profile: 'none',
    options: [MODE, ...options],
    create: (given, context) =>
      create(context, {
        mode: given.mode === 'time-slice' ? 'time-slice' : 'mps',
        popularity: Number(given.popularity ?? 1),
        powerWeight: Number(given.powerWeight ?? 0),
      }),
  };
}

/** A rule that scores nodes by their state alone. */
function scored(name: string, title: string, released: string, score: NodeScore): PolicyDefinition {
  return definitionOf({
    name,
    title,
    released,
    create: (_context, { mode }) => policyOf(name, new NodePlacer(score), mode),
  });
}

export const bestFitDefinition = scored(
  'best-fit',
  'each job goes to the node with least left that it fits, there to the fullest GPU',
  'BestFitScore',
  bestFitScore,
);
export const dotProductDefinition = scored(
  'dot-product',
  'each job goes to the node whose rest is least like its request (least dot product)',
  'DotProductScore',
  dotProductScore,
);
export const gpuPackingDefinition = scored(
  'gpu-packing',
  'each job goes to GPUs in use first, then to idle GPUs of nodes in use, then to idle nodes',
  'GpuPackingScore',
  packingScore,
);
export const gpuClusteringDefinition = scored(
  'gpu-clustering',
  'jobs that ask for the same part or number of GPUs are kept together',
  'GpuClusteringScore',
  clusteringScore,
);
export const randomFitDefinition = definitionOf({
  name: 'random-fit',
  title: 'each job goes to a node at random that it fits',
  released: 'RandomScore',
  create: (context, { mode }) =>
    policyOf('random-fit', new NodePlacer(randomScore(context.random), false), mode),
});

/** The placer of FGD, whose typical tasks are counted anew whenever the jobs seen have doubled. */
function learningPolicy(
  name: string,
  mode: 'mps' | 'time-slice',
  popularity: number,
  placerOf: (typical: () => readonly TypicalTask[]) => NodePlacer,
): Policy {
  let typical: readonly TypicalTask[] = [];
  const placer = placerOf(() => typical);
  const policy = policyOf(name, placer, mode);
  const seen: ShareTask[] = [];
  let known = 0;
  function learn(view: View): void {
    for (const job of view.entered) {
      if (job.preemptions === 0 && job.attainedS === 0) seen.push(placer.task(view.cluster, job));
    }
    if (seen.length < 2 * known || seen.length === 0) return;
    known = seen.length;
    typical = typicalTasks(seen, popularity);
    placer.forget();
  }
  return {
    ...policy,
    decide(view) {
      if (view.entered.length > 0) learn(view);
      return policy.decide(view);
    },
  };
}

export const fgdDefinition = definitionOf({
  name: 'fgd',
  title: 'each job goes where the expected fragmentation of GPUs grows least',
  released: 'FGDScore',
  options: [POPULARITY],
  create: (_context, { mode, popularity }) =>
    learningPolicy('fgd', mode, popularity, (typical) => new NodePlacer(fgdScore(typical))),
});

export const pwrDefinition: PolicyDefinition = {
  ...definitionOf({
    name: 'pwr',
    title:
      'each job goes where it opens the fewest watts of idle GPUs, weighed against fragmentation',
    released: '',
    options: [POPULARITY, POWER_WEIGHT],
    create: (context, { mode, popularity, powerWeight }) =>
      learningPolicy('pwr', mode, popularity, (typical) => {
        const watts = new Map(
          context.profiles.gpuTypes.map(({ name, idlePowerW, powerLimitW }) => [
            name,
            { idleW: idlePowerW, fullW: powerLimitW.default },
          ]),
        );
        const score = withAddedPower(
          fgdScore(typical),
          (model) => watts.get(model) ?? { idleW: 0, fullW: 0 },
        );
        return new NodePlacer(score, true, weighted(powerWeight));
      }),
  }),
  source:
    'PWR (CCGrid 2025; Fr4nz83/PWR-plugin-kubernetes @3bfd53f) with FGD, without the power of CPU sockets',
  checkedBy: 'hand-made schedules',
};
