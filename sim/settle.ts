import { CATEGORY } from './energy/ledger.ts';
import type { OperatingPoint } from './gpu/evaluate.ts';
import { contextPowerW } from './gpu/power.ts';
import type { SimulationState } from './state.ts';
import { EVENT, NO_EVENT } from './time/calendar.ts';

const workloads: number[] = [];
const shares: number[] = [];

/**
 * Makes speeds and watts follow from what changed at this instant: operating points of the GPUs that
 * changed, rates and completions of their jobs, then the power of every GPU that those jobs hold.
 *
 * A gang runs at the speed of its slowest member, times its scaling. Contention on a GPU follows from its residents'
 * demands there; the dynamic power of a member that waits for a slower one falls with the speed that
 * the gang achieves, so there is no fixed point across GPUs (DESIGN section 4).
 */
export function settle(state: SimulationState): void {
  const { dirtyGpus, dirtyJobs, jobs } = state;
  const changedGpus = dirtyGpus.size;
  if (changedGpus === 0) return;
  for (let i = 0; i < changedGpus; i += 1) findOperatingPoint(state, dirtyGpus.at(i));
  for (let i = 0; i < dirtyJobs.size; i += 1) setRate(state, dirtyJobs.at(i));
  // A gang that changed its speed changes the power of all its GPUs.
  for (let i = 0; i < dirtyJobs.size; i += 1) {
    const gpus = jobs.gpus[dirtyJobs.at(i)] as readonly number[];
    if (gpus.length > 1) for (const gpu of gpus) dirtyGpus.add(gpu);
  }
  for (let i = 0; i < dirtyGpus.size; i += 1) setGpuPower(state, dirtyGpus.at(i));
  for (let i = 0; i < dirtyJobs.size; i += 1) setJobPower(state, dirtyJobs.at(i));
  dirtyGpus.clear();
  dirtyJobs.clear();
}

function findOperatingPoint(state: SimulationState, gpu: number): void {
  const { cluster, jobs } = state;
  const residents = cluster.residents[gpu] as readonly number[];
  const held = cluster.shares[gpu] as readonly number[];
  const running = state.pointJobs[gpu] as number[];
  empty(running);
  empty(workloads);
  empty(shares);
  for (let slot = 0; slot < residents.length; slot += 1) {
    const job = residents[slot] as number;
    if (!jobs.isIn(job, 'running')) continue;
    running.push(job);
    workloads.push(jobs.workload[job] as number);
    shares.push(held[slot] as number);
    state.markJob(job);
  }
  const point = running.length === 0 ? null : operatingPoint(state, gpu);
  state.points[gpu] = point;
  if (point?.pairMeasured === true) state.pairMeasuredIntervals += 1;
}

/** The point for the residents in the scratch lists. */
function operatingPoint(state: SimulationState, gpu: number): OperatingPoint {
  const { physics, cluster } = state;
  const type = cluster.typeOf(gpu);
  const atDefaults =
    state.clockX[gpu] === 1 && state.capW[gpu] === state.gpuType(gpu).powerLimitW.default;
  if (atDefaults && workloads.length === 1 && shares[0] === 1) {
    return physics.soloPoint(type, workloads[0] as number);
  }
  return physics.point(type, workloads, shares, state.setting(gpu));
}

/** Faster than `length = 0` for the few elements that there are. */
function empty(list: number[]): void {
  while (list.length > 0) list.pop();
}

function setRate(state: SimulationState, job: number): void {
  const { jobs, calendar, nowS } = state;
  jobs.advance(job, nowS);
  const stepS = slowestStepS(state, job);
  const rate = ((jobs.referenceStepS[job] as number) / stepS) * (jobs.gangFactor[job] as number);
  const event = jobs.completion[job] as number;
  if (event !== NO_EVENT) {
    if (rate === jobs.rate[job]) return;
    calendar.cancel(event);
  }
  jobs.rate[job] = rate;
  jobs.progressAtS[job] = nowS;
  const endS = nowS + (jobs.remaining[job] as number) / rate;
  jobs.completion[job] = calendar.schedule(endS, EVENT.completion, job);
}

