import {
  type Allocation,
  type AllocationProblem,
  agnostic,
  finishTimeFairness,
  isolatedThroughputs,
  type JobGroup,
  type JobPair,
  largestSum,
  maxMinFairness,
  releasedMakespan,
} from '../../../policies/gavel/index.ts';
import { type Solver, simplex } from '../../../policies/lp/index.ts';
import { conicForm, ecosPoint } from '../ecos/index.ts';
import { type ActiveJob, type JobCombination, stepsLeft } from './combinations.ts';
import { finishTimeCone } from './finish-time-cone.ts';
import type { Allocate, GavelAllocation, GavelState } from './rule.ts';

/** How the rule sees throughputs: as they are, all of them the first's type, or none. */
type Sight = 'types' | 'v100' | 'none';

/** Variables, and jobs in a cone program, up to which the path of ECOS is taken: it costs their cube. */
const MOST_VARIABLES = 1000;
const MOST_CONES = 50;

/**
 * Solves as the peer does, with ECOS: among several optima it ends in their middle. The status comes
 * from the simplex method, and so does the solution where ECOS finds none, or would take too long.
 */
const ecos: Solver = (program) => {
  const corner = simplex(program);
  if (corner.status !== 'optimal' || program.variableCount > MOST_VARIABLES) return corner;
  const middle = ecosPoint(conicForm(program));
  if (middle === null) return corner;
  const objective = program.costs.reduce((sum, cost, i) => sum + cost * (middle[i] as number), 0);
  return { ...corner, objective, values: middle };
};

/** The state as a problem: every job a group of one. */
function problemOf(
  { jobs, pairs, gpus, workerTypes }: GavelState,
  sight: Sight,
): AllocationProblem {
  const fastest = workerTypes.indexOf('v100');
  const groups = jobs.map(
    ({ gang, rates }): JobGroup => ({
      jobs: 1,
      gang,
      throughputs:
        sight === 'v100' && fastest >= 0 ? rates.map(() => rates[fastest] as number) : rates,
    }),
  );
  const numbers = new Map(jobs.map((job, i) => [job, i]));
  const together = pairs.map(
    ({ jobs: [first, second], rates }): JobPair => ({
      groups: [numbers.get(first as ActiveJob) ?? -1, numbers.get(second as ActiveJob) ?? -1],
      throughputs: gpus.map((_, type) => [rates[0]?.[type] as number, rates[1]?.[type] as number]),
    }),
  );
  const problem = { gpus, groups, pairs: together, oversized: true };
  return sight === 'none' ? agnostic(problem) : problem;
}

/**
 * Digits of ECOS's answer that its path decides and its rounding does not: jobs that are alike get equal
 * shares only to these. Of a cone program more are sure, as nothing in it is alike but equal jobs.
 */
const SURE_DIGITS = { linear: 6, cone: 10 };

function sharesOf(
  { jobs, pairs }: GavelState,
  { alone, together }: Allocation,
  digits: number,
): GavelAllocation {
  const rounded = (shares: Float64Array): Float64Array =>
    shares.map((share) => Number(share.toPrecision(digits)));
  const shares = new Map<JobCombination, ArrayLike<number>>();
  jobs.forEach((job, i) => {
    shares.set(job.alone, rounded(alone[i] as Float64Array));
  });
  pairs.forEach((pair, i) => {
    shares.set(pair, rounded(together[i] as Float64Array));
  });
  return shares;
}

/** Max-min fairness (`max_min_fairness`, `_perf`, `_packed`). */
export function maxMin(sight: Sight): Allocate {
  return (state) => {
    if (state.jobs.length === 0) return new Map();
    const weights = state.jobs.map(({ spec }) => spec.weight);
    return sharesOf(
      state,
      maxMinFairness(problemOf(state, sight), weights, ecos),
      SURE_DIGITS.linear,
    );
  };
}

/** Finish-time fairness, Themis (`finish_time_fairness`, `_perf`, `_packed`). */
export function fairFinish(sight: Sight): Allocate {
  let last = new Map<ActiveJob, { readonly steps: number; readonly rate: number }>();
  const isolatedS = new Map<ActiveJob, number>();
  return (state) => {
    const { jobs, nowS } = state;
    const problem = problemOf(state, sight);
    const rates = isolatedThroughputs(problem);
    const work = jobs.map(stepsLeft);
    const seen = new Map<ActiveJob, { steps: number; rate: number }>();
    jobs.forEach((job, i) => {
      const before = last.get(job);
      const steps = work[i] as number;
      if (before !== undefined) {
        isolatedS.set(job, (isolatedS.get(job) ?? 0) + (before.steps - steps) / before.rate);
      }
      seen.set(job, { steps, rate: rates[i] as number });
    });
    last = seen;
    if (jobs.length === 0) return new Map();
    const progress = {
      work,
      elapsedS: jobs.map(({ spec }) => nowS - spec.arrivalS),
      isolatedS: jobs.map(
        (job, i) => (isolatedS.get(job) ?? 0) + (work[i] as number) / (rates[i] as number),
      ),
    };
    if (jobs.length > MOST_CONES) {
      return sharesOf(state, finishTimeFairness(problem, progress, ecos), SURE_DIGITS.linear);
    }
    return sharesOf(state, finishTimeCone(problem, progress), SURE_DIGITS.cone);
  };
}

/** Makespan within 5 % (`min_total_duration`, `_perf`, `_packed`). */
export function shortestDuration(sight: Sight): Allocate {
  return (state) => {
    if (state.jobs.length === 0) return new Map();
    return sharesOf(
      state,
      releasedMakespan(problemOf(state, sight), state.jobs.map(stepsLeft), ecos),
      SURE_DIGITS.linear,
    );
  };
}

/** Sum of throughputs (`max_sum_throughput_perf`). */
export function mostSteps(): Allocate {
  return (state) => {
    if (state.jobs.length === 0) return new Map();
    return sharesOf(
      state,
      largestSum(problemOf(state, 'types'), undefined, null, ecos),
      SURE_DIGITS.linear,
    );
  };
}
