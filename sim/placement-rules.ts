import type { GpuType } from './gpu/profile.ts';
import { refuse } from './refuse.ts';
import type { SimulationState } from './state.ts';

/** Slack for sums of memories and slices. */
const EPSILON = 1e-9;

/**
 * The rules of a placement: as many distinct, available GPUs as a gang of the job can have members, of
 * types that the job can run on, with room for it in memory, and in the mode's number of residents.
 * @throws {DecisionError} on the first rule that is broken
 */
export function checkPlacement(
  state: SimulationState,
  job: number,
  gpus: readonly number[],
  shares: readonly number[],
  what: 'start' | 'migrate',
): void {
  const spec = state.jobs.spec(job);
  const fail = (rule: string): never => refuse(state, `${what} of job '${spec.id}'`, rule);
  const { minGpus, maxGpus } = spec;
  if (gpus.length < minGpus || gpus.length > maxGpus) {
    const needs = minGpus === maxGpus ? `${minGpus}` : `${minGpus} to ${maxGpus}`;
    fail(`${gpus.length} gpus given, the job needs ${needs}`);
  }
  const held = state.jobs.gpus[job] as readonly number[];
  for (let i = 0; i < gpus.length; i += 1) {
    const gpu = gpus[i] as number;
    if (!Number.isInteger(gpu) || gpu < 0 || gpu >= state.cluster.gpuCount) {
      fail(`gpu ${gpu} does not exist (0 .. ${state.cluster.gpuCount - 1})`);
    }
    if (gpus.length > 1 && gpus.indexOf(gpu) !== i) fail(`gpu ${gpu} is given twice`);
    const rule = whyNotOn(state, job, gpu, shares[i] as number, held.includes(gpu));
    if (rule !== null) fail(rule);
  }
}

/** The rules of a change of share on the GPUs that the job holds. @throws {DecisionError} */
export function checkSharesOnHeldGpus(
  state: SimulationState,
  job: number,
  gpus: readonly number[],
  shares: readonly number[],
): void {
  gpus.forEach((gpu, i) => {
    const rule = whyNotShared(state, job, gpu, shares[i] as number);
    if (rule !== null) refuse(state, `set-share of job '${state.jobs.spec(job).id}'`, rule);
  });
}

function whyNotOn(
  state: SimulationState,
  job: number,
  gpu: number,
  share: number,
  holds: boolean,
): string | null {
  const { cluster } = state;
  if (!cluster.isAvailable(gpu)) return `gpu ${gpu} is ${unavailability(state, gpu)}`;
  const typeIndex = cluster.typeOf(gpu);
  const type = cluster.types[typeIndex] as GpuType;
  if ((((state.jobs.typeMask[job] as number) >>> typeIndex) & 1) === 0) {
    return `gpu ${gpu} is of type ${type.name}, on which the job cannot run`;
  }
  if (!holds) {
    const needGib = state.memoryGib(job, typeIndex);
    const freeGib = cluster.freeMemoryGib(gpu);
    if (needGib > freeGib + EPSILON) {
      return `gpu ${gpu} has ${freeGib} GiB free, the job needs ${needGib} GiB; memory is never over-committed`;
    }
  }
  return whyNotShared(state, job, gpu, share);
}

function unavailability(state: SimulationState, gpu: number): string {
  const node = state.cluster.nodeState(state.cluster.nodeOf(gpu));
  return node === 'on' ? 'failed' : `on a node that is ${node}`;
}

function whyNotShared(
  state: SimulationState,
  job: number,
  gpu: number,
  share: number,
): string | null {
  const residents = state.cluster.residents[gpu] as readonly number[];
  const others = residents.filter((resident) => resident !== job);
  const type = state.gpuType(gpu);
  switch (state.mode[gpu]) {
    case 'exclusive':
      return others.length === 0 ? null : `gpu ${gpu} is exclusive and has a resident`;
    case 'mps':
      return others.length < type.mpsClientLimit
        ? null
        : `gpu ${gpu} has ${others.length} mps clients, the limit of ${type.name} is ${type.mpsClientLimit}`;
    case 'mig':
      return whyNoSlice(state, job, gpu, others, share);
    default:
      return null;
  }
}

function whyNoSlice(
  state: SimulationState,
  job: number,
  gpu: number,
  others: readonly number[],
  share: number,
): string | null {
  const type = state.cluster.typeOf(gpu);
  const needGib = state.memoryGib(job, type);
  const sliceGib = share * state.gpuType(gpu).memoryGib;
  if (needGib > sliceGib + EPSILON) {
    return `a MIG slice of ${share} of gpu ${gpu} has ${sliceGib} GiB, the job needs ${needGib} GiB`;
  }
  const residents = state.cluster.residents[gpu] as readonly number[];
  const held = state.cluster.shares[gpu] as readonly number[];
  const free = [...(state.slices[gpu] as readonly number[])];
  const take = (slice: number): boolean => {
    const index = free.findIndex((candidate) => Math.abs(candidate - slice) < EPSILON);
    if (index >= 0) free.splice(index, 1);
    return index >= 0;
  };
  for (const other of others) {
    take(held[residents.indexOf(other)] as number);
    // A resident that moves to another slice of this GPU keeps both until its checkpoint is written.
    const target = state.migrations.get(other);
    const slot = target?.gpus.indexOf(gpu) ?? -1;
    const holds = (state.jobs.gpus[other] as readonly number[]).includes(gpu);
    if (target !== undefined && slot >= 0 && holds) take(target.shares[slot] as number);
  }
  if (take(share)) return null;
  return `gpu ${gpu} has no free MIG slice of ${share} (free: ${free.join(', ') || 'none'})`;
}
