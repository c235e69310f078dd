/** A guaranteed job must not be slowed by others; an opportunistic one takes what is left. */
export type JobPriority = 'guaranteed' | 'opportunistic';

/** A job as a workload states it: facts only, nothing that the simulation changes. */
export interface JobSpec {
  /** Unique in its workload; kept as the trace wrote it. */
  readonly id: string;
  /** Seconds from the first event of the trace. */
  readonly submitS: number;
  /** Name of the workload profile (model and batch size) it runs. */
  readonly workload: string;
  /**
   * Run time on `referenceGpu`, alone, at full clock, with its own gang and its own share. Its work
   * is this duration times the speed it had there.
   */
  readonly durationS: number;
  readonly referenceGpu: string;
  /** Size of its own gang: GPUs that it asks for, all at the same time. */
  readonly gpuCount: number;
  /**
   * Smallest and largest gang with which it can run, `minGpus <= gpuCount <= maxGpus`; both are
   * `gpuCount` for a rigid job. Its rate follows the profile's `scaling`.
   */
  readonly minGpus: number;
  readonly maxGpus: number;
  /** SM share asked of each GPU, in (0, 1]. */
  readonly share: number;
  /** Memory on each GPU; null takes the profile's footprint, or `share` of the GPU if share < 1. */
  readonly memoryGib: number | null;
  /** GPU types it may run on; empty means every type that has a profile. */
  readonly gpuTypes: readonly string[];
  /** Latest completion, seconds after submission; null for none. */
  readonly deadlineS: number | null;
  /** Largest run slowdown allowed (time running over time alone at full clock); null for none. */
  readonly maxSlowdown: number | null;
  /** Class in which it runs where a policy or its trace tells two apart; null for none. */
  readonly priority: JobPriority | null;
  readonly user: string | null;
  readonly virtualCluster: string | null;
}

/** Life cycle of a job; `rejected`, `done` and `failed` are final. */
export const JOB_STATES = [
  'submitted',
  'rejected',
  'queued',
  'starting',
  'running',
  'checkpointing',
  'done',
  'failed',
] as const;
export type JobState = (typeof JOB_STATES)[number];
