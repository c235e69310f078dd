import type { Rescore } from './chooser.ts';
import { type ShareNode, WHOLE_MILLI } from './node.ts';
import type { Candidate, NodeScore } from './scores.ts';

/** Watts of a GPU that nobody uses, and of one in use, however little. */
export interface GpuWatts {
  readonly idleW: number;
  readonly fullW: number;
}

/**
 * The scores of another rule, with the watts that a node would draw more: a GPU in use counts in full, so
 * what matters is how many idle GPUs are opened, and of which model (PWR, CCGrid 2025). Where the other
 * rule takes one of several GPUs, its choice stands unless it opens a GPU that need not be opened.
 */
export function withAddedPower(score: NodeScore, watts: (model: string) => GpuWatts): NodeScore {
  return (node, task) => {
    const candidate = score(node, task);
    const gpus =
      task.gpuCount === 1 ? openedOnlyIfNeeded(node, task.gpuMilli, candidate) : candidate.gpus;
    const { idleW, fullW } = watts(node.model);
    const opened = gpus.filter((gpu) => isIdle(node, gpu)).length;
    return { score: candidate.score, gpus, addedW: opened * (fullW - idleW) };
  };
}

function isIdle(node: ShareNode, gpu: number): boolean {
  return node.gpuLeftMilli[gpu] === WHOLE_MILLI;
}

function openedOnlyIfNeeded(
  node: ShareNode,
  gpuMilli: number,
  { gpus }: Candidate,
): readonly number[] {
  const [chosen] = gpus;
  if (chosen === undefined || !isIdle(node, chosen)) return gpus;
  const used = node.gpuLeftMilli.findIndex((left) => left >= gpuMilli && left < WHOLE_MILLI);
  return used < 0 ? gpus : [used];
}

/**
 * Added power, normalised over the nodes to 0 (most) .. 100 (least; 100 for all when equal), and the other
 * rule's score, in these proportions.
 */
export function weighted(powerWeight: number): Rescore {
  return (candidates) => {
    const added = candidates.map(({ addedW = 0 }) => addedW);
    const least = Math.min(...added);
    const range = Math.max(...added) - least;
    return candidates.map(({ score }, i) => {
      const saved = range === 0 ? 100 : 100 * (1 - ((added[i] as number) - least) / range);
      return powerWeight * saved + (1 - powerWeight) * score;
    });
  };
}
