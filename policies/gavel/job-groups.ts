import type { JobView } from '../../sim/job-view.ts';
import { type JobClass, JobClasses } from '../queue/job-classes.ts';
import type { RoundShares } from '../rounds/index.ts';
import type { Allocation, AllocationProblem, JobGroup, JobPair } from './problem.ts';
import type { Rates } from './rates.ts';

/** Jobs that are alike in all that decides their rates, and so for the objectives that ask no more. */
export class AlikeJobs {
  readonly #classes = new JobClasses('seat');
  readonly #speeds = new JobClasses('speed');

  /** Groups in the order of their first jobs. */
  group(jobs: readonly JobView[]): JobView[][] {
    const groups = new Map<string, JobView[]>();
    for (const job of jobs) {
      const key = `${numberOf(this.#classes.of(job))} ${numberOf(this.#speeds.of(job))}`;
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [job]);
      else group.push(job);
    }
    return [...groups.values()];
  }
}

const numberOf = ({ index }: JobClass): number => index;

/** The problem of groups of jobs, with the pairs that gain most by sharing GPUs. */
export function problemOf(
  members: readonly (readonly JobView[])[],
  gpus: readonly number[],
  rates: Rates,
  mostPairs: number,
): AllocationProblem {
  const groups = members.map(
    (jobs): JobGroup => ({
      jobs: jobs.length,
      gang: (jobs[0] as JobView).gpuCount,
      throughputs: rates.alone(jobs[0] as JobView),
    }),
  );
  return { gpus, groups, pairs: mostPairs === 0 ? [] : bestPairs(members, rates, mostPairs) };
}

/**
 * Pairs of groups with one gang size that together do more than they would in turns on some type. A
 * pair that does not is never needed: the two jobs could have the same GPUs one after the other.
 */
function bestPairs(
  members: readonly (readonly JobView[])[],
  rates: Rates,
  most: number,
): JobPair[] {
  const found: { readonly pair: JobPair; readonly gain: number }[] = [];
  members.forEach((jobs, a) => {
    const first = jobs[0] as JobView;
    for (let b = jobs.length > 1 ? a : a + 1; b < members.length; b += 1) {
      const second = members[b]?.[0] as JobView;
      if (second.gpuCount !== first.gpuCount) continue;
      const throughputs = rates.together(first, second);
      const gain = Math.max(
        ...throughputs.map((pair, type) => gainOf(rates, first, second, pair, type)),
      );
      if (gain > 1) found.push({ pair: { groups: [a, b], throughputs }, gain });
    }
  });
  if (found.length > most) found.sort((x, y) => y.gain - x.gain);
  return found.slice(0, most).map(({ pair }) => pair);
}

/** Summed throughput of two jobs together, each over that alone. */
function gainOf(
  rates: Rates,
  first: JobView,
  second: JobView,
  [a, b]: readonly [number, number],
  type: number,
): number {
  if (a === 0 || b === 0) return 0;
  return a / (rates.alone(first)[type] as number) + b / (rates.alone(second)[type] as number);
}

/**
 * The shares of jobs from those of groups. The time of two groups together is dealt out like two
 * rings laid on each other, one cut into as many equal arcs as one group has jobs, the other into as
 * many as the other has: every job gets its part, and there are fewer pairs than jobs.
 */
export function sharesOf(
  members: readonly (readonly JobView[])[],
  { groups, pairs = [] }: AllocationProblem,
  { alone, together }: Allocation,
): RoundShares {
  const single = new Map<JobView, ArrayLike<number>>();
  members.forEach((jobs, group) => {
    for (const job of jobs) single.set(job, alone[group] as Float64Array);
  });
  const shared: RoundShares['together'][number][] = [];
  pairs.forEach(({ groups: [a, b] }, pair) => {
    const each = together[pair] as Float64Array;
    if (!each.some((share) => share > 0)) return;
    const first = members[a] as readonly JobView[];
    const second = members[b] as readonly JobView[];
    if (a === b) {
      const count = first.length;
      // Each job is in two pairs of a ring, and was to be in count - 1.
      const factor = count === 2 ? 1 : (count - 1) / 2;
      for (let i = 0; i < (count === 2 ? 1 : count); i += 1) {
        const jobs = [first[i] as JobView, first[(i + 1) % count] as JobView] as const;
        shared.push({ jobs, shares: each.map((share) => Math.min(1, share * factor)) });
      }
      return;
    }
    const all = (groups[a] as JobGroup).jobs * (groups[b] as JobGroup).jobs;
    for (const [i, j, part] of overlaps(first.length, second.length)) {
      const jobs = [first[i] as JobView, second[j] as JobView] as const;
      shared.push({ jobs, shares: each.map((share) => Math.min(1, share * all * part)) });
    }
  });
  return { alone: single, together: shared };
}

/** Arcs that two rings of `a` and of `b` equal arcs have in common, with their lengths. */
function* overlaps(a: number, b: number): Generator<[i: number, j: number, part: number]> {
  let i = 0;
  let j = 0;
  let from = 0;
  while (i < a && j < b) {
    const endA = (i + 1) * b;
    const endB = (j + 1) * a;
    const to = Math.min(endA, endB);
    yield [i, j, (to - from) / (a * b)];
    if (endA === to) i += 1;
    if (endB === to) j += 1;
    from = to;
  }
}
