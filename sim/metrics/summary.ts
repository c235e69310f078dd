import type { Books } from '../energy/boundaries.ts';
import type { GpuType } from '../gpu/profile.ts';
import { conservationError } from '../invariants.ts';
import type { EnergySummary, JobRow, SimulationResult, Summary } from '../result.ts';
import type { SimulationState } from '../state.ts';
import { distribution } from './distribution.ts';
import { finishTimeFairness, jainIndex } from './fairness.ts';

/** Relative slack for comparing a time with its bound. */
const SLO_SLACK = 1e-9;

/** The result of a run whose books are closed. */
export function resultOf(state: SimulationState, books: Books): SimulationResult {
  return {
    policy: state.policy.name,
    summary: summarise(state, books),
    jobCount: state.jobs.count,
    jobRow: (index) => jobRow(state, index),
  };
}

function summarise(state: SimulationState, books: Books): Summary {
  const { jobs } = state;
  const done = measuredDone(state, books);
  const jctS = done.map((job) => (jobs.endS[job] as number) - jobs.spec(job).submitS);
  const rho = done.map((job, i) =>
    finishTimeFairness(
      jobs.spec(job),
      jctS[i] as number,
      state.demand.overStay[job] as number,
      state.cluster.gpuCount,
    ),
  );
  const horizonS = books.toS - books.fromS;
  const energyJ = energySummary(
    books,
    done.map((job) => jobs.energyJ[job] as number),
  );
  const jct = distribution(jctS);
  return {
    jobs: {
      submitted: jobs.count,
      done: jobs.inState('done'),
      failed: jobs.inState('failed'),
      rejected: jobs.inState('rejected'),
      rejectedByReason: Object.fromEntries([...state.rejections].sort()),
    },
    jctS: jct,
    queueS: distribution(done.map((job) => jobs.queueS[job] as number)),
    runS: distribution(done.map((job) => jobs.holdS[job] as number)),
    makespanS: state.lastFinishS - state.startS,
    slowdown: distribution(done.map((job) => slowdownOf(state, job))),
    energyJ,
    edpJs: energyJ.total * jct.mean,
    meanPowerW: horizonS > 0 ? energyJ.total / horizonS : 0,
    gpuUtilisation:
      horizonS > 0 ? books.measured.busyGpuS / (horizonS * state.cluster.gpuCount) : 0,
    sloViolations: countViolations(state, books),
    fairness: {
      worstRho: rho.reduce((worst, value) => Math.max(worst, value), 0),
      jain: jainIndex(rho),
    },
    preemptions: measuredTotal(state, books, jobs.preemptions),
    restarts: measuredTotal(state, books, jobs.restarts),
    failures: measuredTotal(state, books, jobs.failures),
    decisions: { count: state.decisionCount, asked: state.askedCount },
    energyCost: books.energyCost,
    carbonGram: books.carbonGram,
    conservationError: conservationError(books),
    pairMeasuredIntervals: state.pairMeasuredIntervals,
  };
}

/** Job statistics are those of the jobs that were submitted in the measured part. */
function isMeasured(state: SimulationState, books: Books, job: number): boolean {
  const { measure } = state.options;
  if (measure === null) return true;
  const { submitS } = state.jobs.spec(job);
  return submitS >= books.fromS && submitS < measure.toS;
}

/** Measured jobs that are done, as numbers in a Float64Array. */
function measuredDone(state: SimulationState, books: Books): Float64Array {
  const { jobs } = state;
  const done: number[] = [];
  for (let job = 0; job < jobs.count; job += 1) {
    if (jobs.isIn(job, 'done') && isMeasured(state, books, job)) done.push(job);
  }
  return Float64Array.from(done);
}

/** Sum over the measured jobs. */
function measuredTotal(state: SimulationState, books: Books, values: Int32Array): number {
  let sum = 0;
  for (let job = 0; job < values.length; job += 1) {
    if (isMeasured(state, books, job)) sum += values[job] as number;
  }
  return sum;
}

function energySummary(books: Books, perJobJ: Float64Array): EnergySummary {
  const { gpuJ, idleJ, contextIdleJ, transitionJ, hostJ } = books.measured;
  const running = Math.max(0, gpuJ - idleJ - contextIdleJ - transitionJ);
  return {
    total: gpuJ + hostJ,
    running,
    contextIdle: contextIdleJ,
    idle: idleJ,
    transition: transitionJ,
    host: hostJ,
    active: running + transitionJ,
    perJobMean: perJobJ.length === 0 ? 0 : total(perJobJ) / perJobJ.length,
  };
}

/** Time running over time alone at full clock on the same GPUs; 1 for a job that did no work. */
function slowdownOf(state: SimulationState, job: number): number {
  const idealS = state.jobs.idealS[job] as number;
  return idealS > 0 ? (state.jobs.runningS[job] as number) / idealS : 1;
}

/**
 * Measured jobs with a deadline or slowdown bound that were not done within it. A job that the policy
 * turned away is one of them; one that could never run here is not.
 */
function countViolations(state: SimulationState, books: Books): number {
  const { jobs } = state;
  let violations = 0;
  for (let job = 0; job < jobs.count; job += 1) {
    const { deadlineS, maxSlowdown } = jobs.spec(job);
    const isBound = deadlineS !== null || maxSlowdown !== null;
    if (isBound && isMeasured(state, books, job) && isViolated(state, job)) violations += 1;
  }
  return violations;
}

function isViolated(state: SimulationState, job: number): boolean {
  const { jobs } = state;
  if (jobs.isIn(job, 'rejected')) return state.turnedAway.has(job);
  const { deadlineS, maxSlowdown, submitS } = jobs.spec(job);
  const jctS = (jobs.endS[job] as number) - submitS;
  const late = deadlineS !== null && jctS > deadlineS * (1 + SLO_SLACK);
  const slow = maxSlowdown !== null && slowdownOf(state, job) > maxSlowdown * (1 + SLO_SLACK);
  return late || slow || jobs.isIn(job, 'failed');
}

function total(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

function jobRow(state: SimulationState, job: number): JobRow {
  const { jobs, cluster } = state;
  const spec = jobs.spec(job);
  const gpus = jobs.lastGpus[job] as readonly number[];
  const endS = jobs.endS[job] as number;
  const types = new Set(gpus.map((gpu) => (cluster.types[cluster.typeOf(gpu)] as GpuType).name));
  return {
    id: spec.id,
    submitS: spec.submitS,
    startS: jobs.startS[job] as number,
    endS,
    state: jobs.state(job),
    gpus,
    gpuTypes: [...types],
    workload: spec.workload,
    queueS: jobs.queueS[job] as number,
    jctS: endS - spec.submitS,
    runS: jobs.holdS[job] as number,
    preemptions: jobs.preemptions[job] as number,
    restarts: jobs.restarts[job] as number,
    slowdown: jobs.isIn(job, 'rejected') ? NaN : slowdownOf(state, job),
    energyJ: jobs.energyJ[job] as number,
    reason: jobs.reasons.get(job) ?? '',
  };
}
