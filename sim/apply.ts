import { turnAway } from './admission.ts';
import { setClock } from './clocks.ts';
import type { Decision } from './decisions.ts';
import { gpuOf, setMode } from './gpu-mode.ts';
import type { JobView } from './job-view.ts';
import { changeShare, migrateJob, preemptJob, startJob } from './lifecycle.ts';
import { sleepNode, wakeNode } from './node-power.ts';
import { checkPlacement, checkSharesOnHeldGpus } from './placement-rules.ts';
import { refuse } from './refuse.ts';
import type { SimulationState } from './state.ts';
import { EVENT } from './time/calendar.ts';

/**
 * Checks a decision and carries it out.
 * @throws {DecisionError} naming the policy, the job, GPU or node, and the rule that it breaks
 */
export function applyDecision(state: SimulationState, decision: Decision): void {
  state.decisionCount += 1;
  checkIsObject(state, decision);
  switch (decision.kind) {
    case 'start': {
      const job = jobOf(state, decision.job, 'start');
      mustBe(state, job, 'start', ['queued']);
      const gpus = gpusFor(state, job, 'start', decision.gpus);
      const shares = sharesFor(state, job, 'start', decision.share, gpus.length);
      checkPlacement(state, job, gpus, shares, 'start');
      startJob(state, job, gpus, shares);
      return;
    }
    case 'preempt': {
      const job = jobOf(state, decision.job, 'preempt');
      if (!state.periodicCheckpoints.has(job)) {
        mustBe(state, job, 'preempt', ['starting', 'running']);
      }
      preemptJob(state, job);
      return;
    }
    case 'migrate': {
      const job = jobOf(state, decision.job, 'migrate');
      mustBe(state, job, 'migrate', ['running']);
      const gpus = gpusFor(state, job, 'migrate', decision.gpus);
      const shares = sharesFor(state, job, 'migrate', decision.share, gpus.length);
      checkPlacement(state, job, gpus, shares, 'migrate');
      migrateJob(state, job, gpus, shares);
      return;
    }
    case 'set-share': {
      const job = jobOf(state, decision.job, 'set-share');
      mustBe(state, job, 'set-share', ['running']);
      const held = state.jobs.gpus[job] as readonly number[];
      const shares = sharesFor(state, job, 'set-share', decision.share, held.length);
      checkSharesOnHeldGpus(state, job, held, shares);
      changeShare(state, job, shares);
      return;
    }
    case 'reject': {
      const job = jobOf(state, decision.job, 'reject');
      const what = `reject of job '${state.jobs.spec(job).id}'`;
      mustBe(state, job, 'reject', ['queued']);
      if (!Number.isNaN(state.jobs.startS[job])) {
        refuse(
          state,
          what,
          'the job has started before; only one that never has can be turned away',
        );
      }
      const reason: unknown = decision.reason;
      if (typeof reason !== 'string') {
        refuse(state, what, `reason is ${String(reason)}, expected a text`);
      }
      if (reason === '') refuse(state, what, 'reason is empty, expected a text');
      turnAway(state, job, reason);
      return;
    }
    case 'set-clock': {
      const gpu = gpuOf(state, decision.gpu, 'set-clock');
      const type = state.gpuType(gpu);
      if (!type.clocksMhz.includes(decision.clockMhz)) {
        refuse(
          state,
          `set-clock of gpu ${gpu}`,
          `${decision.clockMhz} MHz is not a clock of ${type.name} (${type.clocksMhz[0]} .. ${type.clocksMhz.at(-1)} MHz, ${type.clocksMhz.length} steps)`,
        );
      }
      setClock(state, gpu, decision.clockMhz / type.referenceClockMhz);
      return;
    }
    case 'set-cap': {
      const gpu = gpuOf(state, decision.gpu, 'set-cap');
      const { min, max } = state.gpuType(gpu).powerLimitW;
      if (!(decision.powerCapW >= min && decision.powerCapW <= max)) {
        refuse(
          state,
          `set-cap of gpu ${gpu}`,
          `${decision.powerCapW} W is outside ${min} .. ${max} W of ${state.gpuType(gpu).name}`,
        );
      }
      if (state.capW[gpu] === decision.powerCapW) return;
      state.capW[gpu] = decision.powerCapW;
      state.markGpu(gpu);
      return;
    }
    case 'set-mode':
      setMode(state, decision);
      return;
    case 'sleep':
      sleepNode(state, decision.node);
      return;
    case 'wake':
      wakeNode(state, decision.node);
      return;
    case 'call-back': {
      if (!(decision.atS > state.nowS) || decision.atS === Infinity) {
        refuse(state, 'call-back', `${decision.atS} s is not a time after now (${state.nowS} s)`);
      }
      state.calendar.schedule(decision.atS, EVENT.policyTimer, 0);
      return;
    }
    default:
      refuse(state, 'decision', `unknown kind '${String((decision as { kind: unknown }).kind)}'`);
  }
}

function jobOf(state: SimulationState, view: JobView, what: string): number {
  const index = (view as JobView | undefined)?.index;
  const known = typeof index === 'number' && index >= 0 && index < state.jobs.count;
  if (!known || state.jobs.isIn(index, 'submitted') || state.view(index) !== view) {
    refuse(state, what, 'the job is not one of this run, or has finished');
  }
  return index;
}

function mustBe(
  state: SimulationState,
  job: number,
  what: string,
  allowed: readonly string[],
): void {
  const actual = state.jobs.state(job);
  if (allowed.includes(actual)) return;
  refuse(
    state,
    `${what} of job '${state.jobs.spec(job).id}'`,
    `the job is ${actual}, expected ${allowed.join(' or ')}`,
  );
}

function gpusFor(
  state: SimulationState,
  job: number,
  what: string,
  given: unknown,
): readonly number[] {
  if (isArray(given)) return given.slice();
  const id = state.jobs.spec(job).id;
  return refuse(state, `${what} of job '${id}'`, `gpus is ${String(given)}, expected an array`);
}

// Policies may be written in JavaScript: what a decision is made of is checked, not believed.

function checkIsObject(state: SimulationState, decision: unknown): void {
  if (typeof decision === 'object' && decision !== null) return;
  refuse(state, 'decision', `it is ${String(decision)}, expected an object`);
}

function isArray(value: unknown): value is readonly number[] {
  return Array.isArray(value);
}

function sharesFor(
  state: SimulationState,
  job: number,
  what: string,
  given: number | readonly number[] | undefined,
  count: number,
): readonly number[] {
  const share: unknown = given ?? state.jobs.spec(job).share;
  if (share === 1) return wholeGpus(count);
  if (typeof share !== 'number' && !isArray(share)) {
    const id = state.jobs.spec(job).id;
    return refuse(
      state,
      `${what} of job '${id}'`,
      `share is ${String(share)}, expected a number or an array`,
    );
  }
  const shares = typeof share === 'number' ? new Array<number>(count).fill(share) : [...share];
  const bad = shares.find((value) => !(value > 0 && value <= 1));
  if (shares.length !== count || bad !== undefined) {
    refuse(
      state,
      `${what} of job '${state.jobs.spec(job).id}'`,
      bad === undefined
        ? `${shares.length} shares for ${count} gpus`
        : `share ${bad} is outside (0, 1]`,
    );
  }
  return shares;
}

const WHOLE: (readonly number[])[] = [];

/** Shares of 1 on `count` GPUs; the same array each time. */
function wholeGpus(count: number): readonly number[] {
  WHOLE[count] ??= new Array<number>(count).fill(1);
  return WHOLE[count];
}
