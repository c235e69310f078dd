import { assignWorkers } from '../../../policies/rounds/index.ts';
import type { ActiveJob, JobCombination } from './combinations.ts';

/** Where a combination runs. */
interface Place {
  readonly type: number;
  readonly gpus: readonly number[];
}

/** Counts how often what runs keeps its GPUs from one round to the next. One GPU a server. */
export class LeaseCount {
  readonly #servers: readonly (readonly (readonly number[])[])[];
  #places = new Map<JobCombination, Place>();
  kept = 0;
  offered = 0;

  /** @param gpus of each type */
  constructor(gpus: readonly number[]) {
    let first = 0;
    this.#servers = gpus.map((count) => {
      const servers = Array.from({ length: count }, (_, i) => [first + i]);
      first += count;
      return servers;
    });
  }

  /** Gives the next round its GPUs. @param types in the order in which they are filled */
  next(
    chosen: readonly (readonly JobCombination[])[],
    types: readonly number[],
    isActive: (job: ActiveJob) => boolean,
  ): void {
    const places = new Map<JobCombination, Place>();
    for (const type of types) {
      const assigned = assignWorkers(chosen[type] as readonly JobCombination[], {
        servers: this.#servers[type] as readonly (readonly number[])[],
        held: (combination) => {
          const place = this.#places.get(combination);
          return place?.type === type ? place.gpus : null;
        },
        consolidates: false,
      });
      for (const [combination, gpus] of assigned) places.set(combination, { type, gpus });
    }
    for (const { jobs } of this.#places.keys()) if (jobs.some(isActive)) this.offered += 1;
    for (const [combination, { gpus }] of places) {
      const before = this.#places.get(combination)?.gpus;
      if (before !== undefined && sameSet(before, gpus)) this.kept += 1;
    }
    this.#places = places;
  }
}

function sameSet(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((gpu) => b.includes(gpu));
}
