import type { RandomSource } from '../../sim/random.ts';
import { fragmentation, type TypicalTask } from './fragmentation.ts';
import {
  fullestGpus,
  hasRoom,
  isPart,
  type ShareNode,
  type ShareTask,
  taskClass,
  totalLeftMilli,
  WHOLE_MILLI,
} from './node.ts';

/** Where a task would go on a node, and how good that is: more is better. */
export interface Candidate {
  readonly score: number;
  readonly gpus: readonly number[];
  /** Watts that the node would draw more, where the rule asks. */
  readonly addedW?: number;
}

/** Judges a node that the task fits. Pure: the node is as before when it returns. */
export type NodeScore = (node: ShareNode, task: ShareTask) => Candidate;

/** Sizes that the released rules normalise CPU and GPU by. */
const NODE_CPU_MILLI = 128_000;
const NODE_GPU_MILLI = 8_000;

/** The parts of the largest node that a node has left and a task asks for. */
function relative(node: ShareNode, task: ShareTask) {
  return {
    cpuLeft: node.cpuLeftMilli / NODE_CPU_MILLI,
    cpuAsked: task.cpuMilli / NODE_CPU_MILLI,
    gpuLeft: totalLeftMilli(node) / NODE_GPU_MILLI,
    gpuAsked: (task.gpuCount * task.gpuMilli) / NODE_GPU_MILLI,
  };
}

/** Best fit: the node with least left, CPU and GPU weighing alike (`BestFitScore`). */
export const bestFitScore: NodeScore = (node, task) => {
  const { cpuLeft, cpuAsked, gpuLeft, gpuAsked } = relative(node, task);
  const score = Math.trunc(100 * (1 - 0.5 * (cpuLeft - cpuAsked) - 0.5 * (gpuLeft - gpuAsked)));
  return { score, gpus: fullestGpus(node, task) };
};

/** The node whose rest is least like the request (`DotProductScore`, merged dimensions, norm max). */
export const dotProductScore: NodeScore = (node, task) => {
  const { cpuLeft, cpuAsked, gpuLeft, gpuAsked } = relative(node, task);
  const score = Math.trunc(100 * (1 - (cpuLeft * cpuAsked + gpuLeft * gpuAsked) / 2));
  return { score, gpus: fullestGpus(node, task) };
};

/**
 * Packing (`GpuPackingScore`): GPUs in use first, the fuller the better (50 to 100); then idle GPUs of a
 * node in use, the fewer the better (33 to 50); then idle nodes, the smaller the better (to 33).
 */
export const packingScore: NodeScore = (node, task) => {
  const gpus = fullestGpus(node, task);
  if (task.gpuCount === 0) return { score: 0, gpus };
  const left = (gpu: number) => node.gpuLeftMilli[gpu] as number;
  const idle = node.gpuLeftMilli.filter((milli) => milli === WHOLE_MILLI).length;
  if (idle === node.gpuLeftMilli.length) return { score: Math.max(33 - idle, idle), gpus };
  const opened = gpus.filter((gpu) => left(gpu) === WHOLE_MILLI).length;
  if (opened > 0) return { score: Math.max(50 - opened, 33), gpus };
  const leftPercent = gpus.reduce((sum, gpu) => sum + Math.trunc(left(gpu) / 10), 0);
  return { score: Math.max(100 - Math.trunc(leftPercent / 10), 50), gpus };
};

/**
 * Clustering (`GpuClusteringScore`): tasks of one class (parts, or so many GPUs) stay together, on nodes
 * with more in use first.
 */
export const clusteringScore: NodeScore = (node, task) => {
  const gpus = fullestGpus(node, task);
  const mine = taskClass(task);
  if (mine === null) return { score: 0, gpus };
  const used = Math.floor((25 * (NODE_GPU_MILLI - totalLeftMilli(node))) / NODE_GPU_MILLI);
  if (node.classes.size === 0) return { score: used + 25, gpus };
  if (!node.classes.has(mine)) return { score: used, gpus };
  return { score: used + (node.classes.size === 1 ? 75 : 50), gpus };
};

/**
 * Fragmentation gradient descent (FGD, Algorithm 1; `FGDScore`): the node, and for a part of a GPU the
 * GPU, where fragmentation grows least.
 */
export function fgdScore(typical: () => readonly TypicalTask[]): NodeScore {
  return (node, task) => {
    const before = fragmentation(node, typical());
    if (!isPart(task)) {
      const gpus = fullestGpus(node, task);
      return { score: fgdGain(before - after(node, task, gpus, typical())), gpus };
    }
    let score = -1;
    let best = -1;
    for (let gpu = 0; gpu < node.gpuLeftMilli.length; gpu += 1) {
      if (!hasRoom(node, gpu, task)) continue;
      const here = fgdGain(before - after(node, task, [gpu], typical()));
      if (here <= score) continue;
      score = here;
      best = gpu;
    }
    return { score, gpus: [best] };
  };
}

/** A node at random among those it fits (`RandomScore`), and GPUs of it at random. Ties do not matter. */
export function randomScore(random: RandomSource): NodeScore {
  return (node, task) => {
    const withRoom: number[] = [];
    for (let gpu = 0; gpu < node.gpuLeftMilli.length; gpu += 1) {
      if (hasRoom(node, gpu, task)) withRoom.push(gpu);
    }
    const gpus: number[] = [];
    for (let i = 0; i < task.gpuCount; i += 1) {
      gpus.push(...withRoom.splice(Math.floor(random() * withRoom.length), 1));
    }
    return { score: random(), gpus: gpus.sort((a, b) => a - b) };
  };
}

/** 0 to 100, rounded down as released: a logistic curve of the GPUs of fragmentation that go. */
function fgdGain(lessMilli: number): number {
  return Math.trunc(100 / (1 + Math.exp(-lessMilli / WHOLE_MILLI)));
}

/** Fragmentation with the task on the node; the node is put back. */
function after(
  node: ShareNode,
  task: ShareTask,
  gpus: readonly number[],
  typical: readonly TypicalTask[],
): number {
  const { gpuLeftMilli } = node;
  node.cpuLeftMilli -= task.cpuMilli;
  for (const gpu of gpus) gpuLeftMilli[gpu] = (gpuLeftMilli[gpu] as number) - task.gpuMilli;
  const result = fragmentation(node, typical);
  node.cpuLeftMilli += task.cpuMilli;
  for (const gpu of gpus) gpuLeftMilli[gpu] = (gpuLeftMilli[gpu] as number) + task.gpuMilli;
  return result;
}
