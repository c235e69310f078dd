import { roundHalfEven } from '../rounding.ts';

/** How likely a job is to end soon, by the service that it has had. */
export interface GittinsIndex {
  /** The index of a job with so much attained service; higher goes first, 0 when nothing is known. */
  index(attained: number): number;
}

/** Per GPU-second, as the released simulator scales it. */
const RELEASED_SCALE = 1e6;
const RELEASED_DECIMALS = { chance: 5, service: 5, index: 4 };

/** The first position of a value above `limit` in an ascending list; its length when there is none. */
function firstAbove(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}

function ascending(samples: readonly number[]): number[] {
  return [...samples].sort((a, b) => a - b);
}

/** Sums of the first values, from 0 values on. */
function prefixSums(values: readonly number[]): Float64Array {
  const sums = new Float64Array(values.length + 1);
  values.forEach((value, i) => {
    sums[i + 1] = (sums[i] as number) + value;
  });
  return sums;
}

/**
 * The Gittins index of a job: with the service S of a job distributed as the samples, the largest over
 * all quanta d of `P(S - a <= d | S > a) / E[min(S - a, d) | S > a]` (Gittins 1979; Gu et al., Tiresias,
 * NSDI 2019, section 3). 0 from the largest sample on.
 *
 * In the plane of `E[min(S, x)]` and `P(S <= x)` the ratio is the slope from the point of a to that of
 * a + d, so that the largest is that of the tangent to the upper hull of the samples beyond a. The hulls
 * are made once, from the right, O(samples log samples); an index is O(log samples) and a walk along a
 * hull.
 *
 * @param samples of the whole service of jobs, above 0, in any order; empty makes every index 0
 */
export function gittinsIndex(samples: readonly number[]): GittinsIndex {
  const sorted = ascending(samples);
  const count = sorted.length;
  const served = new Float64Array(count);
  for (let i = 0; i < count; i += 1) {
    const before = i === 0 ? 0 : (served[i - 1] as number);
    served[i] = before + stretch(sorted, i) * (1 - i / count);
  }
  /** Slope between two samples; of equal ones the later is straight above. */
  const slope = (from: number, to: number): number =>
    (to - from) / count / ((served[to] as number) - (served[from] as number));
  /** The sample that follows on the upper hull of those from here on. */
  const next = new Int32Array(count).fill(-1);
  for (let i = count - 2; i >= 0; i -= 1) {
    let to = i + 1;
    while ((next[to] as number) >= 0 && slope(i, next[to] as number) >= slope(i, to)) {
      to = next[to] as number;
    }
    next[i] = to;
  }
  return {
    index(attained) {
      const first = firstAbove(sorted, attained);
      if (first === count) return 0;
      const leftToFirst = ((sorted[first] as number) - attained) * (1 - first / count);
      const at = (served[first] as number) - leftToFirst;
      let best = 0;
      for (let to = first; to >= 0; to = next[to] as number) {
        const found = (to + 1 - first) / count / ((served[to] as number) - at);
        if (found < best) break;
        best = found;
      }
      return best;
    },
  };
}

/** From the sample before to this one. */
function stretch(sorted: readonly number[], i: number): number {
  return (sorted[i] as number) - (i === 0 ? 0 : (sorted[i - 1] as number));
}

/**
 * The index as the released simulator computes it (run_sim.py, `parse_job_dist` and
 * `get_gittins_index`): a table over the samples, each with the index just below it. The expected
 * service is made of whole samples, not of what is left of them, and rounded down; the chance counts
 * the last sample as one beyond reach; everything is rounded.
 */
export function releasedGittinsIndex(samples: readonly number[], quantum: number): GittinsIndex {
  const sorted = ascending(samples);
  const sums = prefixSums(sorted);
  const count = sorted.length;
  const largest = sorted[count - 1] ?? 0;
  const table = sorted.map((sample) => {
    const attained = sample - 1;
    const reach = attained + quantum;
    const from = firstAbove(sorted, attained);
    const to = reach > largest - 1 ? count - 1 : firstAbove(sorted, reach);
    // A slice that ends before it begins sums to nothing.
    const within = Math.max(0, (sums[to] as number) - (sums[from] as number));
    const chance = roundHalfEven((to - from) / (count - from), RELEASED_DECIMALS.chance);
    const service = Math.floor((within + quantum * (count - to)) / (count - from));
    return roundHalfEven((chance * RELEASED_SCALE) / service, RELEASED_DECIMALS.index);
  });
  return {
    index(attained) {
      if (attained > largest) return 0;
      return table[firstAbove(sorted, attained)] ?? 0;
    },
  };
}

/** Samples from which on what was seen is taken for the distribution; assumed. */
const FIRST_SAMPLES = 16;

/**
 * The index over what has been seen so far: jobs that ended are the samples. It is made anew whenever
 * there are twice as many, and is 0 before there are {@link FIRST_SAMPLES}.
 */
export class LearnedGittinsIndex implements GittinsIndex {
  readonly #samples: number[] = [];
  #made: GittinsIndex | null = null;
  #nextCount = FIRST_SAMPLES;

  /** Adds the service of a job that has ended. @returns whether the index is another one now */
  learn(service: number): boolean {
    this.#samples.push(service);
    if (this.#samples.length < this.#nextCount) return false;
    this.#nextCount = 2 * this.#samples.length;
    this.#made = gittinsIndex(this.#samples);
    return true;
  }

  index(attained: number): number {
    return this.#made?.index(attained) ?? 0;
  }
}
