import { randomExponential, randomLogNormal, randomUniform } from 'd3-random';
import { InputError } from '../../sim/errors.ts';
import type { RandomSource } from '../../sim/random.ts';
import { checkPositive } from './check.ts';

/** A distribution of run times, named as in queueing theory. */
export type ServiceLaw =
  | { readonly kind: 'exponential'; readonly meanS: number }
  | { readonly kind: 'deterministic'; readonly meanS: number }
  /** `variation` is standard deviation over mean. */
  | { readonly kind: 'lognormal'; readonly meanS: number; readonly variation: number }
  /** From meanS - halfWidthS to meanS + halfWidthS. */
  | { readonly kind: 'uniform'; readonly meanS: number; readonly halfWidthS: number };

/** Draws run times. A law that makes no sense is an `InputError`. */
export function serviceTime(service: ServiceLaw, random: RandomSource): () => number {
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
