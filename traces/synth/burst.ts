import { randomExponential } from 'd3-random';
import { standardNormal } from '../../sim/random.ts';
import { OFFICE_RHYTHM, poissonArrivals } from './arrivals.ts';
import type { Body, Generator, Streams } from './generator.ts';
import { PHILLY } from './philly-statistics.ts';
import { classedBodies } from './size-class.ts';

const USUAL = { meanJobs: 10, gapS: 2, spread: 0.1 };

/** How many jobs each burst has, for so many jobs in all: geometric with this mean. */
function burstSizes(count: number, meanJobs: number, streams: Streams): number[] {
  const random = streams('burst');
  const sizes: number[] = [];
  for (let left = count; left > 0; ) {
    let size = 1;
    while (size < left && random() >= 1 / meanJobs) size += 1;
    sizes.push(size);
    left -= size;
  }
  return sizes;
}

/**
 * Bursts of like jobs, as searches over parameters submit them: each burst is one draw of size and run time
 * from Philly's statistics, its jobs differ by a little. Bursts come as a Poisson process with the assumed
 * rhythm. All of it is assumed but what a job is like.
 */
export const burst: Generator = {
  name: 'burst',
  title: 'bursts of like jobs, sized as in Microsoft Philly',
  settings: [
    { name: 'meanJobs', meaning: 'mean jobs of a burst, which are geometric (default 10)' },
    { name: 'gapS', meaning: 'mean seconds between the jobs of a burst (default 2)' },
    {
      name: 'spread',
      meaning: 'standard deviation of the logarithm of run times in a burst (default 0.1)',
    },
  ],
  law(settings, maxGpus) {
    const meanJobs = settings.number('meanJobs', USUAL.meanJobs, 1);
    const gapS = settings.number('gapS', USUAL.gapS, 0);
    const spread = settings.number('spread', USUAL.spread, 0);
    const draw = classedBodies(PHILLY.classes, maxGpus);
    return {
      ratePerS: PHILLY.jobs / PHILLY.spanS,
      clockStartS: 0,
      wholeSeconds: true,
      bodies(count, streams) {
        const sizes = burstSizes(count, meanJobs, streams);
        const kinds = draw(sizes.length, streams);
        const random = streams('spread');
        return sizes.flatMap((size, at) => {
          const kind = kinds[at];
          if (kind === undefined) return [];
          return Array.from({ length: size }, (): Body => {
            return {
              ...kind,
              durationS: kind.durationS * Math.exp(spread * standardNormal(random)),
            };
          });
        });
      },
      arrivals({ length }, ratePerS, streams) {
        const starts = poissonArrivals(ratePerS / meanJobs, OFFICE_RHYTHM, streams('arrival'));
        const nextGapS = randomExponential.source(streams('gap'))(1 / gapS);
        return burstSizes(length, meanJobs, streams).flatMap((size, at) => {
          let timeS = at === 0 ? 0 : starts.next().value;
          return Array.from({ length: size }, (_, job) => {
            if (job > 0) timeS += nextGapS();
            return timeS;
          });
        });
      },
      options: { meanJobs, gapS, spread },
      assumed: [
        'sizes and run times of bursts are those of jobs of Philly; bursts themselves are assumed',
        'bursts come as a Poisson process with a daily and weekly swing',
      ],
    };
  },
};
