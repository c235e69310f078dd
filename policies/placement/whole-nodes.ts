import type { ClusterView } from '../../sim/cluster/cluster.ts';
import type { JobView } from '../../sim/job-view.ts';
import { consolidated } from './consolidated.ts';
import { fitsByCount, type Placement } from './placement.ts';
import { firstType, type TypeOrder } from './type-order.ts';

/**
 * Free GPUs for a gang as Lucid places it: one that a node can hold on the node with the fewest free
 * GPUs that has enough; a larger one on empty nodes, with the rest on the node that is emptiest then.
 * It is never spread further. O(1), and O(nodes used) for a large gang.
 *
 * @param nodeSize GPUs of a node
 * @returns GPUs node by node, or null when it does not fit now
 */
export function placeOnWholeNodes(
  cluster: ClusterView,
  type: number,
  count: number,
  nodeSize: number,
): number[] | null {
  if (cluster.freeGpus(type) < count) return null;
  const gpus: number[] = [];
  if (count <= nodeSize) {
    const node = cluster.bestFitNode(type, count);
    if (node < 0) return null;
    takeFree(cluster, node, count, gpus);
    return gpus;
  }
  let whole = Math.floor(count / nodeSize);
  const rest = count % nodeSize;
  for (const node of cluster.nodesWithFree(type, nodeSize)) {
    if (whole === 0) {
      takeFree(cluster, node, rest, gpus);
      return gpus;
    }
    takeFree(cluster, node, nodeSize, gpus);
    whole -= 1;
    if (whole === 0 && rest === 0) return gpus;
  }
  if (whole > 0) return null;
  for (let free = nodeSize - 1; free >= rest; free -= 1) {
    for (const node of cluster.nodesWithFree(type, free)) {
      takeFree(cluster, node, rest, gpus);
      return gpus;
    }
  }
  return null;
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

/** Numbers of nodes by size, of one type. */
type Sizes = ReadonlyMap<number, number>;

function sizesByType(cluster: ClusterView): Sizes[] {
  const sizes = cluster.types.map(() => new Map<number, number>());
  for (let node = 0; node < cluster.nodeCount; node += 1) {
    const ofType = sizes[cluster.typeOfNode(node)] as Map<number, number>;
    const size = cluster.gpusInNode(node);
    ofType.set(size, (ofType.get(size) ?? 0) + 1);
  }
  return sizes;
}

/** Whether {@link placeOnWholeNodes} finds room for a gang when all nodes are empty. */
function everFits(sizes: Sizes, count: number): boolean {
  const largest = Math.max(...sizes.keys());
  const whole = Math.floor(count / largest);
  const rest = count % largest;
  const left = (sizes.get(largest) ?? 0) - whole;
  if (left < 0) return false;
  if (rest === 0 || left > 0) return true;
  return [...sizes.keys()].some((size) => size < largest && size >= rest);
}

/**
 * Consolidation of Lucid (policy/placer/consolidate.py): {@link placeOnWholeNodes} on the first type
 * that has room. A gang that not even the empty cluster could hold so is spread instead.
 */
export function wholeNodes(types: TypeOrder = firstType): Placement {
  const spread = consolidated({ types });
  let known: ClusterView | null = null;
  let sizes: Sizes[] = [];
  let largest: number[] = [];

  const learn = (cluster: ClusterView): void => {
    if (known === cluster) return;
    known = cluster;
    sizes = sizesByType(cluster);
    largest = sizes.map((ofType) => Math.max(...ofType.keys()));
  };
  const on = (cluster: ClusterView, count: number, type: number): number[] | null =>
    placeOnWholeNodes(cluster, type, count, largest[type] as number);
  const mustSpread = ({ types: allowed, gpuCount }: JobView): boolean =>
    !allowed.some((type) => everFits(sizes[type] as Sizes, gpuCount));

  return {
    name: 'whole-nodes',
    types,
    placeOn(cluster, job, type) {
      learn(cluster);
      if (mustSpread(job)) return spread.placeOn(cluster, job, type);
      return on(cluster, job.gpuCount, type);
    },
    place(cluster, job) {
      if (!fitsByCount(cluster, job)) return null;
      learn(cluster);
      if (mustSpread(job)) return spread.place(cluster, job);
      for (const type of types(job)) {
        const gpus = on(cluster, job.gpuCount, type);
        if (gpus !== null) return gpus;
      }
      return null;
    },
  };
}
