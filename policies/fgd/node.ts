/** Thousandths of a GPU that a whole one has. */
export const WHOLE_MILLI = 1000;

/**
 * A node as the placement rules of FGD's simulator see it (Weng et al., ATC 2023; hkust-adsl
 * kubernetes-scheduler-simulator): what is left of CPU, memory and each GPU. Rules only read it.
 */
export interface ShareNode {
  /** Ties between nodes go to the smaller name. */
  readonly name: string;
  readonly model: string;
  cpuLeftMilli: number;
  memoryLeftMib: number;
  /** Thousandths left of each GPU. */
  readonly gpuLeftMilli: number[];
  /** Memory left on each GPU; null where it is not counted, as in the released simulator. */
  readonly gpuLeftGib: number[] | null;
  /** Tasks on the node by class, for clustering. */
  readonly classes: Map<string, number>;
}

/** A task: part of one GPU (`gpuMilli` < 1000), whole GPUs, or none (`gpuCount` 0). */
export interface ShareTask {
  readonly cpuMilli: number;
  readonly memoryMib: number;
  readonly gpuCount: number;
  /** Of each of its GPUs. */
  readonly gpuMilli: number;
  /** GPU models it may run on; empty for any. */
  readonly models: readonly string[];
  /** Memory that it takes on each of its GPUs, by model; null where it is not counted. */
  readonly gpuGib: Readonly<Record<string, number>> | null;
}

/** Slack for sums of memories, as the simulator allows it. */
const EPSILON_GIB = 1e-9;

/** Whether one GPU of a node has room for one GPU of the task. */
export function hasRoom(node: ShareNode, gpu: number, task: ShareTask): boolean {
  if ((node.gpuLeftMilli[gpu] as number) < task.gpuMilli) return false;
  const leftGib = node.gpuLeftGib?.[gpu];
  const neededGib = task.gpuGib?.[node.model];
  return leftGib === undefined || neededGib === undefined || leftGib + EPSILON_GIB >= neededGib;
}

/** Whether a task asks for a part of a GPU. */
export function isPart(task: ShareTask): boolean {
  return task.gpuCount === 1 && task.gpuMilli < WHOLE_MILLI;
}

/** GPUs of a node that have room for one GPU of the task. */
export function gpusWithRoom(node: ShareNode, task: ShareTask): number {
  let count = 0;
  for (let gpu = 0; gpu < node.gpuLeftMilli.length; gpu += 1) {
    if (hasRoom(node, gpu, task)) count += 1;
  }
  return count;
}

/** Whether the model suits; a task without GPUs runs on every node. */
export function modelSuits(node: ShareNode, task: ShareTask): boolean {
  return task.gpuCount === 0 || task.models.length === 0 || task.models.includes(node.model);
}

/** Whether a task can run on a node now. */
export function fits(node: ShareNode, task: ShareTask): boolean {
  return (
    node.cpuLeftMilli >= task.cpuMilli &&
    node.memoryLeftMib >= task.memoryMib &&
    modelSuits(node, task) &&
    (task.gpuCount === 0 || gpusWithRoom(node, task) >= task.gpuCount)
  );
}

/** Thousandths left on all GPUs of a node. */
export function totalLeftMilli(node: ShareNode): number {
  let total = 0;
  for (const left of node.gpuLeftMilli) total += left;
  return total;
}

/** GPUs for a task of a node that it fits: those with least left first, ties in their order. */
export function fullestGpus(node: ShareNode, task: ShareTask): number[] {
  const withRoom: number[] = [];
  for (let gpu = 0; gpu < node.gpuLeftMilli.length; gpu += 1) {
    if (hasRoom(node, gpu, task)) withRoom.push(gpu);
  }
  const left = (gpu: number) => node.gpuLeftMilli[gpu] as number;
  return withRoom
    .sort((a, b) => left(a) - left(b) || a - b)
    .slice(0, task.gpuCount)
    .sort((a, b) => a - b);
}

/** The class of a task for clustering: `share`, or its number of whole GPUs; null without a GPU. */
export function taskClass(task: ShareTask): string | null {
  if (task.gpuCount === 0) return null;
  return isPart(task) ? 'share' : `${task.gpuCount}-gpu`;
}

/** Puts a task on GPUs of a node (`sign` 1), or takes it off (-1). */
export function occupy(
  node: ShareNode,
  task: ShareTask,
  gpus: readonly number[],
  sign: 1 | -1 = 1,
): void {
  node.cpuLeftMilli -= sign * task.cpuMilli;
  node.memoryLeftMib -= sign * task.memoryMib;
  for (const gpu of gpus) {
    node.gpuLeftMilli[gpu] = (node.gpuLeftMilli[gpu] as number) - sign * task.gpuMilli;
  }
  const name = taskClass(task);
  if (name === null) return;
  const count = (node.classes.get(name) ?? 0) + sign;
  if (count === 0) node.classes.delete(name);
  else node.classes.set(name, count);
}
