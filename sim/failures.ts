import { failJob } from './lifecycle.ts';
import { exponential } from './random.ts';
import type { SimulationState } from './state.ts';
import { EVENT } from './time/calendar.ts';

/**
 * GPUs and nodes fail and are repaired after exponential times. Their jobs fall back to their last
 * checkpoints. A failed GPU or node draws no power.
 */

/** Draws the first failure of every GPU and node. */
export function scheduleFailures(state: SimulationState): void {
  for (let gpu = 0; gpu < state.cluster.gpuCount; gpu += 1) scheduleGpuFailure(state, gpu);
  for (let node = 0; node < state.cluster.nodeCount; node += 1) scheduleNodeFailure(state, node);
}

function scheduleGpuFailure(state: SimulationState, gpu: number): void {
  const { gpuMtbfS } = state.options.failures;
  if (gpuMtbfS === Infinity) return;
  const atS = state.nowS + exponential(state.failureRandom.gpu, gpuMtbfS);
  state.calendar.schedule(atS, EVENT.gpuFailure, gpu);
}

function scheduleNodeFailure(state: SimulationState, node: number): void {
  const { nodeMtbfS } = state.options.failures;
  if (nodeMtbfS === Infinity) return;
  const atS = state.nowS + exponential(state.failureRandom.node, nodeMtbfS);
  state.calendar.schedule(atS, EVENT.nodeFailure, node);
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
  const { gpuRepairS } = state.options.failures;
  const repairedS = nowS + exponential(state.failureRandom.gpu, gpuRepairS);
  state.calendar.schedule(repairedS, EVENT.gpuRepair, gpu);
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
  const { nodeRepairS } = state.options.failures;
  const repairedS = nowS + exponential(state.failureRandom.node, nodeRepairS);
  state.calendar.schedule(repairedS, EVENT.nodeRepair, node);
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

/** A fatal fault of an MPS client takes every client on its GPUs with it (calibration C9). */
export function clientFails(state: SimulationState, job: number): void {
  const gpus = state.jobs.gpus[job] as readonly number[];
  state.jobs.fault[job] = -1;
  for (const gpu of gpus) if (state.mode[gpu] === 'mps') failResidents(state, gpu);
  if (state.jobs.isIn(job, 'running')) failJob(state, job);
}

/** A GPU goes down: its jobs fail, and no context is left on it. */
function loseGpu(state: SimulationState, gpu: number): void {
  state.cancel(state.contextEvent, gpu);
  failResidents(state, gpu);
}

function failResidents(state: SimulationState, gpu: number): void {
  state.markGpu(gpu);
  for (const job of [...(state.cluster.residents[gpu] as readonly number[])]) failJob(state, job);
}
