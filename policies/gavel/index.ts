// Gavel: its objectives as linear programs, and the policies made of them.

export { gavelDefinition, themisDefinition } from './definitions.ts';
export { finishTimeFairness, type Progress } from './finish-time-fairness.ts';
export { isolatedShares, isolatedThroughputs } from './isolated.ts';
export { leastMakespan, releasedMakespan } from './makespan.ts';
export { agnostic, maxMinFairness, proportionalThroughputs } from './max-min.ts';
export { type Costs, largestSum } from './max-sum.ts';
export type { Allocation, AllocationProblem, JobGroup, JobPair } from './problem.ts';
export { Rates } from './rates.ts';
