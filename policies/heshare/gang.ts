import type { ClusterView } from '../../sim/cluster/cluster.ts';

/**
 * Throughput that a gang keeps when it lies on more nodes than it needs: `acrossNodes` for each
 * doubling (DESIGN section 4).
 */
export function spreadFactor(
  cluster: ClusterView,
  gpus: readonly number[],
  acrossNodes: number,
): number {
  const nodes = new Set<number>();
  let largest = 1;
  for (const gpu of gpus) {
    const node = cluster.nodeOf(gpu);
    nodes.add(node);
    largest = Math.max(largest, cluster.gpusInNode(node));
  }
  const needed = Math.ceil(gpus.length / largest);
  return nodes.size <= needed ? 1 : acrossNodes ** Math.log2(nodes.size / needed);
}
