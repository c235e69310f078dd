// Jobs whose gangs grow and shrink: plans that divide all GPUs anew, and how they are carried out.

export { type ElasticOptions, ElasticPolicy } from './elastic-policy.ts';
export { type GangCurve, GangCurves } from './gang-curves.ts';
export { GangLevels, gpusByType } from './gang-levels.ts';
export { JobLanes } from './job-lanes.ts';
export { intervalOption } from './options.ts';
export type { Plan, Planner, PlanState } from './planner.ts';
export type { PlacementRule, Target } from './reallocation.ts';
export { type Holding, NO_TYPE, SEVERAL_TYPES, TypeRoom } from './room.ts';
