import { isolatedShares } from '../../../policies/gavel/index.ts';
import { PythonRandom } from '../python-random.ts';
import type { ActiveJob, JobCombination } from './combinations.ts';
import { type Allocate, type GavelAllocation, type GavelState, noShares } from './rule.ts';

/** `isolated`: the same part of each type for every job. */
export function isolated(): Allocate {
  return (state) =>
    equalShares(
      state,
      state.jobs.map(({ alone }) => alone),
    );
}

function equalShares(state: GavelState, combinations: readonly JobCombination[]): GavelAllocation {
  const groups = combinations.map(({ gang }) => ({ jobs: 1, gang, throughputs: [] }));
  const each = isolatedShares({ gpus: state.gpus, groups });
  const shares = noShares(state);
  combinations.forEach((combination, i) => {
    shares.set(combination, each[i] as Float64Array);
  });
  return shares;
}

/**
 * Gandiva's packing as Gavel has it (`gandiva`): while there are more GPUs wanted than there are, jobs
 * with one scale factor are paired at random, as many tries as there are jobs. A pair stays until one
 * of them ends or its normalised throughput, summed over worker types, falls below 1. All combinations
 * get equal shares.
 */
export function gandivaPacking(seed: number): Allocate {
  const random = new PythonRandom(seed);
  const partnerOf = new Map<ActiveJob, ActiveJob | null>();
  return (state) => {
    const { jobs, gpus } = state;
    const active = new Set(jobs);
    for (const [job, partner] of [...partnerOf]) {
      const isPair = partner !== null && active.has(job) && active.has(partner);
      if (isPair && summed(pairOf(state, job, partner), gpus.length) >= 1) continue;
      partnerOf.delete(job);
      if (partner !== null) partnerOf.delete(partner);
    }
    const wanted = jobs.reduce((sum, { gang }) => sum + gang, 0);
    const there = gpus.reduce((sum, count) => sum + count, 0);
    if (wanted <= there)
      return equalShares(
        state,
        jobs.map(({ alone }) => alone),
      );

    const single = jobs.filter((job) => !partnerOf.has(job));
    for (let tries = single.length; single.length > 1 && tries > 0; tries -= 1) {
      const [a, b] = random.pair(single);
      if (a.gang !== b.gang) continue;
      single.splice(single.indexOf(a), 1);
      single.splice(single.indexOf(b), 1);
      partnerOf.set(a, b);
      partnerOf.set(b, a);
    }
    for (const job of single) partnerOf.set(job, null);
    const combinations = new Set<JobCombination>();
    for (const [job, partner] of partnerOf) {
      combinations.add(partner === null ? job.alone : pairOf(state, job, partner));
    }
    return equalShares(state, [...combinations]);
  };
}

function pairOf({ pairs }: GavelState, a: ActiveJob, b: ActiveJob): JobCombination {
  const [first, second] = a.spec.id < b.spec.id ? [a, b] : [b, a];
  const found = pairs.find(({ jobs }) => jobs[0] === first && jobs[1] === second);
  if (found === undefined) throw new Error(`no pair of jobs ${a.spec.id} and ${b.spec.id}`);
  return found;
}

/** Over all worker types, so up to twice their number; 0 where one of the jobs cannot run. */
function summed({ jobs, rates }: JobCombination, types: number): number {
  let sum = 0;
  for (let type = 0; type < types; type += 1) {
    for (const [i, job] of jobs.entries()) {
      const rate = rates[i]?.[type] as number;
      if (rate <= 0) return 0;
      sum += rate / (job.rates[type] as number);
    }
  }
  return sum;
}
