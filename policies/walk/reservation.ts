import type { ClusterView } from '../../sim/cluster/cluster.ts';
import type { JobView } from '../../sim/job-view.ts';
import { spansTypes } from '../placement/placement.ts';
import type { ExpectedEnds } from '../queue/expected-ends.ts';

/** What EASY keeps for the job at the head of the queue. */
export interface Reservation {
  /** The type on which the head will start, or -1 when it spans types: then all of its types. */
  readonly type: number;
  /** When it is expected to fit; Infinity when no running job's end is enough. */
  readonly shadowS: number;
  /** GPUs free at that time beyond what the head needs; shrinks as jobs take them. */
  extra: number;
}

/** Whether GPUs of a type count for the reservation. */
export function isReserved(reservation: Reservation, head: JobView, type: number): boolean {
  return reservation.type < 0 ? head.types.includes(type) : reservation.type === type;
}

/**
 * The earliest time at which the head fits, given the expected ends (one that has passed counts as
 * now). A head that fits on one type is reserved for on the type that has room first.
 */
export function reserve(
  cluster: ClusterView,
  head: JobView,
  ends: ExpectedEnds,
  nowS: number,
): Reservation {
  const spans = spansTypes(cluster, head);
  const need = head.gpuCount;
  // One counter for all types of a head that spans them, else one for each type.
  const counterOf = cluster.types.map((_, type) => {
    if (!head.types.includes(type)) return -1;
    return spans ? 0 : type;
  });
  const free = cluster.types.map(() => 0);
  const add = (type: number, gpus: number): void => {
    const counter = counterOf[type] as number;
    if (counter >= 0) free[counter] = (free[counter] as number) + gpus;
  };
  cluster.types.forEach((_, type) => {
    add(type, cluster.freeGpus(type));
  });

  let found = -1;
  let shadowS = Infinity;
  for (let i = 0; i < ends.size; i += 1) {
    const endS = Math.max(nowS, ends.endS(i));
    if (found >= 0 && endS > shadowS) break;
    for (const gpu of ends.job(i).gpus) add(cluster.typeOf(gpu), 1);
    if (found >= 0) continue;
    found = free.findIndex((count) => count >= need);
    if (found >= 0) shadowS = endS;
  }
  const type = spans || found < 0 ? -1 : found;
  return { type, shadowS, extra: found < 0 ? Infinity : (free[found] as number) - need };
}
