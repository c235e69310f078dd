import type { ClusterView } from '../../sim/cluster/cluster.ts';
import type { JobView } from '../../sim/job-view.ts';
import { assignWorkers } from './assign-workers.ts';
import type { Piece } from './choose.ts';
import type { JobCombination } from './job-combinations.ts';

/** Available GPUs by type, then by node. */
export type Servers = readonly (readonly (readonly number[])[])[];

/** The GPUs that work now, node by node. O(GPUs). */
export function availableServers(cluster: ClusterView): Servers {
  const servers: number[][][] = cluster.types.map(() => []);
  for (let node = 0; node < cluster.nodeCount; node += 1) {
    const first = cluster.firstGpu(node);
    const gpus: number[] = [];
    for (let gpu = first; gpu < first + cluster.gpusInNode(node); gpu += 1) {
      if (cluster.isAvailable(gpu)) gpus.push(gpu);
    }
    if (gpus.length > 0) servers[cluster.typeOfNode(node)]?.push(gpus);
  }
  return servers;
}

/**
 * GPUs for all that was chosen: who holds GPUs of the type keeps them as long as no larger gang takes
 * them; gangs go to one node where one has room.
 */
export function placeRound(
  cluster: ClusterView,
  servers: Servers,
  chosen: readonly (readonly Piece<JobCombination>[])[],
): Map<JobCombination, readonly number[]> {
  const placed = new Map<JobCombination, readonly number[]>();
  chosen.forEach((pieces, type) => {
    const assigned = assignWorkers(pieces, {
      servers: servers[type] as Servers[number],
      held: ({ combination, gang }) => heldOn(cluster, combination, type, gang),
      consolidates: true,
    });
    for (const [{ combination }, gpus] of assigned) {
      placed.set(combination, [...(placed.get(combination) ?? []), ...gpus]);
    }
  });
  return placed;
}

/** GPUs of a type that the first job holds, or else the second; null unless as many as it gets. */
function heldOn(
  cluster: ClusterView,
  { jobs }: JobCombination,
  type: number,
  count: number,
): readonly number[] | null {
  for (const { gpus } of jobs) {
    const held = gpus.filter((gpu) => cluster.typeOf(gpu) === type && cluster.isAvailable(gpu));
    if (held.length === count) return held;
  }
  return null;
}

/** GPUs of a type that a job holds and that work. */
export function countOn(cluster: ClusterView, { gpus }: JobView, type: number): number {
  let count = 0;
  for (const gpu of gpus) if (cluster.typeOf(gpu) === type && cluster.isAvailable(gpu)) count += 1;
  return count;
}

/** Whether a job holds exactly these GPUs. */
export function holds({ gpus }: JobView, wanted: readonly number[]): boolean {
  if (gpus.length !== wanted.length) return false;
  if (gpus.length === 1) return gpus[0] === wanted[0];
  return gpus.every((gpu) => wanted.includes(gpu));
}
