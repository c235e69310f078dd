import { roundHalfEven } from '../../../policies/rounding.ts';
import { isNodeCounts, nodeCounts } from '../node-counts.ts';
import type { PaiJob } from './inputs.ts';

/** A node as a pool of CPUs and GPUs, in percent of one; it knows no single GPU. */
export interface PoolNode {
  readonly id: number;
  readonly gpuType: string;
  readonly gpuPercent: number;
  readonly cpuPercent: number;
  idleGpuPercent: number;
  idleCpuPercent: number;
}

/** CPUs of a node, and per GPU of the one big node (run_simulator.py). */
const NODE_CPUS = 96;
const CPUS_PER_GPU = 23.22;

/** Its heterogeneous cluster: nodes, GPUs, CPUs and type, in order (simulator.py). */
const HETERO: readonly (readonly [nodes: number, gpus: number, cpus: number, type: string])[] = [
  [16, 0, 96, 'CPU'],
  [56, 8, 96, 'MISC'],
  [100, 2, 96, 'T4'],
  [160, 2, 64, 'P100'],
  [48, 8, 96, 'V100'],
];

function nodeOf(id: number, gpus: number, cpus: number, gpuType: string): PoolNode {
  const [gpuPercent, cpuPercent] = [100 * gpus, 100 * cpus];
  return {
    id,
    gpuType,
    gpuPercent,
    cpuPercent,
    idleGpuPercent: gpuPercent,
    idleCpuPercent: cpuPercent,
  };
}

/** The nodes that a word stands for: `hetero`, or `NODESxGPUS`; one node is number 1, others begin at 0. */
export function poolOf(word: string): PoolNode[] {
  if (word === 'hetero') {
    return HETERO.flatMap(([nodes, gpus, cpus, type]) =>
      Array.from({ length: nodes }, () => [gpus, cpus, type] as const),
    ).map(([gpus, cpus, type], id) => nodeOf(id, gpus, cpus, type));
  }
  const { nodes, gpusPerNode } = nodeCounts(isNodeCounts(word) ? word : word.trim(), 'hetero');
  if (nodes === 1) return [nodeOf(1, gpusPerNode, roundHalfEven(CPUS_PER_GPU * gpusPerNode), '')];
  return Array.from({ length: nodes }, (_, id) => nodeOf(id, gpusPerNode, NODE_CPUS, ''));
}

/** Mean of the used parts of GPUs and CPUs, in whole percent. */
function utilisation(node: PoolNode): number {
  const cpus = 1 - node.idleCpuPercent / node.cpuPercent;
  if (node.gpuPercent === 0) return roundHalfEven(100 * cpus);
  const gpus = 1 - node.idleGpuPercent / node.gpuPercent;
  return roundHalfEven((100 * (gpus + cpus)) / 2);
}

/** Order in which nodes are tried, lower first; ties go by number. */
export const NODE_ORDERS: readonly ((node: PoolNode) => number)[] = [
  ({ id }) => id,
  ({ idleGpuPercent }) => idleGpuPercent,
  ({ idleGpuPercent }) => -idleGpuPercent,
  utilisation,
];

/** Whether a job may run on nodes of this type: 0 on all, 1 on its own only, 2 V100 jobs on V100. */
export function matches(job: PaiJob, node: PoolNode, matching: number): boolean {
  if (node.gpuType === job.gpuType || matching === 0) return true;
  return matching === 1 ? job.gpuType === 'CPU' : job.gpuType !== 'V100';
}

function timesWithin(need: number, idle: number, instances: number): number {
  return need === 0 ? instances : Math.floor(idle / need);
}

/**
 * Where the instances of a job go: all of them, as many on each node in turn as it holds, or null. A
 * single instance needs a node that holds it.
 */
export function placeInstances(
  job: PaiJob,
  inOrder: readonly PoolNode[],
): ReadonlyMap<PoolNode, number> | null {
  const { instances, gpuPercent, cpuPercent } = job;
  const placed = new Map<PoolNode, number>();
  let left = instances;
  for (const node of inOrder) {
    const room = Math.min(
      timesWithin(gpuPercent, node.idleGpuPercent, instances),
      timesWithin(cpuPercent, node.idleCpuPercent, instances),
    );
    const count = Math.min(room, left);
    if (count <= 0) continue;
    placed.set(node, count);
    left -= count;
    if (left === 0) return placed;
  }
  return null;
}

/** Takes instances of a job off what is idle on a node; a negative count gives them back. */
export function take(node: PoolNode, job: PaiJob, count: number): void {
  node.idleGpuPercent -= count * job.gpuPercent;
  node.idleCpuPercent -= count * job.cpuPercent;
}
