import type { WorkloadProfile } from './gpu/profile.ts';
import { relativeGangSpeed } from './gpu/scaling.ts';
import { NO_GPUS } from './job-table.ts';
import type { Cost } from './options.ts';
import type { SimulationState } from './state.ts';
import { EVENT } from './time/calendar.ts';

/** How a job holds GPUs: becoming a resident and leaving, what that costs, what it does alone there. */

/** Seconds that a start, restart or checkpoint of a job takes on the slowest of the GPUs it holds. */
export function costS(
  state: SimulationState,
  job: number,
  phase: 'start' | 'restart' | 'checkpoint',
): number {
  const cost: Cost = state.options.costs[phase];
  if (cost !== 'profile') return cost;
  const workload = state.jobs.workload[job] as number;
  let slowestS = 0;
  for (const gpu of state.jobs.gpus[job] as readonly number[]) {
    const profile = state.physics.profile(workload, state.cluster.typeOf(gpu)) as WorkloadProfile;
    slowestS = Math.max(slowestS, profile[`${phase}S`]);
  }
  return slowestS;
}

/** The job becomes a resident of a GPU. */
export function occupy(state: SimulationState, job: number, gpu: number, share: number): void {
  const memoryGib = state.memoryGib(job, state.cluster.typeOf(gpu));
  state.cluster.addResident(gpu, job, share, memoryGib);
  state.cancel(state.contextEvent, gpu);
  state.markGpu(gpu);
}

/** The job leaves a GPU, which may keep its context for a while. */
export function vacate(state: SimulationState, job: number, gpu: number): void {
  const memoryGib = state.memoryGib(job, state.cluster.typeOf(gpu));
  state.cluster.removeResident(gpu, job, memoryGib);
  state.markGpu(gpu);
  const holdS = state.options.contextHoldS;
  if (holdS > 0 && state.cluster.isFree(gpu)) {
    state.contextEvent[gpu] = state.calendar.schedule(
      state.nowS + holdS,
      EVENT.contextExpired,
      gpu,
    );
  }
}

/** The job leaves all its GPUs. */
export function leaveGpus(state: SimulationState, job: number): void {
  const { jobs } = state;
  for (const gpu of jobs.gpus[job] as readonly number[]) vacate(state, job, gpu);
  jobs.gpus[job] = NO_GPUS;
  state.active.remove(job);
}

/** Marks the GPUs of a job as changed. */
export function markGpusOf(state: SimulationState, job: number): void {
  for (const gpu of state.jobs.gpus[job] as readonly number[]) state.markGpu(gpu);
}

/** The job holds these GPUs now: what it would do alone on them. */
export function takeGpus(state: SimulationState, job: number, gpus: readonly number[]): void {
  const { jobs, physics, cluster } = state;
  jobs.gpus[job] = gpus;
  jobs.lastGpus[job] = gpus;
  const workload = jobs.workload[job] as number;
  let slowestS = 0;
  for (const gpu of gpus) {
    slowestS = Math.max(slowestS, physics.soloStepS(workload, cluster.typeOf(gpu)));
  }
  const own = jobs.spec(job).gpuCount;
  const factor = gpus.length === 1 && own === 1 ? 1 : gangFactor(state, workload, own, gpus);
  jobs.gangFactor[job] = factor;
  jobs.soloRate[job] = ((jobs.referenceStepS[job] as number) / slowestS) * factor;
}

/**
 * Speed of a gang over that of the job's own gang on as few nodes as can hold it. Of GPU types whose
 * profiles scale differently, the worst counts.
 */
function gangFactor(
  state: SimulationState,
  workload: number,
  own: number,
  gpus: readonly number[],
): number {
  const { cluster, physics } = state;
  const nodes = new Set<number>();
  let largest = 1;
  let withinNode = 1;
  let acrossNodes = 1;
  for (const gpu of gpus) {
    const node = cluster.nodeOf(gpu);
    nodes.add(node);
    largest = Math.max(largest, cluster.gpusInNode(node));
    const { scaling } = physics.profile(workload, cluster.typeOf(gpu)) as WorkloadProfile;
    withinNode = Math.min(withinNode, scaling.withinNode);
    acrossNodes = Math.min(acrossNodes, scaling.acrossNodes);
  }
  return relativeGangSpeed({ withinNode, acrossNodes }, own, gpus.length, nodes.size, largest);
}
