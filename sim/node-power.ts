import { refuse } from './refuse.ts';
import type { SimulationState } from './state.ts';
import { EVENT, NO_EVENT } from './time/calendar.ts';

/** Switches an empty node off. @throws {DecisionError} */
export function sleepNode(state: SimulationState, given: number): void {
  const { cluster } = state;
  const node = nodeOf(state, given, 'sleep');
  if (cluster.nodeState(node) !== 'on') {
    refuse(state, `sleep of node ${node}`, `the node is ${cluster.nodeState(node)}, expected on`);
  }
  const first = cluster.firstGpu(node);
  for (let gpu = first; gpu < first + cluster.gpusInNode(node); gpu += 1) {
    if ((cluster.residents[gpu] as readonly number[]).length > 0) {
      refuse(state, `sleep of node ${node}`, `gpu ${gpu} has residents`);
    }
  }
  cluster.setNodeState(node, 'asleep');
  state.ledger.hostsChanged(state.nowS, -1);
  nodeChanged(state, node);
}

/** Switches a node on again; it takes the type's wake time. @throws {DecisionError} */
export function wakeNode(state: SimulationState, given: number): void {
  const { cluster } = state;
  const node = nodeOf(state, given, 'wake');
  if (cluster.nodeState(node) !== 'asleep') {
    refuse(
      state,
      `wake of node ${node}`,
      `the node is ${cluster.nodeState(node)}, expected asleep`,
    );
  }
  cluster.setNodeState(node, 'waking');
  state.ledger.hostsChanged(state.nowS, 1);
  nodeChanged(state, node);
  const { wakeS } = state.gpuType(cluster.firstGpu(node));
  state.awakeEvent[node] = state.calendar.schedule(state.nowS + wakeS, EVENT.nodeAwake, node);
}

/** A node has woken up. */
export function nodeAwake(state: SimulationState, node: number): void {
  state.awakeEvent[node] = NO_EVENT;
  state.cluster.setNodeState(node, 'on');
  nodeChanged(state, node);
}

function nodeChanged(state: SimulationState, node: number): void {
  const first = state.cluster.firstGpu(node);
  for (let gpu = first; gpu < first + state.cluster.gpusInNode(node); gpu += 1) {
    state.cancel(state.contextEvent, gpu);
    state.markGpu(gpu);
  }
  state.clusterChanged();
}

function nodeOf(state: SimulationState, node: number, what: string): number {
  if (Number.isInteger(node) && node >= 0 && node < state.cluster.nodeCount) return node;
  return refuse(state, what, `node ${node} does not exist (0 .. ${state.cluster.nodeCount - 1})`);
}

/** The job's own copy of the GPUs that it is given. */
