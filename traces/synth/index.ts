export { OFFICE_RHYTHM, type Rhythm } from './arrivals.ts';
export { type Fidelity, fidelityOf } from './fidelity.ts';
export type { Generator } from './generator.ts';
export { OPENB } from './openb-statistics.ts';
export { PHILLY } from './philly-statistics.ts';
export { type QueueOptions, synthQueue } from './queue.ts';
export type { ServiceLaw } from './service-law.ts';
export {
  GENERATORS,
  generatorLaw,
  generatorNamed,
  type SynthOptions,
  synthesize,
} from './synthesize.ts';
