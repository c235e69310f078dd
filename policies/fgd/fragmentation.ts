import {
  gpusWithRoom,
  modelSuits,
  type ShareNode,
  type ShareTask,
  totalLeftMilli,
} from './node.ts';

/** A kind of task, and the part of all tasks that is of it. */
export interface TypicalTask {
  readonly task: ShareTask;
  readonly part: number;
}

/**
 * The kinds of task of a workload, most frequent first, up to the first that makes them
 * `popularity` of all tasks; their parts then sum to 1 (FGD, section 3; released default 60 %,
 * published experiments 95 %). Kinds are told apart by CPU, GPU part, GPU count and models; ties keep
 * the order of first appearance.
 */
export function typicalTasks(tasks: Iterable<ShareTask>, popularity: number): TypicalTask[] {
  const kinds = new Map<string, { task: ShareTask; count: number }>();
  let total = 0;
  for (const task of tasks) {
    const key = `${task.cpuMilli}|${task.gpuMilli}|${task.gpuCount}|${task.models.join('|')}`;
    const kind = kinds.get(key);
    if (kind === undefined) kinds.set(key, { task, count: 1 });
    else kind.count += 1;
    total += 1;
  }
  const chosen: { task: ShareTask; count: number }[] = [];
  let covered = 0;
  for (const kind of [...kinds.values()].sort((a, b) => b.count - a.count)) {
    if (covered >= popularity * total) break;
    chosen.push(kind);
    covered += kind.count;
  }
  return chosen.map(({ task, count }) => ({ task, part: count / covered }));
}

/**
 * Fragmentation of a node in thousandths of a GPU: what of its idle GPUs a task drawn from the typical
 * ones is expected to be unable to use (FGD, ATC 2023, section 3.2; released pkg/utils/frag.go
 * `NodeGpuShareFragAmount`). A task that can run leaves the GPUs with too little for it; for one that
 * cannot (CPU, GPUs or model), or asks for no GPU, everything idle counts.
 */
export function fragmentation(node: ShareNode, typical: readonly TypicalTask[]): number {
  const allLeft = totalLeftMilli(node);
  let expected = 0;
  for (const { task, part } of typical) {
    const canRun =
      task.gpuCount > 0 &&
      modelSuits(node, task) &&
      node.cpuLeftMilli >= task.cpuMilli &&
      gpusWithRoom(node, task) >= task.gpuCount;
    expected += part * (canRun ? unusableLeft(node, task.gpuMilli) : allLeft);
  }
  return expected;
}

function unusableLeft(node: ShareNode, gpuMilli: number): number {
  let total = 0;
  for (const left of node.gpuLeftMilli) if (left < gpuMilli) total += left;
  return total;
}