function slowestStepS(state: SimulationState, job: number): number {
  let slowest = 0;
  for (const gpu of state.jobs.gpus[job] as readonly number[]) {
    const point = state.points[gpu] as OperatingPoint;
    const stepS = point.stepS[(state.pointJobs[gpu] as number[]).indexOf(job)] as number;
    if (stepS > slowest) slowest = stepS;
  }
  return slowest;
}

/** Context power at the clock that the GPU runs at. */
function contextW(state: SimulationState, gpu: number): number {
  const lockedX = state.clockX[gpu] as number;
  return contextPowerW(state.gpuType(gpu), state.points[gpu]?.clockX ?? lockedX);
}

/** Dynamic power of the job in a slot of a GPU at the speed that it achieves. */
function achievedW(state: SimulationState, gpu: number, slot: number): number {
  const { jobs } = state;
  const job = (state.pointJobs[gpu] as number[])[slot] as number;
  const point = state.points[gpu] as OperatingPoint;
  const watts = point.dynamicW[slot] as number;
  const gpus = jobs.gpus[job] as readonly number[];
  if (gpus.length === 1 && jobs.gangFactor[job] === 1) return watts;
  const possible = (jobs.referenceStepS[job] as number) / (point.stepS[slot] as number);
  const rate = jobs.rate[job] as number;
  const own = jobs.spec(job).gpuCount;
  if (gpus.length === own) return (watts * rate) / possible;
  // A smaller gang loses less to its members' talk, but no GPU draws more than it does alone.
  return watts * Math.min(1, (rate * own) / (possible * gpus.length));
}

function setGpuPower(state: SimulationState, gpu: number): void {
  const { cluster, ledger, nowS } = state;
  const residents = (cluster.residents[gpu] as readonly number[]).length;
  const type = state.gpuType(gpu);
  const nodeState = cluster.nodeState(cluster.nodeOf(gpu));
  if (nodeState === 'failed' || !cluster.gpuWorks(gpu)) {
    ledger.set(gpu, nowS, 0, 0, CATEGORY.idle, false);
  } else if (nodeState === 'asleep') {
    ledger.set(gpu, nowS, type.sleepPowerW, type.sleepPowerW, CATEGORY.idle, false);
  } else if (nodeState === 'waking') {
    ledger.set(gpu, nowS, type.idlePowerW, type.idlePowerW, CATEGORY.transition, false);
  } else if (residents === 0) {
    const holds = state.contextEvent[gpu] !== NO_EVENT;
    const powerW = holds ? contextW(state, gpu) : type.idlePowerW;
    ledger.set(gpu, nowS, powerW, powerW, holds ? CATEGORY.contextIdle : CATEGORY.idle, false);
  } else {
    const running = (state.pointJobs[gpu] as number[]).length;
    const residentW = contextW(state, gpu);
    let powerW = residentW;
    for (let slot = 0; slot < running; slot += 1) powerW += achievedW(state, gpu, slot);
    const unchargedW = (residentW * (residents - running)) / residents;
    ledger.set(gpu, nowS, powerW, unchargedW, CATEGORY.transition, running > 0);
  }
  if (state.observer.gpuState !== undefined) report(state, gpu);
}

function setJobPower(state: SimulationState, job: number): void {
  const { jobs, cluster } = state;
  let powerW = 0;
  for (const gpu of jobs.gpus[job] as readonly number[]) {
    const residents = (cluster.residents[gpu] as readonly number[]).length;
    const slot = (state.pointJobs[gpu] as number[]).indexOf(job);
    powerW += achievedW(state, gpu, slot) + contextW(state, gpu) / residents;
  }
  jobs.powerW[job] = powerW;
}

/** Tells the observer what a GPU does from now on. */
function report(state: SimulationState, gpu: number): void {
  const { observer, cluster, jobs, ledger, nowS } = state;
  const lockedX = state.clockX[gpu] as number;
  const clockX = state.points[gpu]?.clockX ?? lockedX;
  observer.gpuState?.({
    gpu,
    fromS: nowS,
    residents: (cluster.residents[gpu] as readonly number[]).map((job) => jobs.spec(job).id),
    shares: [...(cluster.shares[gpu] as readonly number[])],
    clockMhz: clockX * state.gpuType(gpu).referenceClockMhz,
    powerW: ledger.powerW(gpu),
  });
}
