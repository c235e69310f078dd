import { costS, leaveGpus, markGpusOf, occupy, takeGpus, vacate } from './holding.ts';
import { exponential } from './random.ts';
import type { SimulationState } from './state.ts';
import { EVENT, NO_EVENT } from './time/calendar.ts';

/**
 * What happens to a job from start to end. Every function leaves GPUs and jobs marked; speeds and
 * watts follow in {@link settle}.
 */

/** A queued job takes its GPUs and starts (or restarts, when it has held GPUs before). */
export function startJob(
  state: SimulationState,
  job: number,
  gpus: readonly number[],
  shares: readonly number[],
): void {
  const { jobs, nowS } = state;
  state.queue.delete(job);
  state.active.append(job);
  state.ledger.unmark();
  const first = Number.isNaN(jobs.startS[job]);
  if (first) jobs.startS[job] = nowS;
  else jobs.restarts[job] = (jobs.restarts[job] as number) + 1;
  for (let i = 0; i < gpus.length; i += 1) {
    occupy(state, job, gpus[i] as number, shares[i] as number);
  }
  takeGpus(state, job, gpus);
  beginStart(state, job, costS(state, job, first ? 'start' : 'restart'));
}

/** The job makes no progress for `delayS`, then runs. */
function beginStart(state: SimulationState, job: number, delayS: number): void {
  const { jobs, nowS } = state;
  state.changes += 1;
  if (delayS <= 0) {
    runJob(state, job);
    return;
  }
  jobs.enter(job, 'starting', nowS);
  jobs.phaseEnd[job] = state.calendar.schedule(nowS + delayS, EVENT.ready, job);
}

/** A start or restart is over. */
export function jobReady(state: SimulationState, job: number): void {
  state.jobs.phaseEnd[job] = NO_EVENT;
  runJob(state, job);
}

function runJob(state: SimulationState, job: number): void {
  const { jobs, nowS } = state;
  jobs.enter(job, 'running', nowS);
  jobs.progressAtS[job] = nowS;
  jobs.rate[job] = 0;
  state.changes += 1;
  markGpusOf(state, job);
  const { checkpointIntervalS, failures } = state.options;
  if (checkpointIntervalS < Infinity) {
    const dueS = nowS + checkpointIntervalS;
    jobs.checkpointDue[job] = state.calendar.schedule(dueS, EVENT.checkpointDue, job);
  }
  if (failures.clientMtbfS < Infinity) {
    const faultS = nowS + exponential(state.faultRandom.of(job), failures.clientMtbfS);
    jobs.fault[job] = state.calendar.schedule(faultS, EVENT.clientFailure, job);
  }
}

/** A running job stops making progress; its books are closed. */
function pauseJob(state: SimulationState, job: number): void {
  const { jobs, nowS } = state;
  jobs.advance(job, nowS);
  jobs.rate[job] = 0;
  jobs.powerW[job] = 0;
  state.cancel(jobs.completion, job);
  state.cancel(jobs.checkpointDue, job);
  state.cancel(jobs.fault, job);
  markGpusOf(state, job);
}

export function completeJob(state: SimulationState, job: number): void {
  const { jobs } = state;
  jobs.completion[job] = NO_EVENT;
  pauseJob(state, job);
  jobs.remaining[job] = 0;
  endJob(state, job, 'done');
}

function endJob(state: SimulationState, job: number, as: 'done' | 'failed'): void {
  const { jobs, nowS } = state;
  leaveGpus(state, job);
  jobs.enter(job, as, nowS);
  jobs.endS[job] = nowS;
  state.demand.finished(job, jobs.spec(job), nowS);
  state.lastFinishS = nowS;
  // Should no job start any more, the books end here.
  if (state.active.size === 0) state.ledger.mark(nowS);
  state.changes += 1;
  state.left.push(state.view(job));
  state.forgetView(job);
}

/** Preemption: a running job writes a checkpoint first; one that still starts just goes back. */
export function preemptJob(state: SimulationState, job: number): void {
  const { jobs } = state;
  jobs.preemptions[job] = (jobs.preemptions[job] as number) + 1;
  if (jobs.isIn(job, 'starting')) {
    state.cancel(jobs.phaseEnd, job);
    requeueJob(state, job);
    return;
  }
  // A periodic checkpoint that is being written serves: the job then leaves instead of going on.
  if (!state.periodicCheckpoints.delete(job)) beginCheckpoint(state, job);
}

