// The public entry of the package, in groups.

// Profiles: those that come with the program, and the user's own.
export {
  loadShippedProfiles,
  mergeProfiles,
  readProfilesFile,
  type UserProfiles,
} from './calibration/profiles.ts';
// Experiments: policies x seeds on one workload and cluster, with statistics and files.
export { clusterFromText } from './harness/clusters.ts';
export { type Comparison, compareRuns, comparisonCsv } from './harness/comparison.ts';
export { writeComparison } from './harness/comparison-files.ts';
export { type ExperimentOutcome, type LaunchOptions, runExperiment } from './harness/experiment.ts';
export { loadExperimentFile } from './harness/load.ts';
export { resolveExperiment } from './harness/resolve.ts';
export type { ResolvedExperiment } from './harness/resolved.ts';
export { type ExperimentGiven, experimentSchema, SpecProblem } from './harness/spec.ts';
export { type Estimate, estimate, relativeChange } from './harness/statistics.ts';
export { comparisonTable } from './harness/table.ts';
// Policies: what one is, what it is made of, the registered ones.
export * from './policies/index.ts';
// What a policy sees and may decide.
export type { ClusterSpec, ClusterView, NodeGroupSpec } from './sim/cluster/cluster.ts';
export type { Decision } from './sim/decisions.ts';
// The simulator: jobs on a cluster under a policy.
export { DecisionError, InputError, InvariantError } from './sim/errors.ts';
// The physics of one GPU, and what it is told of GPU types and workloads.
export {
  evaluateGpu,
  type GpuSetting,
  type OperatingPoint,
  type Resident,
  SHARING_MODES,
  type SharingMode,
  soloStepS,
} from './sim/gpu/evaluate.ts';
export type {
  GpuType,
  PairMeasurement,
  ProfileSet,
  Provenance,
  ProvenanceTable,
  Workload,
  WorkloadProfile,
} from './sim/gpu/profile.ts';
export { JOB_STATES, type JobPriority, type JobSpec, type JobState } from './sim/job.ts';
export type { JobView } from './sim/job-view.ts';
export {
  DEFAULT_SIMULATION_OPTIONS,
  type FailureOptions,
  type RateSeries,
  type SimulationOptions,
} from './sim/options.ts';
export { type RandomSource, randomStream } from './sim/random.ts';
export type {
  Distribution,
  EnergySummary,
  JobRow,
  Observer,
  SimulationResult,
  Summary,
} from './sim/result.ts';
export { type SimulationConfig, simulate } from './sim/simulate.ts';
export type { DecisionMaker, Information, JobList, View } from './sim/view.ts';
// Traces: files and generators of jobs, and how jobs get their models.
export * as traces from './traces/index.ts';
