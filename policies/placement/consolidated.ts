import type { ClusterView } from '../../sim/cluster/cluster.ts';
import { fitsByCount, type Placement, spansTypes } from './placement.ts';
import { firstType, type TypeOrder } from './type-order.ts';

export interface ConsolidatedOptions {
  readonly types?: TypeOrder;
  /** Refuses to spread a gang that one node could hold if it were empty; it waits instead. */
  readonly strict?: boolean;
}

/**
 * On the first type that has room: the node with the fewest free GPUs that holds the whole gang (best
 * fit); when there is none, the emptiest nodes, with the rest where it fits best (consolidation as in
 * Tiresias and Lucid). Unless `strict`, a gang for which the count suffices is never refused.
 *
 * Best fit is O(1); spreading is O(nodes used).
 */
export function consolidated(options: ConsolidatedOptions = {}): Placement {
  const types = options.types ?? firstType;
  const strict = options.strict ?? false;
  let largestIn: ClusterView | null = null;
  let largest: number[] = [];

  /** Most GPUs of this type in one node. */
  const largestNode = (cluster: ClusterView, type: number): number => {
    if (largestIn !== cluster) {
      largestIn = cluster;
      largest = cluster.types.map(() => 0);
      for (let node = 0; node < cluster.nodeCount; node += 1) {
        const of = cluster.typeOfNode(node);
        largest[of] = Math.max(largest[of] as number, cluster.gpusInNode(node));
      }
    }
    return largest[type] as number;
  };

  const on = (cluster: ClusterView, type: number, count: number): number[] | null => {
    if (cluster.freeGpus(type) < count) return null;
    const gpus: number[] = [];
    const node = cluster.bestFitNode(type, count);
    if (node >= 0) takeFree(cluster, node, count, gpus);
    else if (strict && count <= largestNode(cluster, type)) return null;
    else spread(cluster, type, count, gpus);
    return gpus;
  };

  return {
    name: strict ? 'consolidated-strict' : 'consolidated',
    types,
    placeOn: (cluster, job, type) => on(cluster, type, job.gpuCount),
    place(cluster, job) {
      if (!fitsByCount(cluster, job)) return null;
      const order = types(job);
      for (const type of order) {
        const gpus = on(cluster, type, job.gpuCount);
        if (gpus !== null) return gpus;
      }
      if (!spansTypes(cluster, job)) return null;
      const gpus: number[] = [];
      for (const type of order) {
        const rest = job.gpuCount - gpus.length;
        spread(cluster, type, Math.min(cluster.freeGpus(type), rest), gpus);
      }
      return gpus;
    },
  };
}

/** Adds the first `count` free GPUs of a node. */
function takeFree(cluster: ClusterView, node: number, count: number, gpus: number[]): void {
  let left = count;
  for (let gpu = cluster.firstGpu(node); left > 0; gpu += 1) {
    if (!cluster.isFree(gpu)) continue;
    gpus.push(gpu);
    left -= 1;
  }
}

/** Adds `count` free GPUs of a type, emptiest nodes first; so many must be free. */
function spread(cluster: ClusterView, type: number, count: number, gpus: number[]): void {
  if (count === 0) return;
  let left = count;
  for (let free = cluster.freeGpusInNode(cluster.emptiestNode(type)); left > 0; free -= 1) {
    for (const node of cluster.nodesWithFree(type, free)) {
      if (left < free) {
        takeFree(cluster, roomFor(cluster, type, left, free) ?? node, left, gpus);
        return;
      }
      takeFree(cluster, node, free, gpus);
      left -= free;
      if (left === 0) return;
    }
  }
}

/** The best fit for `count` among nodes with fewer than `below` free GPUs; all those are unused. */
function roomFor(cluster: ClusterView, type: number, count: number, below: number): number | null {
  for (let free = count; free < below; free += 1) {
    for (const node of cluster.nodesWithFree(type, free)) return node;
  }
  return null;
}
