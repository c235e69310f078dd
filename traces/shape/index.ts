export { fromZero, scaledToLoad, timeScaled } from './clock.ts';
export { cappedDurations, requestedDurations } from './durations.ts';
export {
  firstJobs,
  inWindow,
  ofVirtualClusters,
  sampled,
  withinCapacity,
  withoutLargeGangs,
  withoutLongJobs,
  withoutShortJobs,
} from './select.ts';
export {
  AS_IT_IS,
  type DurationChoice,
  type ShapeOptions,
  shapeSteps,
  shapeTrace,
} from './shape.ts';
export { applySteps, type JobList, type ShapeStep, type StepResult } from './step.ts';
