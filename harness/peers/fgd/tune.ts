import type { RandomSource } from '../../../sim/random.ts';
import type { Pod } from './inputs.ts';

/** A permutation, every one as likely (Fisher and Yates). */
export function shuffled<T>(items: readonly T[], random: RandomSource): T[] {
  const result = [...items];
  for (let i = result.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    const other = result[j] as T;
    result[j] = result[i] as T;
    result[i] = other;
  }
  return result;
}

const askedMilli = ({ task }: Pod) => task.gpuCount * task.gpuMilli;

/**
 * Pods drawn at random are left out, or doubled, until together they ask for `ratio` of the GPUs
 * (released `workloadTuningConfig`).
 */
export function tuned(
  pods: readonly Pod[],
  capacityMilli: number,
  ratio: number,
  random: RandomSource,
): readonly Pod[] {
  const wanted = ratio * capacityMilli;
  const result = [...pods];
  let total = result.reduce((sum, pod) => sum + askedMilli(pod), 0);
  while (total > wanted && result.length > 0) {
    const [gone] = result.splice(Math.floor(random() * result.length), 1) as [Pod];
    total -= askedMilli(gone);
  }
  for (let copy = 1; total < wanted; copy += 1) {
    const drawn = pods[Math.floor(random() * pods.length)] as Pod;
    result.push({ id: `${drawn.id}-copy-${copy}`, task: drawn.task });
    total += askedMilli(drawn);
  }
  return result;
}
