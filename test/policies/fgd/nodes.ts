import type { ShareNode, ShareTask } from '../../../policies/fgd/index.ts';

/** A node of which this is left; CPU is plenty unless given. */
export function nodeOf(gpuLeftMilli: readonly number[], over: Partial<ShareNode> = {}): ShareNode {
  return {
    name: 'a',
    model: 'T4',
    cpuLeftMilli: 0,
    memoryLeftMib: 0,
    gpuLeftMilli: [...gpuLeftMilli],
    gpuLeftGib: null,
    classes: new Map(),
    ...over,
  };
}

/** A task of so many GPUs, `gpuMilli` of each. */
export function taskOf(
  gpuCount: number,
  gpuMilli = 1000,
  over: Partial<ShareTask> = {},
): ShareTask {
  return { cpuMilli: 0, memoryMib: 0, gpuCount, gpuMilli, models: [], gpuGib: null, ...over };
}
