import type { Combination } from './time-shares.ts';

/** What a round has to know to fill its GPUs. */
export interface RoundRules<C extends Combination> {
  /** Types in the order in which they are filled. */
  readonly types: readonly number[];
  /** GPUs of each type. */
  readonly gpus: readonly number[];
  /** Combinations in the order in which the type takes them. */
  readonly order: (type: number) => Iterable<C>;
  readonly mayRun: (combination: C, type: number) => boolean;
  /** Jobs of the combination: each runs once in a round. */
  readonly members: (combination: C) => readonly unknown[];
  /** Types that a gang spans that is larger than each of them; null for any other. */
  readonly spans?: (combination: C) => readonly number[] | null;
}

/** What a combination gets of a type: all of its gang but for one that spans types. */
export interface Piece<C> extends Combination {
  readonly combination: C;
}

/**
 * Fills a round type by type, in order, skipping what does not fit; no job is in it twice (Gavel,
 * algorithm 1). @returns by type what runs on it, in the order taken
 */
export function chooseRound<C extends Combination>(rules: RoundRules<C>): Piece<C>[][] {
  const chosen: Piece<C>[][] = rules.gpus.map(() => []);
  const left = [...rules.gpus];
  const taken = new Set<unknown>();
  const take = (combination: C, type: number, gang: number): void => {
    if (gang === 0) return;
    chosen[type]?.push({ combination, gang });
    left[type] = (left[type] as number) - gang;
  };
  for (const type of rules.types) {
    if (left[type] === 0) continue;
    for (const combination of rules.order(type)) {
      const { gang } = combination;
      const spanned = rules.spans?.(combination) ?? null;
      if (gang > room(left, type, spanned) || !rules.mayRun(combination, type)) continue;
      const members = rules.members(combination);
      if (members.some((member) => taken.has(member))) continue;
      for (const member of members) taken.add(member);
      let need = gang;
      for (const from of spanned ?? [type]) {
        const part = Math.min(need, left[from] as number);
        take(combination, from, part);
        need -= part;
      }
      if (left[type] === 0) break;
    }
  }
  return chosen;
}

function room(left: readonly number[], type: number, spanned: readonly number[] | null): number {
  if (spanned === null) return left[type] as number;
  return spanned.reduce((sum, other) => sum + (left[other] as number), 0);
}
