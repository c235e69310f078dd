import type { GpuType } from './gpu/profile.ts';
import { enqueueJob } from './lifecycle.ts';
import type { SimulationState } from './state.ts';

/** Why a job will never run: a code to count by, and the whole reason. */
interface Rejection {
  readonly code: string;
  readonly reason: string;
}

/** A job arrives: it is queued, or rejected when the cluster could never hold it. */
export function jobArrives(state: SimulationState, job: number): void {
  const { jobs, nowS } = state;
  jobs.sinceS[job] = nowS;
  state.changes += 1;
  const rejection = admit(state, job);
  if (rejection === null) {
    state.demand.arrived(job, jobs.spec(job), nowS);
    enqueueJob(state, job);
    return;
  }
  reject(state, job, rejection);
}

/** The policy turns a queued job away that it could have started. */
export function turnAway(state: SimulationState, job: number, reason: string): void {
  const { policy, jobs, nowS } = state;
  state.queue.delete(job);
  state.changes += 1;
  state.turnedAway.add(job);
  state.demand.finished(job, jobs.spec(job), nowS);
  const whole = `turned away by policy '${policy.name}': ${reason}`;
  reject(state, job, { code: `policy: ${reason}`, reason: whole });
  state.forgetView(job);
}

function reject(state: SimulationState, job: number, { code, reason }: Rejection): void {
  state.jobs.reasons.set(job, reason);
  state.rejections.set(code, (state.rejections.get(code) ?? 0) + 1);
  state.jobs.enter(job, 'rejected', state.nowS);
}

/** Fills in what the job needs of the physics. @returns why it can never run, or null */
function admit(state: SimulationState, job: number): Rejection | null {
  const { jobs, physics, cluster } = state;
  const spec = jobs.spec(job);
  const workload = physics.workloadIndex(spec.workload);
  if (workload === null) {
    return { code: 'unknown_workload', reason: `no profile of workload '${spec.workload}'` };
  }
  const referenceStepS = physics.referenceStepS(workload, spec);
  if (referenceStepS === null) {
    return {
      code: 'no_reference_profile',
      reason: `no profile of '${spec.workload}' on its reference gpu '${spec.referenceGpu}'`,
    };
  }
  jobs.workload[job] = workload;
  jobs.referenceStepS[job] = referenceStepS;
  jobs.remaining[job] = spec.durationS;
  jobs.savedRemaining[job] = spec.durationS;

  let usableGpus = 0;
  for (let type = 0; type < cluster.types.length; type += 1) {
    if (!fits(state, job, type)) continue;
    usableGpus += cluster.gpusOfType(type);
    jobs.typeMask[job] = (jobs.typeMask[job] as number) | (1 << type);
  }
  if (usableGpus >= spec.minGpus) return null;
  if (usableGpus > 0) {
    return {
      code: 'too_many_gpus',
      reason: `needs ${spec.minGpus} gpus, the cluster has ${usableGpus} that it can run on`,
    };
  }
  return whyNoType(state, job);
}

/** Whether a job has a profile on a type, fits its memory and asks for it. */
function fits(state: SimulationState, job: number, type: number): boolean {
  const { gpuTypes } = state.jobs.spec(job);
  const { name, memoryGib } = state.cluster.types[type] as GpuType;
  if (gpuTypes.length > 0 && !gpuTypes.includes(name)) return false;
  if (state.physics.profile(state.jobs.workload[job] as number, type) === null) return false;
  return state.memoryGib(job, type) <= memoryGib;
}

function whyNoType(state: SimulationState, job: number): Rejection {
  const { cluster, physics, jobs } = state;
  const spec = jobs.spec(job);
  const asked = cluster.types.filter(
    ({ name }) => spec.gpuTypes.length === 0 || spec.gpuTypes.includes(name),
  );
  if (asked.length === 0) {
    return {
      code: 'gpu_type',
      reason: `asks for ${spec.gpuTypes.join(' or ')}, the cluster has ${cluster.types.map(({ name }) => name).join(', ')}`,
    };
  }
  const profiled = asked.filter(
    ({ name }) => physics.profile(jobs.workload[job] as number, cluster.typeIndex(name)) !== null,
  );
  if (profiled.length === 0) {
    return {
      code: 'no_profile',
      reason: `no profile of '${spec.workload}' on ${asked.map(({ name }) => name).join(', ')}`,
    };
  }
  const largestGib = Math.max(...profiled.map(({ memoryGib }) => memoryGib));
  return {
    code: 'memory',
    reason: `needs more memory than the ${largestGib} GiB of the largest gpu that it can run on`,
  };
}
