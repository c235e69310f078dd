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
  /** What may have GPUs that are left when all types have been filled; nothing when absent. */
  readonly fills?: (combination: C, type: number) => boolean;
  /** Jobs of the combination: each runs once in a round. */
  readonly members: (combination: C) => readonly unknown[];
  /** Types that a gang spans that is larger than each of them; null for any other. */
  readonly spans?: (combination: C) => readonly number[] | null;
  /** GPUs of a type that such a gang holds, and would rather keep. */
  readonly held?: (combination: C, type: number) => number;
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
  const orders: (readonly C[] | undefined)[] = [];
  const fill = (type: number, mayRun: RoundRules<C>['mayRun']): void => {
    if (left[type] === 0) return;
    orders[type] ??= [...rules.order(type)];
    for (const combination of orders[type]) {
      const { gang } = combination;
      const spanned = rules.spans?.(combination) ?? null;
      if (gang > room(left, type, spanned) || !mayRun(combination, type)) continue;
      const members = rules.members(combination);
      if (members.some((member) => taken.has(member))) continue;
      for (const member of members) taken.add(member);
      if (spanned === null) take(combination, type, gang);
      else {
        split(rules, combination, spanned, left).forEach((part, i) => {
          take(combination, spanned[i] as number, part);
        });
      }
      if (left[type] === 0) return;
    }
  };
  for (const type of rules.types) fill(type, rules.mayRun);
  if (rules.fills !== undefined) for (const type of rules.types) fill(type, rules.fills);
  return chosen;
}

function room(left: readonly number[], type: number, spanned: readonly number[] | null): number {
  if (spanned === null) return left[type] as number;
  return spanned.reduce((sum, other) => sum + (left[other] as number), 0);
}

/** GPUs of each type for a gang that spans them: those that it holds, then what the first types have. */
function split<C extends Combination>(
  { held }: RoundRules<C>,
  combination: C,
  spanned: readonly number[],
  left: readonly number[],
): number[] {
  let need = combination.gang;
  const parts = spanned.map((type) => {
    const part = Math.min(need, left[type] as number, held?.(combination, type) ?? 0);
    need -= part;
    return part;
  });
  return parts.map((part, i) => {
    const more = Math.min(need, (left[spanned[i] as number] as number) - part);
    need -= more;
    return part + more;
  });
}
