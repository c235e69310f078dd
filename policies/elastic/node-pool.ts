import type { ClusterView } from '../../sim/cluster/cluster.ts';

/**
 * How a gang is placed:
 * - *compact*: on the node with the fewest free GPUs that holds it; a larger one on the emptiest nodes, its
 *   rest where it fits best. Gangs of powers of two on such nodes so never split one another's room, which
 *   is what buddy allocation is for.
 * - *emptiest*: from the node with most free GPUs, then the next
 */
export type PoolRule = 'compact' | 'emptiest';

/** GPUs by node that a plan may still give away. Taking is O(nodes of the type) for each node used. */
export class NodePool {
  /** By type, then node: free GPUs, the lowest last. */
  readonly #nodes: number[][][];

  /** @param isOpen whether a GPU may be given away */
  constructor(cluster: ClusterView, isOpen: (gpu: number) => boolean) {
    this.#nodes = cluster.types.map(() => []);
    for (let node = 0; node < cluster.nodeCount; node += 1) {
      const first = cluster.firstGpu(node);
      const free: number[] = [];
      for (let gpu = first + cluster.gpusInNode(node) - 1; gpu >= first; gpu -= 1) {
        if (isOpen(gpu)) free.push(gpu);
      }
      if (free.length > 0) this.#nodes[cluster.typeOfNode(node)]?.push(free);
    }
  }

  /** GPUs of a type that are left. */
  left(type: number): number {
    return (this.#nodes[type] as number[][]).reduce((sum, free) => sum + free.length, 0);
  }

  /** Takes GPUs of a type; so many must be there. */
  take(type: number, count: number, rule: PoolRule): number[] {
    const taken: number[] = [];
    while (taken.length < count) {
      const missing = count - taken.length;
      const fit = rule === 'compact' ? this.#fullest(type, missing) : null;
      const free = fit ?? this.#emptiest(type);
      const part = Math.min(missing, free.length);
      for (let i = 0; i < part; i += 1) taken.push(free.pop() as number);
    }
    return taken;
  }

  /** The node with the fewest free GPUs that has so many, or null. */
  #fullest(type: number, count: number): number[] | null {
    let best: number[] | null = null;
    for (const free of this.#nodes[type] as number[][]) {
      if (free.length < count || (best !== null && free.length >= best.length)) continue;
      best = free;
    }
    return best;
  }

  #emptiest(type: number): number[] {
    const nodes = this.#nodes[type] as number[][];
    return nodes.reduce((best, free) => (free.length > best.length ? free : best));
  }
}
