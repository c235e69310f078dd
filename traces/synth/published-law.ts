import { OFFICE_RHYTHM, poissonTimes } from './arrivals.ts';
import type { TraceLaw } from './generator.ts';
import type { DurationFigures } from './lognormal-law.ts';
import type { SizeCount } from './size-law.ts';
import { linkedBodies } from './size-link.ts';

/** What is published of a trace whose files are not at hand. */
export interface PublishedFigures {
  /** Ascending by GPUs asked for. */
  readonly sizes: readonly SizeCount[];
  readonly durations: DurationFigures;
  /** Mean GPU-seconds of a job; null where that is not published, then sizes and run times are apart. */
  readonly meanGpuS: number | null;
  readonly ratePerS: number;
  readonly maxGpus: number;
  readonly options: Readonly<Record<string, string | number>>;
  /** Where the figures come from, and what is assumed of the sizes. */
  readonly assumed: readonly string[];
}

/**
 * Jobs from a few published figures: log-normal run times, sizes linked with them so that the GPU-seconds
 * are met, Poisson arrivals with the mean rate and an assumed rhythm. What the forms are worth cannot be
 * measured without the files.
 */
export function publishedLaw(figures: PublishedFigures): TraceLaw {
  const { sizes, durations, meanGpuS, maxGpus } = figures;
  return {
    ratePerS: figures.ratePerS,
    clockStartS: 0,
    wholeSeconds: true,
    bodies: linkedBodies(sizes, durations, meanGpuS, maxGpus),
    arrivals: ({ length }, ratePerS, streams) =>
      poissonTimes(length, ratePerS, OFFICE_RHYTHM, streams('arrival')),
    options: figures.options,
    assumed: [
      ...figures.assumed,
      'run times are log-normal, arrivals Poisson with a daily and weekly swing: the forms are assumed',
    ],
  };
}
