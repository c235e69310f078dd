/** What a job asks for, and when: the fields that statistics and shaping look at. */
export interface Demand {
  readonly submitS: number;
  readonly durationS: number;
  readonly gpuCount: number;
  /** Part of each GPU asked for, in (0, 1]. */
  readonly share: number;
}

/** GPUs that a job asks for at once; parts of a GPU count as such. */
export function gpusOf({ gpuCount, share }: Demand): number {
  return gpuCount * share;
}

/** GPU-seconds that a job asks for. */
export function gpuSeconds(job: Demand): number {
  return gpusOf(job) * job.durationS;
}