/** Preemption to go on elsewhere; the new GPUs are reserved from now on. */
export function migrateJob(
  state: SimulationState,
  job: number,
  gpus: readonly number[],
  shares: readonly number[],
): void {
  const held = state.jobs.gpus[job] as readonly number[];
  gpus.forEach((gpu, i) => {
    if (!held.includes(gpu)) occupy(state, job, gpu, shares[i] as number);
  });
  state.migrations.set(job, { gpus, shares });
  beginCheckpoint(state, job);
}

/** A periodic checkpoint is due. */
export function checkpointDue(state: SimulationState, job: number): void {
  state.jobs.checkpointDue[job] = NO_EVENT;
  beginCheckpoint(state, job, true);
}

function beginCheckpoint(state: SimulationState, job: number, goesOn = false): void {
  const { jobs, nowS } = state;
  pauseJob(state, job);
  state.changes += 1;
  if (goesOn) state.periodicCheckpoints.add(job);
  const delayS = costS(state, job, 'checkpoint');
  jobs.enter(job, 'checkpointing', nowS);
  if (delayS <= 0) checkpointWritten(state, job);
  else jobs.phaseEnd[job] = state.calendar.schedule(nowS + delayS, EVENT.checkpointed, job);
}

/** A checkpoint is on disk: the job goes on, moves, or goes back to the queue. */
export function checkpointWritten(state: SimulationState, job: number): void {
  const { jobs } = state;
  jobs.phaseEnd[job] = NO_EVENT;
  jobs.savedRemaining[job] = jobs.remaining[job] as number;
  if (state.periodicCheckpoints.delete(job)) {
    runJob(state, job);
    return;
  }
  const migration = state.migrations.get(job);
  if (migration === undefined) {
    requeueJob(state, job);
    return;
  }
  state.migrations.delete(job);
  for (const gpu of jobs.gpus[job] as readonly number[]) {
    const slot = migration.gpus.indexOf(gpu);
    if (slot < 0) vacate(state, job, gpu);
    else {
      state.cluster.setShare(gpu, job, migration.shares[slot] as number);
      state.markGpu(gpu);
    }
  }
  takeGpus(state, job, migration.gpus);
  jobs.restarts[job] = (jobs.restarts[job] as number) + 1;
  beginStart(state, job, costS(state, job, 'restart'));
}

/**
 * A new MPS share restarts the client (calibration C9), which goes on from a checkpoint that it writes
 * before: a migration to the GPUs that it holds. The share holds from the restart on.
 */
export function changeShare(state: SimulationState, job: number, shares: readonly number[]): void {
  migrateJob(state, job, state.jobs.gpus[job] as readonly number[], shares);
}

/**
 * A GPU that was reserved for a migration is lost: the job stays where it is. It goes on once the
 * checkpoint that it writes is on disk, as after a periodic one.
 */
export function cancelMigration(state: SimulationState, job: number): void {
  releaseReserved(state, job);
  state.periodicCheckpoints.add(job);
}

/** Gives back the GPUs that a job has reserved for a migration, if any. */
function releaseReserved(state: SimulationState, job: number): void {
  const migration = state.migrations.get(job);
  if (migration === undefined) return;
  const held = state.jobs.gpus[job] as readonly number[];
  for (const gpu of migration.gpus) if (!held.includes(gpu)) vacate(state, job, gpu);
  state.migrations.delete(job);
}

/**
 * A fault under the job: it falls back to its last checkpoint and queues again, or is given up after
 * `maxFailures`.
 */
export function failJob(state: SimulationState, job: number): void {
  const { jobs } = state;
  if (jobs.isIn(job, 'running')) pauseJob(state, job);
  state.cancel(jobs.phaseEnd, job);
  state.periodicCheckpoints.delete(job);
  releaseReserved(state, job);
  jobs.remaining[job] = jobs.savedRemaining[job] as number;
  const failures = (jobs.failures[job] as number) + 1;
  jobs.failures[job] = failures;
  if (failures > state.options.failures.maxFailures) endJob(state, job, 'failed');
  else requeueJob(state, job);
}

function requeueJob(state: SimulationState, job: number): void {
  leaveGpus(state, job);
  state.left.push(state.view(job));
  enqueueJob(state, job);
}

/** The job waits from now on. */
export function enqueueJob(state: SimulationState, job: number): void {
  state.jobs.enter(job, 'queued', state.nowS);
  state.queue.add(job);
  state.entered.push(state.view(job));
  state.changes += 1;
}
