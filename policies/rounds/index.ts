// Gavel's mechanism: shares of time made into rounds.

export { assignWorkers, type WorkerRules } from './assign-workers.ts';
export { chooseRound, type Piece, type RoundRules } from './choose.ts';
export type { Allocator, JobCombination, RoundShares, RoundState } from './job-combinations.ts';
export { ROUND_OPTIONS, roundOptions } from './options.ts';
export { type RoundOptions, RoundPolicy } from './round-policy.ts';
export { type Combination, type SharesOf, TimeShares } from './time-shares.ts';
