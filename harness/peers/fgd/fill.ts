import {
  NodeChooser,
  nodeScores,
  occupy,
  type ShareNode,
  typicalTasks,
} from '../../../policies/fgd/index.ts';
import type { RandomSource } from '../../../sim/random.ts';
import type { Pod } from './inputs.ts';

type NodeScore = nodeScores.NodeScore;

/** Rules by the names of the released simulator; `keeps` says whether an unchanged node keeps its score. */
export const RULES: Readonly<
  Record<string, { readonly keeps: boolean; readonly score: (made: ScoreParts) => NodeScore }>
> = {
  FGD: {
    keeps: true,
    score({ pods, popularity }) {
      const typical = typicalTasks(
        pods.map(({ task }) => task),
        popularity,
      );
      return nodeScores.fgdScore(() => typical);
    },
  },
  BestFit: { keeps: true, score: () => nodeScores.bestFitScore },
  DotProd: { keeps: true, score: () => nodeScores.dotProductScore },
  GpuPacking: { keeps: true, score: () => nodeScores.packingScore },
  GpuClustering: { keeps: true, score: () => nodeScores.clusteringScore },
  Random: { keeps: false, score: ({ random }) => nodeScores.randomScore(random) },
};

interface ScoreParts {
  readonly pods: readonly Pod[];
  readonly popularity: number;
  readonly random: RandomSource;
}

/** Where a pod went; null for one that found no place and is gone. */
export interface PodPlacement {
  readonly pod: Pod;
  readonly node: string | null;
  readonly gpus: readonly number[];
}

/** A cluster filled pod by pod. */
export interface Filled {
  readonly placements: readonly PodPlacement[];
  /** Part of the GPUs allocated when the pods that had arrived asked for this part of them. */
  allocatedAt(arrived: number): number;
}

/**
 * Pods arrive one by one and never leave; one that fits nowhere is dropped (FGD, section 6.2: no times,
 * arrivals until they ask for more than the cluster has).
 */
export function fill(rule: string, nodes: readonly ShareNode[], parts: ScoreParts): Filled {
  const { keeps, score } = RULES[rule] as (typeof RULES)[string];
  const chooser = new NodeChooser(nodes, score(parts));
  const capacity = capacityMilli(nodes);
  const placements: PodPlacement[] = [];
  /** After each pod, in parts of the GPUs: asked for so far, and allocated. */
  const curve: { readonly arrived: number; readonly allocated: number }[] = [];
  let arrived = 0;
  let allocated = 0;
  for (const pod of parts.pods) {
    if (!keeps) chooser.forget();
    const choice = chooser.choose(pod.task);
    const milli = pod.task.gpuCount * pod.task.gpuMilli;
    arrived += milli;
    if (choice === null) {
      placements.push({ pod, node: null, gpus: [] });
    } else {
      const node = nodes[choice.node] as ShareNode;
      occupy(node, pod.task, choice.gpus);
      chooser.changed(choice.node);
      allocated += milli;
      placements.push({ pod, node: node.name, gpus: choice.gpus });
    }
    curve.push({ arrived: arrived / capacity, allocated: allocated / capacity });
  }
  return {
    placements,
    allocatedAt: (wanted) =>
      (curve.find((point) => point.arrived >= wanted) ?? curve.at(-1))?.allocated ?? 0,
  };
}

/** Thousandths of GPUs that empty nodes have. */
export function capacityMilli(nodes: readonly ShareNode[]): number {
  return nodes.reduce((sum, { gpuLeftMilli }) => sum + 1000 * gpuLeftMilli.length, 0);
}
