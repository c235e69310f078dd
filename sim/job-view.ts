import type { JobPriority, JobState } from './job.ts';

/** A job as a policy sees it. Facts of its submission, its state, and only what the policy is told. */
export interface JobView {
  /** Its number in the run, in order of submission. */
  readonly index: number;
  readonly id: string;
  readonly submitS: number;
  /** Name of its workload profile. */
  readonly workload: string;
  /** GPU type on which its duration was observed. */
  readonly referenceGpu: string;
  /** GPUs of its own gang, with which its duration was observed. */
  readonly gpuCount: number;
  /** Smallest and largest gang with which it can run; both `gpuCount` for a rigid job. */
  readonly minGpus: number;
  readonly maxGpus: number;
  /** SM share that it asks of each GPU. */
  readonly share: number;
  /** Time after submission by which it must be done, and run slowdown allowed; null for none. */
  readonly deadlineS: number | null;
  readonly maxSlowdown: number | null;
  readonly priority: JobPriority | null;
  readonly user: string | null;
  readonly virtualCluster: string | null;
  /** Types of the cluster on which it can run (profile, memory and request), ascending. */
  readonly types: readonly number[];
  /** Memory that it takes on a GPU of this type. */
  memoryGib(type: number): number;

  readonly state: JobState;
  /** GPUs that it holds; empty while it is queued. */
  readonly gpus: readonly number[];
  /** Time spent running, over all its runs. */
  readonly attainedS: number;
  /** Time since it entered the queue; 0 unless queued. */
  readonly waitingS: number;
  readonly preemptions: number;
  /** Whether it has ever held GPUs; until then it can be turned away. */
  readonly hasStarted: boolean;
  /**
   * Duration on the reference GPU, alone at full clock, as far as the policy is told.
   * @throws {DecisionError} when the policy declares `duration: 'none'`
   */
  readonly durationS: number;
  /** `durationS` less the work done, never below 0. */
  readonly remainingS: number;
}
