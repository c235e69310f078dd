/** Sum of sharing scores that a GPU can bear ("GPU sharing capacity", Lucid section 4). */
export const SHARING_CAPACITY = 2;
/** A job may take at most so many times the priority value of the job that it joins. */
export const PRIORITY_RATIO = 2;
/** Mean speeds, relative to alone, below which a workload is jumbo, and medium (analyzer.py). */
const JUMBO_SPEED = 0.85;
const MEDIUM_SPEED = 0.95;

/** How much a workload and its company slow each other: 0 tiny, 1 medium, 2 jumbo. */
export type SharingScore = 0 | 1 | 2;

/** What the rule looks at. Memory is of one GPU, in any one unit. */
export interface Packable {
  readonly gpuCount: number;
  readonly memory: number;
  readonly score: number;
  /** Expected duration x GPUs; the lower the earlier. */
  readonly priority: number;
}

/** The score of a workload by its mean speed over all company, relative to running alone. */
export function sharingScore(meanSpeed: number): SharingScore {
  if (meanSpeed < JUMBO_SPEED) return 2;
  return meanSpeed < MEDIUM_SPEED ? 1 : 0;
}

/**
 * Indolent packing: whether a job may join another on exactly its GPUs, where that one is alone
 * (Lucid, policy/lucid.py `job_pair_picker_time_aware`): gangs of one size, memory to spare, scores
 * within the capacity, and not much longer than the job that it joins.
 *
 * @param memoryLimit of a GPU, in the unit of the jobs' memory
 */
export function mayJoin(job: Packable, resident: Packable, memoryLimit: number): boolean {
  return (
    resident.gpuCount === job.gpuCount &&
    resident.memory < memoryLimit - job.memory &&
    resident.score + job.score <= SHARING_CAPACITY &&
    job.priority <= PRIORITY_RATIO * resident.priority
  );
}
