import type { ClusterView } from './cluster/cluster.ts';
import type { Decision } from './decisions.ts';
import type { SharingMode } from './gpu/evaluate.ts';
import type { JobView } from './job-view.ts';

/** What a policy is told of how long jobs run. */
export interface Information {
  /** `estimate` is the duration times a seeded lognormal error; `oracle` the duration itself. */
  readonly duration: 'none' | 'estimate' | 'oracle';
  /** Standard deviation of the logarithm of the error of `estimate`; 0 makes it exact. */
  readonly durationNoise: number;
}

/**
 * All that a policy sees when it is asked: the time, its queue, what runs, the cluster. Nothing in
 * it changes the simulation; decisions do.
 */
export interface View {
  readonly nowS: number;
  readonly cluster: ClusterView;
  /** Queued jobs in order of submission (a preempted job takes its old place again). */
  readonly queue: JobList;
  /** Jobs that hold GPUs (starting, running or checkpointing) in the order in which they got them. */
  readonly active: JobList;
  /**
   * Jobs that entered the queue since the policy was asked last, in the order of entering; those that
   * its own decisions then put back are among them. A job may have moved on since.
   */
  readonly entered: readonly JobView[];
  /** Jobs that left their GPUs since the policy was asked last: done, failed or preempted. */
  readonly left: readonly JobView[];
  /**
   * The job with this number, as in `cluster.residents`.
   * @throws {DecisionError} when it is not in the system: not submitted yet, or final
   */
  job(index: number): JobView;
  /** The core clock that is set (its transition may still be under way). */
  clockMhz(gpu: number): number;
  powerCapW(gpu: number): number;
  mode(gpu: number): SharingMode;
  /** Slices of a GPU in mode `mig`; empty otherwise. */
  slices(gpu: number): readonly number[];
}

/** Jobs in order, without an array being made. */
export interface JobList extends Iterable<JobView> {
  readonly size: number;
  /** First job, or null. */
  readonly first: JobView | null;
  /** The job behind `job`, or null at the end. */
  after(job: JobView): JobView | null;
}

/**
 * What the simulator needs of a policy; `policies/policy.ts` adds its description. A policy is asked
 * once after all events of an instant; it yields or returns its decisions in order.
 */
export interface DecisionMaker {
  readonly name: string;
  readonly information: Information;
  /** Mode in which all GPUs start. */
  readonly mode: SharingMode;
  decide(view: View): Iterable<Decision>;
}
