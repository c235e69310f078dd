// What a policy is, and the policies that come with the simulator.

export type { Clocks, GpuLimits } from './clocks/clocks.ts';
export { fixedClock } from './clocks/fixed.ts';
export { referenceClock } from './clocks/reference.ts';
export {
  capPoints,
  cheapest,
  clockPoints,
  perWorkload,
  type SoloPoint,
} from './clocks/solo-points.ts';
// Policies from parts.
export { type Composition, compose, type WalkName } from './compose.ts';
export { resolveOptions } from './options.ts';
export { AttainedService, type AttainedServiceOptions } from './order/attained-service.ts';
export { fifo } from './order/fifo.ts';
export { LeastAttained } from './order/least-attained.ts';
export type { Order } from './order/order.ts';
export { shortestService } from './order/qssf.ts';
export { shortestJob } from './order/sjf.ts';
export { smallestGang } from './order/smallest-gang.ts';
export { smallestRemainingService } from './order/srsf.ts';
export { shortestRemaining } from './order/srtf.ts';
export { type ConsolidatedOptions, consolidated } from './placement/consolidated.ts';
export { fitsByCount, type Placement, spansTypes } from './placement/placement.ts';
export { fastestType, firstType, type TypeOrder } from './placement/type-order.ts';
export { wholeNodes } from './placement/whole-nodes.ts';
export { policyFromModule } from './plugin.ts';
export type {
  Faithfulness,
  OptionValues,
  Policy,
  PolicyContext,
  PolicyDefinition,
  PolicyOption,
  ProfileInformation,
} from './policy.ts';
export {
  makePredictor,
  type PredictedSetting,
  type Predictor,
  type PredictorSpec,
} from './predictor.ts';
// Tools for policies that decide themselves.
export { ClassQueue } from './queue/class-queue.ts';
export { type JobClass, JobClasses, type Likeness } from './queue/job-classes.ts';
export { OrderedHeap } from './queue/ordered-heap.ts';
export { POLICIES, policyNamed } from './registry.ts';
export { type MpsEqualOptions, mpsEqual } from './sharing/mps-equal.ts';
export type { Sharing } from './sharing/sharing.ts';
export { type UtilisationCapOptions, utilisationCap } from './sharing/utilisation-cap.ts';
