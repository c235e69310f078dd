import type { Combination } from './time-shares.ts';

/** What decides which GPUs of a type a combination gets. */
export interface WorkerRules<C extends Combination> {
  /** GPUs of the type, by server. */
  readonly servers: readonly (readonly number[])[];
  /** GPUs of this type that the combination has now; null for none. */
  readonly held: (combination: C) => readonly number[] | null;
  /** Prefers one server that can hold a whole gang, the one with the fewest free GPUs of them. */
  readonly consolidates: boolean;
}

/**
 * Gives the combinations of a round their GPUs: larger gangs first, and of one size those first that
 * can keep the GPUs they have; the others take the next free GPUs, server by server (released code:
 * `_schedule_jobs_on_workers` of scheduler.py). As many GPUs as all need must be there.
 */
export function assignWorkers<C extends Combination>(
  chosen: readonly C[],
  rules: WorkerRules<C>,
): Map<C, readonly number[]> {
  const assigned = new Map<C, readonly number[]>();
  const taken = new Set<number>();
  const give = (combination: C, gpus: readonly number[]): void => {
    for (const gpu of gpus) taken.add(gpu);
    assigned.set(combination, gpus);
  };
  const bySize = [...chosen].sort((a, b) => b.gang - a.gang);
  for (let from = 0; from < bySize.length; ) {
    const size = (bySize[from] as C).gang;
    let to = from;
    while (to < bySize.length && bySize[to]?.gang === size) to += 1;
    const sized = bySize.slice(from, to);
    for (const combination of sized) {
      const held = rules.held(combination);
      if (held !== null && !held.some((gpu) => taken.has(gpu))) give(combination, held);
    }
    for (const combination of sized) {
      if (!assigned.has(combination)) give(combination, next(size, taken, rules));
    }
    from = to;
  }
  return assigned;
}

function next<C extends Combination>(
  count: number,
  taken: ReadonlySet<number>,
  { servers, consolidates }: WorkerRules<C>,
): readonly number[] {
  let best: readonly number[] | null = null;
  const strided: number[] = [];
  for (const server of servers) {
    const free = server.filter((gpu) => !taken.has(gpu));
    if (free.length >= count && (best === null || free.length < best.length)) best = free;
    for (const gpu of free) if (strided.length < count) strided.push(gpu);
    if (!consolidates && strided.length === count) return strided;
  }
  return consolidates && best !== null ? best.slice(0, count) : strided;
}
