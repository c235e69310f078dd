import { cancelMigration, failJob } from './lifecycle.ts';
import type { SimulationState } from './state.ts';
import { EVENT } from './time/calendar.ts';

/**
 * GPUs and nodes fail and are repaired after exponential times ({@link Outages}). Their jobs fall back
 * to their last checkpoints. A failed GPU or node draws no power.
 */

/** Draws the first failure of every GPU and node. */
export function scheduleFailures(state: SimulationState): void {
  for (let gpu = 0; gpu < state.cluster.gpuCount; gpu += 1) scheduleGpuFailure(state, gpu);
  for (let node = 0; node < state.cluster.nodeCount; node += 1) scheduleNodeFailure(state, node);
}

function scheduleGpuFailure(state: SimulationState, gpu: number): void {
  const atS = state.outages.gpu.nextS(gpu, state.nowS);
  if (atS < Infinity) state.calendar.schedule(atS, EVENT.gpuFailure, gpu);
}

function scheduleNodeFailure(state: SimulationState, node: number): void {
  const atS = state.outages.node.nextS(node, state.nowS);
  if (atS < Infinity) state.calendar.schedule(atS, EVENT.nodeFailure, node);
}

export function gpuFails(state: SimulationState, gpu: number): void {
  const { cluster, nowS } = state;
  const node = cluster.nodeState(cluster.nodeOf(gpu));
  if (node === 'asleep' || node === 'failed') {
    scheduleGpuFailure(state, gpu);
    return;
  }
  cluster.setGpuWorks(gpu, false);
  loseGpu(state, gpu);
  state.clusterChanged();
  state.calendar.schedule(nowS + state.outages.gpu.repairS(gpu), EVENT.gpuRepair, gpu);
}

export function gpuRepaired(state: SimulationState, gpu: number): void {
  state.cluster.setGpuWorks(gpu, true);
  state.markGpu(gpu);
  state.clusterChanged();
  scheduleGpuFailure(state, gpu);
}

export function nodeFails(state: SimulationState, node: number): void {
  const { cluster, nowS } = state;
  if (cluster.nodeState(node) === 'asleep') {
    scheduleNodeFailure(state, node);
    return;
  }
  state.cancel(state.awakeEvent, node);
  cluster.setNodeState(node, 'failed');
  state.ledger.hostsChanged(nowS, -1);
  const first = cluster.firstGpu(node);
  for (let gpu = first; gpu < first + cluster.gpusInNode(node); gpu += 1) loseGpu(state, gpu);
  state.clusterChanged();
  state.calendar.schedule(nowS + state.outages.node.repairS(node), EVENT.nodeRepair, node);
}

export function nodeRepaired(state: SimulationState, node: number): void {
  const { cluster, nowS } = state;
  cluster.setNodeState(node, 'on');
  state.ledger.hostsChanged(nowS, 1);
  const first = cluster.firstGpu(node);
  for (let gpu = first; gpu < first + cluster.gpusInNode(node); gpu += 1) state.markGpu(gpu);
  state.clusterChanged();
  scheduleNodeFailure(state, node);
}

/**
 * A fatal fault of an MPS client takes every client on its GPUs with it (calibration C9). A job that
 * has only reserved such a GPU for its migration has no client there yet.
 */
export function clientFails(state: SimulationState, job: number): void {
  const gpus = state.jobs.gpus[job] as readonly number[];
  state.jobs.fault[job] = -1;
  for (const gpu of gpus) {
    if (state.mode[gpu] !== 'mps') continue;
    state.markGpu(gpu);
    for (const other of residentsOf(state, gpu))
      if (holds(state, other, gpu)) failJob(state, other);
  }
  if (state.jobs.isIn(job, 'running')) failJob(state, job);
}

/**
 * A GPU goes down: its jobs fail, and no context is left on it. A job that has only reserved it for its
 * migration goes on where it is.
 */
function loseGpu(state: SimulationState, gpu: number): void {
  state.cancel(state.contextEvent, gpu);
  state.markGpu(gpu);
  for (const job of residentsOf(state, gpu)) {
    if (holds(state, job, gpu)) failJob(state, job);
    else cancelMigration(state, job);
  }
}

/** A copy: jobs leave while it is walked. */
function residentsOf(state: SimulationState, gpu: number): readonly number[] {
  return [...(state.cluster.residents[gpu] as readonly number[])];
}

function holds(state: SimulationState, job: number, gpu: number): boolean {
  return (state.jobs.gpus[job] as readonly number[]).includes(gpu);
}
