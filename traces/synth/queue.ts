import { randomExponential, randomLogNormal, randomUniform } from 'd3-random';
import { InputError } from '../../sim/errors.ts';
import type { JobSpec } from '../../sim/job.ts';
import { type RandomSource, randomStream } from '../../sim/random.ts';
import { checkCount, checkPositive } from './check.ts';

/** A distribution of run times, named as in queueing theory. */
export type ServiceLaw =
  | { readonly kind: 'exponential'; readonly meanS: number }
  | { readonly kind: 'deterministic'; readonly meanS: number }
  /** `variation` is standard deviation over mean. */
  | { readonly kind: 'lognormal'; readonly meanS: number; readonly variation: number }
  /** From meanS - halfWidthS to meanS + halfWidthS. */
  | { readonly kind: 'uniform'; readonly meanS: number; readonly halfWidthS: number };

export interface QueueOptions {
  readonly arrivalRatePerS: number;
  readonly service: ServiceLaw;
  readonly jobs: number;
  readonly seed: number | string;
  readonly workload: string;
  readonly referenceGpu?: string;
  readonly gpuCount?: number;
}

function serviceTime(service: ServiceLaw, random: RandomSource): () => number {
  const { meanS } = service;
  checkPositive('service.meanS', meanS);
  switch (service.kind) {
    case 'exponential':
      return randomExponential.source(random)(1 / meanS);
    case 'deterministic':
      return () => meanS;
    case 'lognormal': {
      checkPositive('service.variation', service.variation);
      const variance = Math.log1p(service.variation ** 2);
      return randomLogNormal.source(random)(Math.log(meanS) - variance / 2, Math.sqrt(variance));
    }
    case 'uniform': {
      const { halfWidthS } = service;
      if (halfWidthS >= 0 && halfWidthS < meanS) {
        return randomUniform.source(random)(meanS - halfWidthS, meanS + halfWidthS);
      }
      const expected = `expected 0 to below the mean ${meanS}`;
      const detail = `service.halfWidthS: ${expected}, found ${halfWidthS}`;
      throw new InputError('options', null, null, detail);
    }
  }
}

/**
 * Jobs of a textbook queue: Poisson arrivals, independent run times, one workload. For tests against
 * queueing theory (M/M/c, M/D/1, M/G/1). Time 0 is when the source starts, not the first arrival.
 */
export function synthQueue(options: QueueOptions): JobSpec[] {
  const { arrivalRatePerS, service, jobs, seed, workload } = options;
  const { referenceGpu = 'V100', gpuCount = 1 } = options;
  checkCount('jobs', jobs);
  checkCount('gpuCount', gpuCount);
  checkPositive('arrivalRatePerS', arrivalRatePerS);
  const gapS = randomExponential.source(randomStream(seed, 'synth/queue/arrival'))(arrivalRatePerS);
  const durationS = serviceTime(service, randomStream(seed, 'synth/queue/service'));
  const width = String(jobs).length;
  let submitS = 0;
  return Array.from({ length: jobs }, (_, index) => {
    submitS += gapS();
    return {
      id: `queue-${String(index + 1).padStart(width, '0')}`,
      submitS,
      workload,
      durationS: durationS(),
      referenceGpu,
      gpuCount,
      share: 1,
      memoryGib: null,
      gpuTypes: [],
      deadlineS: null,
      maxSlowdown: null,
      priority: null,
      user: null,
      virtualCluster: null,
    };
  });
}
