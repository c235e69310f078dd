import type { Body, Streams } from './generator.ts';
import { type QuantileTable, quantileLaw } from './quantile-law.ts';
import { countedPick, type SizeCount } from './size-law.ts';

/** Jobs of like sizes, and how long they run. */
export interface SizeClass {
  readonly sizes: readonly SizeCount[];
  readonly durations: QuantileTable;
}

/**
 * Draws sizes as counted and, for each, a run time of its class: so gangs run as much longer than single
 * GPUs as they do in the trace. Sizes above `maxGpus` are not drawn.
 */
export function classedBodies(
  classes: readonly SizeClass[],
  maxGpus: number,
): (count: number, streams: Streams) => readonly Body[] {
  const entries = classes.flatMap(({ sizes, durations }) => {
    const law = quantileLaw(durations);
    const allowed = sizes.filter(({ gpuCount }) => gpuCount <= maxGpus);
    return allowed.map((size) => ({ ...size, law }));
  });
  const pick = countedPick(entries);
  return (count, streams) => {
    const gangRandom = streams('gang');
    const durationRandom = streams('duration');
    return Array.from({ length: count }, (): Body => {
      const { gpuCount, share, law } = pick(gangRandom());
      return { gpuCount, share, durationS: law(durationRandom()) };
    });
  };
}
