/** A MIG slice of an A100 by its compute sevenths: 1g.5gb, 2g.10gb, 3g.20gb, 4g.20gb, 7g.40gb. */
export type Slice = 1 | 2 | 3 | 4 | 7;

/** The partitions of an A100 that MISO searches, in the order of their codes (SoCC 2022, released list). */
export const A100_PARTITIONS: readonly (readonly Slice[])[] = [
  [7],
  [2, 1, 4],
  [1, 1, 1, 4],
  [3, 3],
  [2, 1, 3],
  [1, 1, 1, 3],
  [3, 2, 2],
  [3, 2, 1, 1],
  [3, 1, 1, 2],
  [3, 1, 1, 1, 1],
  [2, 1, 2, 2],
  [2, 1, 2, 1, 1],
  [2, 1, 1, 1, 2],
  [1, 1, 1, 2, 1, 1],
  [1, 1, 1, 1, 1, 2],
  [2, 1, 1, 1, 1, 1],
  [1, 2, 1, 1, 1, 1],
  [1, 1, 1, 1, 1, 1, 1],
];

/** Step time of a job on each slice; a slice that is absent is too small for it. */
export type SliceTimes = Readonly<Partial<Record<Slice, number>>>;

/**
 * What a search minimises: the mean slowdown against the whole GPU, as released, or the negative sum of
 * speeds (system throughput), as the paper says. They do not have the same optimum.
 */
export type PartitionObjective = 'mean-slowdown' | 'throughput';

/** A partition, and which job takes which of its slices. */
export interface PartitionChoice {
  /** Index into the partitions. */
  readonly code: number;
  readonly partition: readonly Slice[];
  /** By slice: position of the job in the list given. */
  readonly assignment: readonly number[];
  /** Step time on its slice over that on the whole GPU, averaged over the jobs. */
  readonly meanSlowdown: number;
}

/**
 * The best partition with exactly one slice a job, and the best assignment of its slices: exhaustive, at
 * most 7! assignments a partition; the first of equals, partitions in the order of their codes,
 * assignments in lexicographic order. Null when no partition holds the jobs (MISO, section 4.3; released
 * `miso_optimize`).
 */
export function bestPartition(
  jobs: readonly SliceTimes[],
  objective: PartitionObjective = 'mean-slowdown',
): PartitionChoice | null {
  let best: PartitionChoice | null = null;
  let bestCost = Infinity;
  for (const [code, partition] of A100_PARTITIONS.entries()) {
    if (partition.length !== jobs.length) continue;
    for (const assignment of permutations(jobs.length)) {
      const slowdowns = slowdownsOf(jobs, partition, assignment);
      if (slowdowns === null) continue;
      const meanSlowdown = mean(slowdowns);
      const cost =
        objective === 'mean-slowdown' ? meanSlowdown : -mean(slowdowns.map((value) => 1 / value));
      if (cost >= bestCost) continue;
      bestCost = cost;
      best = { code, partition, assignment: [...assignment], meanSlowdown };
    }
  }
  return best;
}

/** The largest slice that a further job could still get beside jobs that need at least these; 0 for none. */
export function largestSliceLeft(needed: readonly Slice[]): Slice | 0 {
  let largest: Slice | 0 = 0;
  for (const partition of A100_PARTITIONS) {
    for (const slice of partition) {
      if (slice > largest && holds(partition, [...needed, slice])) largest = slice;
    }
  }
  return largest;
}

/** Whether a partition has a slice of its own for each, of at least that size. */
function holds(partition: readonly Slice[], needed: readonly Slice[]): boolean {
  if (needed.length > partition.length) return false;
  const down = (a: Slice, b: Slice) => b - a;
  const offered = [...partition].sort(down);
  return [...needed].sort(down).every((slice, i) => (offered[i] as Slice) >= slice);
}

function slowdownsOf(
  jobs: readonly SliceTimes[],
  partition: readonly Slice[],
  assignment: readonly number[],
): readonly number[] | null {
  const slowdowns: number[] = [];
  for (const [i, slice] of partition.entries()) {
    const times = jobs[assignment[i] as number] as SliceTimes;
    const here = times[slice];
    const whole = times[7];
    if (here === undefined || whole === undefined) return null;
    slowdowns.push(here / whole);
  }
  return slowdowns;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** All orders of 0 .. n - 1, lexicographically; the array is used again for the next one. */
function* permutations(n: number): Generator<readonly number[]> {
  const order = Array.from({ length: n }, (_, i) => i);
  for (;;) {
    yield order;
    let i = n - 2;
    while (i >= 0 && (order[i] as number) > (order[i + 1] as number)) i -= 1;
    if (i < 0) return;
    let j = n - 1;
    while ((order[j] as number) < (order[i] as number)) j -= 1;
    swap(order, i, j);
    for (let low = i + 1, high = n - 1; low < high; low += 1, high -= 1) swap(order, low, high);
  }
}

function swap(order: number[], i: number, j: number): void {
  const value = order[i] as number;
  order[i] = order[j] as number;
  order[j] = value;
}
