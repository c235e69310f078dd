import { standardNormal } from '../../sim/random.ts';
import type { Body, Streams } from './generator.ts';
import { cappedMeanS, type DurationFigures, deviationOf } from './lognormal-law.ts';
import { NORMAL_LIMIT, normalQuantile, solveIncreasing } from './numeric.ts';
import { jobsOf, type SizeCount } from './size-law.ts';

const STEPS = 64;
const MAX_CORRELATION = 0.999;

/** The normal scores that stand for one size. */
interface Band extends SizeCount {
  readonly from: number;
  readonly to: number;
}

function bandsOf(sizes: readonly SizeCount[]): Band[] {
  const total = jobsOf(sizes);
  let part = 0;
  let from = -NORMAL_LIMIT;
  return sizes.map((size, at) => {
    part += size.jobs / total;
    const to = at === sizes.length - 1 ? NORMAL_LIMIT : normalQuantile(part);
    const band = { ...size, from, to };
    from = to;
    return band;
  });
}

const density = (z: number) => Math.exp(-(z ** 2) / 2) / Math.sqrt(2 * Math.PI);

/**
 * Correlation of the normal scores of size and run time (a Gaussian copula) with which jobs have these mean
 * GPU-seconds, both distributions staying as they are. Sizes ascend by GPUs.
 */
export function sizeCorrelation(
  sizes: readonly SizeCount[],
  durations: DurationFigures,
  meanGpuS: number,
): number {
  const logMean = Math.log(durations.medianS);
  const deviation = deviationOf(durations);
  const bands = bandsOf(sizes);
  const meanAt = (correlation: number) => {
    const rest = deviation * Math.sqrt(1 - correlation ** 2);
    let sum = 0;
    for (const { gpuCount, share, from, to } of bands) {
      const step = (to - from) / STEPS;
      for (let at = 0; at < STEPS; at += 1) {
        const z = from + (at + 0.5) * step;
        const mean = cappedMeanS(logMean + deviation * correlation * z, rest, durations.maxS);
        sum += gpuCount * share * mean * density(z) * step;
      }
    }
    return sum;
  };
  return solveIncreasing(meanAt, meanGpuS, -MAX_CORRELATION, MAX_CORRELATION);
}

/**
 * Draws sizes as counted and log-normal run times, longer ones for larger sizes so that the mean
 * GPU-seconds are met; with null for these the two are drawn apart. Sizes above `maxGpus` are not drawn;
 * the others keep their run times.
 */
export function linkedBodies(
  sizes: readonly SizeCount[],
  durations: DurationFigures,
  meanGpuS: number | null,
  maxGpus: number,
): (count: number, streams: Streams) => readonly Body[] {
  const correlation = meanGpuS === null ? 0 : sizeCorrelation(sizes, durations, meanGpuS);
  const rest = Math.sqrt(1 - correlation ** 2);
  const deviation = deviationOf(durations);
  const allowed = bandsOf(sizes).filter(({ gpuCount }) => gpuCount <= maxGpus);
  const limit = allowed.at(-1)?.to ?? NORMAL_LIMIT;
  return (count, streams) => {
    const [gangRandom, durationRandom] = [streams('gang'), streams('duration')];
    return Array.from({ length: count }, (): Body => {
      let z = standardNormal(gangRandom);
      while (z >= limit) z = standardNormal(gangRandom);
      const { gpuCount = 1, share = 1 } = allowed.find(({ to }) => z < to) ?? {};
      const score = correlation * z + rest * standardNormal(durationRandom);
      const durationS = durations.medianS * Math.exp(deviation * score);
      return { gpuCount, share, durationS: Math.min(durations.maxS, durationS) };
    });
  };
}
