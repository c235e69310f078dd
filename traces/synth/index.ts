export { OFFICE_RHYTHM, type Rhythm } from './arrivals.ts';
export { type PhillyOptions, synthPhilly } from './philly.ts';
export { PHILLY } from './philly-statistics.ts';
export { type QueueOptions, type ServiceLaw, synthQueue } from './queue.ts';
