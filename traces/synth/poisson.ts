import { NO_RHYTHM, poissonTimes } from './arrivals.ts';
import type { Body, Generator, SettingReader } from './generator.ts';
import { type ServiceLaw, serviceTime } from './service-law.ts';

const USUAL = { meanS: 3600, variation: 2, gpus: 1, ratePerS: 1 / 60 };
const LEAST_S = 1e-3;

function serviceOf(settings: SettingReader): ServiceLaw {
  const kind = settings.word('law', ['exponential', 'deterministic', 'lognormal', 'uniform']);
  const meanS = settings.number('meanS', USUAL.meanS, LEAST_S);
  switch (kind) {
    case 'exponential':
    case 'deterministic':
      return { kind, meanS };
    case 'lognormal':
      return { kind, meanS, variation: settings.number('variation', USUAL.variation, LEAST_S) };
    case 'uniform':
      return { kind, meanS, halfWidthS: settings.number('halfWidthS', meanS / 2, 0) };
  }
}

/** Jobs of a textbook queue (M/G): Poisson arrivals at a constant rate, independent run times, one size. */
export const poisson: Generator = {
  name: 'poisson',
  title: 'a textbook queue: Poisson arrivals, independent run times',
  settings: [
    {
      name: 'law',
      meaning: "of run times: 'exponential' (default), 'deterministic', 'lognormal' or 'uniform'",
    },
    { name: 'meanS', meaning: 'mean run time in seconds (default 3600)' },
    { name: 'variation', meaning: 'lognormal: standard deviation over mean (default 2)' },
    { name: 'halfWidthS', meaning: 'uniform: half the width (default half the mean)' },
    { name: 'gpus', meaning: 'GPUs of every job (default 1)' },
  ],
  law(settings, maxGpus) {
    const service = serviceOf(settings);
    const { kind, ...parameters } = service;
    const gpuCount = settings.gpus('gpus', USUAL.gpus, maxGpus);
    return {
      ratePerS: USUAL.ratePerS,
      clockStartS: 0,
      wholeSeconds: false,
      bodies(count, streams) {
        const durationS = serviceTime(service, streams('duration'));
        const body = (): Body => ({ gpuCount, share: 1, durationS: durationS() });
        return Array.from({ length: count }, body);
      },
      arrivals: ({ length }, ratePerS, streams) =>
        poissonTimes(length, ratePerS, NO_RHYTHM, streams('arrival')),
      options: { law: kind, ...parameters, gpus: gpuCount },
      assumed: [`run times are ${kind}, arrivals Poisson at a constant rate`],
    };
  },
};
