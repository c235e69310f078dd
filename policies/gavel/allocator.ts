import type { JobView } from '../../sim/job-view.ts';
import type { Allocator, RoundShares, RoundState } from '../rounds/index.ts';
import { finishTimeFairness } from './finish-time-fairness.ts';
import { isolatedThroughputs } from './isolated.ts';
import { AlikeJobs, problemOf, sharesOf } from './job-groups.ts';
import { leastMakespan, releasedMakespan } from './makespan.ts';
import { agnostic, maxMinFairness, proportionalThroughputs } from './max-min.ts';
import { largestSum } from './max-sum.ts';
import type { Allocation, AllocationProblem, JobPair } from './problem.ts';
import type { Rates } from './rates.ts';

export const OBJECTIVES = [
  'max-min',
  'max-min-agnostic',
  'finish-time-fairness',
  'makespan',
  'max-sum',
  'energy-cost',
] as const;
export type Objective = (typeof OBJECTIVES)[number];

/** Whether an objective reads how much work is left. */
export function readsDuration(objective: Objective): boolean {
  return objective === 'finish-time-fairness' || objective === 'makespan';
}

export interface AllocatorOptions {
  readonly objective: Objective;
  readonly rates: Rates;
  /** Most pairs of jobs or groups in a program; 0 for no space sharing. */
  readonly mostPairs: number;
  readonly makespan: 'exact' | 'released';
  /** *energy-cost*: part of its max-min fair throughput that every job keeps. */
  readonly fairShare: number;
}

/** Least work with which a job counts: one whose estimate is used up still runs. */
const LEAST_WORK_S = 1;

/** Shares by one of Gavel's objectives. */
export class GavelAllocator implements Allocator {
  readonly name: string;
  readonly #options: AllocatorOptions;
  readonly #alike = new AlikeJobs();
  /** *finish-time-fairness*: what a job would have had so far with its isolated share. */
  readonly #isolation = new WeakMap<JobView, Isolation>();

  constructor(options: AllocatorOptions) {
    this.name = options.objective;
    this.#options = options;
  }

  allocate({ jobs, gpus, nowS }: RoundState): RoundShares {
    const { objective, rates, mostPairs } = this.#options;
    if (jobs.length === 0) return { alone: new Map(), together: [] };
    const members = readsDuration(objective) ? jobs.map((job) => [job]) : this.#alike.group(jobs);
    const problem = problemOf(members, gpus, rates, mostPairs);
    return sharesOf(members, problem, this.#solve(problem, members, nowS));
  }

  #solve(
    problem: AllocationProblem,
    members: readonly (readonly JobView[])[],
    nowS: number,
  ): Allocation {
    const { objective, makespan } = this.#options;
    const equal = members.map(() => 1);
    switch (objective) {
      case 'max-min':
        return maxMinFairness(problem, equal);
      case 'max-min-agnostic':
        return maxMinFairness(agnostic(problem), equal);
      case 'max-sum':
        return largestSum(problem);
      case 'energy-cost':
        return this.#leastEnergy(problem, members);
      case 'makespan': {
        const work = members.map(([job]) => workOf(job as JobView));
        return makespan === 'released'
          ? releasedMakespan(problem, work)
          : leastMakespan(problem, work);
      }
      case 'finish-time-fairness':
        return this.#fairFinish(problem, members.flat(), nowS);
    }
  }

  #fairFinish(problem: AllocationProblem, jobs: readonly JobView[], nowS: number): Allocation {
    const work = jobs.map(workOf);
    const rates = isolatedThroughputs(problem);
    const isolatedS = jobs.map((job, i) => {
      const rate = rates[i] as number;
      const left = work[i] as number;
      const before = this.#isolation.get(job);
      const soFarS =
        before === undefined ? 0 : before.soFarS + Math.max(0, before.left - left) / before.rate;
      // Where nothing of its types is available, the rate of before goes on.
      const now = rate > 0 ? rate : (before?.rate ?? 1);
      this.#isolation.set(job, { soFarS, left, rate: now });
      return soFarS + left / now;
    });
    const elapsedS = jobs.map(({ submitS }) => nowS - submitS);
    return finishTimeFairness(problem, { work, elapsedS, isolatedS });
  }

  /** Most work per joule, with watts for the prices of Gavel's cost policy. */
  #leastEnergy(problem: AllocationProblem, members: readonly (readonly JobView[])[]): Allocation {
    const { rates, fairShare } = this.#options;
    const { pairs = [] } = problem;
    const jobOf = (group: number): JobView => members[group]?.[0] as JobView;
    const costs = {
      alone: (group: number, type: number) => rates.powerW(jobOf(group))[type] as number,
      together: (pair: number, type: number) => {
        const [a, b] = (pairs[pair] as JobPair).groups;
        return rates.pairPowerW(jobOf(a), jobOf(b), type);
      },
    };
    if (fairShare === 0) return largestSum(problem, costs);
    const { objective: fair } = maxMinFairness(
      problem,
      members.map(() => 1),
    );
    // Solvers meet constraints to a tolerance, so the floor stays a little below what is feasible.
    const part = Math.min(fairShare, 1 - 1e-6) * fair;
    const floors = proportionalThroughputs(problem).map(
      (rate, group) => (part * rate) / (problem.groups[group]?.gang ?? 1),
    );
    return largestSum(problem, costs, floors);
  }
}

interface Isolation {
  readonly soFarS: number;
  readonly left: number;
  readonly rate: number;
}

const workOf = ({ remainingS }: JobView): number => Math.max(LEAST_WORK_S, remainingS);
