import { jobArrives } from './admission.ts';
import { applyDecision } from './apply.ts';
import { checkJobs, checkOptions } from './check-config.ts';
import { clockSettled } from './clocks.ts';
import { Boundaries } from './energy/boundaries.ts';
import { DecisionError, InvariantError } from './errors.ts';
import {
  clientFails,
  gpuFails,
  gpuRepaired,
  nodeFails,
  nodeRepaired,
  scheduleFailures,
} from './failures.ts';
import { checkBooks, checkInstant, unfinished } from './invariants.ts';
import { checkpointDue, checkpointWritten, completeJob, jobReady } from './lifecycle.ts';
import { LiveView } from './live-view.ts';
import { resultOf } from './metrics/summary.ts';
import { nodeAwake } from './node-power.ts';
import type { Observer, SimulationResult } from './result.ts';
import { settle } from './settle.ts';
import { type SimulationConfig, SimulationState } from './state.ts';
import { EVENT, type EventKind, NO_EVENT } from './time/calendar.ts';
import type { DecisionMaker } from './view.ts';

export type { SimulationConfig } from './state.ts';

/** Instants without any change of a job or the cluster after which a run is given up. */
const IDLE_LIMIT = 1_000_000;
/** Instants between two reports of progress. */
const PROGRESS_EVERY = 4096;

/**
 * Runs jobs on a cluster under a policy, event by event: all events of an instant in the order
 * (kind, age), then the policy once, then speeds and watts. An instant at which only the books are
 * read is none for the policy. Pure but for the observer: the same configuration and policy give the
 * same result.
 *
 * @throws {DecisionError} when the policy takes an impossible decision
 * @throws {InvariantError} when jobs are left over, or energy is not conserved
 * @throws {RangeError} on a configuration that makes no sense (cluster, jobs, options)
 */
export function simulate(
  config: SimulationConfig,
  policy: DecisionMaker,
  observer: Observer = {},
): SimulationResult {
  checkJobs(config.jobs);
  checkOptions(config.options);
  const state = new SimulationState(config, policy, observer);
  const boundaries = new Boundaries(state);
  const view = new LiveView(state);
  for (let gpu = 0; gpu < state.cluster.gpuCount; gpu += 1) state.markGpu(gpu);
  settle(state);
  scheduleFailures(state);
  scheduleNextArrival(state);

  let instants = 0;
  let idle = 0;
  while (state.jobs.finished < state.jobs.count) {
    const { nextS } = state.calendar;
    if (nextS === Infinity) throw stuck(state, 'nothing more will happen');
    const changes = state.changes;
    state.nowS = nextS;
    let isAsked = false;
    while (state.calendar.nextS === nextS) {
      const kind = state.calendar.pop();
      handle(state, boundaries, kind);
      isAsked ||= kind !== EVENT.boundary;
    }
    if (isAsked && state.jobs.finished < state.jobs.count) askPolicy(state, view);
    settle(state);
    if (state.options.paranoid) checkInstant(state);
    instants += 1;
    if (instants % PROGRESS_EVERY === 0) {
      state.observer.progress?.(state.jobs.finished, state.jobs.count);
    }
    idle = state.changes === changes ? idle + 1 : 0;
    if (idle > IDLE_LIMIT) throw stuck(state, `nothing has changed for ${IDLE_LIMIT} events`);
  }
  state.observer.progress?.(state.jobs.finished, state.jobs.count);
  const books = boundaries.close();
  checkBooks(state, books);
  return resultOf(state, books);
}

/** One arrival at a time is in the calendar: jobs come in order of submission. */
function scheduleNextArrival(state: SimulationState): void {
  const job = state.nextArrival;
  if (job >= state.jobs.count) return;
  state.nextArrival += 1;
  state.calendar.schedule(state.jobs.spec(job).submitS, EVENT.arrival, job);
}

function handle(state: SimulationState, boundaries: Boundaries, kind: EventKind): void {
  const target = state.calendar.poppedTarget;
  switch (kind) {
    case EVENT.completion:
      completeJob(state, target);
      return;
    case EVENT.checkpointed:
      checkpointWritten(state, target);
      return;
    case EVENT.gpuFailure:
      gpuFails(state, target);
      return;
    case EVENT.nodeFailure:
      nodeFails(state, target);
      return;
    case EVENT.clientFailure:
      clientFails(state, target);
      return;
    case EVENT.gpuRepair:
      gpuRepaired(state, target);
      return;
    case EVENT.nodeRepair:
      nodeRepaired(state, target);
      return;
    case EVENT.ready:
      jobReady(state, target);
      return;
    case EVENT.clockSettled:
      clockSettled(state, target);
      return;
    case EVENT.nodeAwake:
      nodeAwake(state, target);
      return;
    case EVENT.contextExpired:
      state.contextEvent[target] = NO_EVENT;
      state.markGpu(target);
      return;
    case EVENT.checkpointDue:
      checkpointDue(state, target);
      return;
    case EVENT.arrival:
      jobArrives(state, target);
      scheduleNextArrival(state);
      return;
    case EVENT.policyTimer:
      return;
    case EVENT.boundary:
      boundaries.reached(target);
      return;
  }
}

function askPolicy(state: SimulationState, view: LiveView): void {
  const { observer, policy } = state;
  const startMs = observer.stopwatchMs?.() ?? 0;
  state.askedCount += 1;
  const entered = state.entered.length;
  const left = state.left.length;
  const decisions = policy.decide(view) as Iterable<never> | undefined | null;
  if (typeof decisions?.[Symbol.iterator] !== 'function') {
    throw new DecisionError(
      `policy '${policy.name}': decide returned ${typeof decisions}, expected an array or a generator of decisions`,
    );
  }
  for (const decision of decisions) applyDecision(state, decision);
  forgetFirst(state.entered, entered);
  forgetFirst(state.left, left);
  if (observer.stopwatchMs !== undefined) observer.decided?.(observer.stopwatchMs() - startMs);
}

/** What the policy's own decisions added stays for its next call. */
function forgetFirst(list: unknown[], count: number): void {
  if (count === list.length) while (list.length > 0) list.pop();
  else list.splice(0, count);
}

function stuck(state: SimulationState, why: string): InvariantError {
  return new InvariantError(
    `policy '${state.policy.name}' left jobs over at ${state.nowS} s, ${why}: ${unfinished(state)}`,
  );
}
