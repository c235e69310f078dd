import { heaviestMatching } from './matching.ts';

/** Jobs that are alike, numbered by the caller. */
export type Kind = number;

/** Jobs that run on the same GPUs: their kinds, ascending. */
export type Composition = readonly Kind[];

/** So many groups of one composition. */
export interface Grouped {
  readonly kinds: Composition;
  readonly count: number;
}

/** How the members of a group get on; the same whenever asked. */
export interface GroupRating {
  /** Time of all stages over that of the resources in the best interleaving; 0 where they cannot share. */
  usedRatio(kinds: Composition): number;
}

export interface GroupingOptions {
  /** Largest number of jobs in a group, and of rounds of matching. */
  readonly packingNum: number;
  /** Vertices of one matching; larger classes are matched in bundles of alike groups. */
  readonly vertices: number;
}

/** Jobs of one kind that are to be grouped. */
export interface Counted {
  readonly kind: Kind;
  readonly gpuCount: number;
  readonly count: number;
}

/** Two groups that become one, so many times. */
interface Match {
  readonly parts: readonly [Composition, Composition];
  readonly usedRatio: number;
  readonly times: number;
}
interface Merge extends Match {
  readonly gang: Gang;
}

/** Groups of jobs with one number of GPUs. */
interface Gang {
  readonly gpuCount: number;
  readonly groups: Map<string, { readonly kinds: Composition; count: number }>;
}

/** Answers that are kept before all are forgotten, so that memory stays bounded. */
const KEPT_MATCHINGS = 10_000;

/**
 * Groups jobs of the same number of GPUs until the groups fit the cluster (Muri, section 4.2): in each
 * round a matching of largest summed used ratio pairs groups whose jobs together are not too many, and
 * pairs become groups, those that leave the fewest GPUs unused first, as long as GPUs are short.
 *
 * Jobs of one kind are interchangeable, so groups are counted and not listed, and a matching of the same
 * numbers is not made twice. A class of at most `vertices` groups is matched exactly; of a larger one
 * bundles of alike groups are matched, then smaller bundles of what is left.
 */
export class Grouper {
  readonly #rating: GroupRating;
  readonly #options: GroupingOptions;
  readonly #known = new Map<string, readonly Match[]>();

  constructor(rating: GroupRating, options: GroupingOptions) {
    this.#rating = rating;
    this.#options = options;
  }

  /** @param gpus that there are; in what order the jobs come changes nothing */
  group(jobs: readonly Counted[], gpus: number): readonly Grouped[] {
    const gangs = new Map<number, Gang>();
    let required = 0;
    const ordered = jobs.toSorted((a, b) => a.kind - b.kind);
    for (const { kind, gpuCount, count } of ordered) {
      const gang = gangs.get(gpuCount) ?? { gpuCount, groups: new Map() };
      gangs.set(gpuCount, gang);
      add(gang, [kind], count);
      required += gpuCount * count;
    }
    for (let round = 0; round < this.#options.packingNum && required > gpus; round += 1) {
      const merges: Merge[] = [];
      for (const gang of gangs.values()) {
        for (const match of this.#matches(gang)) merges.push({ gang, ...match });
      }
      merges.sort((a, b) => unused(a) - unused(b));
      for (const { gang, parts, times } of merges) {
        const count = Math.min(times, Math.ceil((required - gpus) / gang.gpuCount));
        if (count <= 0) break;
        for (const part of parts) add(gang, part, -count);
        add(gang, joined(...parts), count);
        required -= count * gang.gpuCount;
      }
      if (merges.length === 0) break;
    }
    return [...gangs.values()].flatMap(({ groups }) => [...groups.values()]);
  }

  #matches({ groups }: Gang): readonly Match[] {
    let key = '';
    for (const [kinds, { count }] of groups) key += `${kinds}:${count} `;
    let matches = this.#known.get(key);
    if (matches === undefined) {
      matches = matched([...groups.values()], this.#rating, this.#options);
      if (this.#known.size >= KEPT_MATCHINGS) this.#known.clear();
      this.#known.set(key, matches);
    }
    return matches;
  }
}

function unused({ gang, usedRatio }: Merge): number {
  return (1 - usedRatio) * gang.gpuCount;
}

function add({ groups }: Gang, kinds: Composition, count: number): void {
  const key = kinds.join();
  const group = groups.get(key);
  if (group === undefined) groups.set(key, { kinds, count });
  else if (group.count + count === 0) groups.delete(key);
  else group.count += count;
}

function joined(a: Composition, b: Composition): Composition {
  return [...a, ...b].sort((x, y) => x - y);
}

/** Groups of a gang size that are to be paired. */
interface Unpaired {
  readonly kinds: Composition;
  left: number;
}

/** Pairs of groups of one gang size. */
function matched(
  groups: readonly Grouped[],
  rating: GroupRating,
  options: GroupingOptions,
): readonly Match[] {
  const all: Unpaired[] = groups.map(({ kinds, count }) => ({ kinds, left: count }));
  const ratios: (number | undefined)[] = [];
  const ratioOf = (i: number, j: number): number => {
    const [a, b] = [all[i], all[j]] as [Unpaired, Unpaired];
    const fits = a.kinds.length + b.kinds.length <= options.packingNum;
    ratios[i * all.length + j] ??= fits ? rating.usedRatio(joined(a.kinds, b.kinds)) : 0;
    return ratios[i * all.length + j] as number;
  };
  const matches: Match[] = [];
  let bundle = Infinity;
  while (bundle > 1) {
    let total = 0;
    for (const { left } of all) total += left;
    const needed = Math.max(1, Math.ceil(total / options.vertices));
    bundle = Math.min(needed, Math.floor(bundle / 2));
    const vertices = bundles(all, bundle, options.vertices);
    const pairs = heaviestMatching(vertices.length, (v, w) =>
      ratioOf(vertices[v] as number, vertices[w] as number),
    );
    for (const [v, w] of pairs) {
      const [i, j] = [vertices[v], vertices[w]] as [number, number];
      const [a, b] = [all[i], all[j]] as [Unpaired, Unpaired];
      a.left -= bundle;
      b.left -= bundle;
      matches.push({ parts: [a.kinds, b.kinds], usedRatio: ratioOf(i, j), times: bundle });
    }
  }
  return matches;
}

/** The position of a group for each of its bundles, at most so many. */
function bundles(groups: readonly Unpaired[], size: number, most: number): readonly number[] {
  const vertices: number[] = [];
  for (const [i, { left }] of groups.entries()) {
    const count = Math.min(Math.floor(left / size), most - vertices.length);
    for (let n = 0; n < count; n += 1) vertices.push(i);
  }
  return vertices;
}
