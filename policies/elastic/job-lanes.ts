import type { JobView } from '../../sim/job-view.ts';
import { OrderedHeap } from '../queue/ordered-heap.ts';

/** Jobs that need at least as many GPUs of the same types: where one has no room, none has. */
interface Lane {
  readonly minGpus: number;
  readonly types: readonly number[];
  /** In order of submission. */
  readonly jobs: Set<JobView>;
  rest: Iterator<JobView>;
  head: JobView | null;
}

/**
 * All jobs in the system, whether they wait or run, to be walked in the order (rank, submission) without a
 * scan: a lane whose jobs have no room is dropped as a whole. Walking over n jobs is
 * O(lanes + n x log lanes).
 */
export class JobLanes {
  readonly #rank: (minGpus: number) => number;
  readonly #lanes = new Map<string, Lane>();
  readonly #laneOf = new Map<JobView, Lane>();
  readonly #open = new OrderedHeap<Lane>();

  /** @param rank of a lane by the GPUs that its jobs need; by submission alone when absent */
  constructor(rank: (minGpus: number) => number = () => 0) {
    this.#rank = rank;
  }

  get size(): number {
    return this.#laneOf.size;
  }

  has(job: JobView): boolean {
    return this.#laneOf.has(job);
  }

  /** Adds a job that was submitted after all those that are there. */
  add(job: JobView): void {
    const { minGpus, types } = job;
    const key = `${minGpus} ${types.join()}`;
    let lane = this.#lanes.get(key);
    if (lane === undefined) {
      const jobs = new Set<JobView>();
      lane = { minGpus, types, jobs, rest: jobs.values(), head: null };
      this.#lanes.set(key, lane);
    }
    lane.jobs.add(job);
    this.#laneOf.set(job, lane);
  }

  /** Does nothing when the job is not there. */
  remove(job: JobView): void {
    this.#laneOf.get(job)?.jobs.delete(job);
    this.#laneOf.delete(job);
  }

  /** Starts a walk. Nothing may be added or removed before it ends. */
  open(): void {
    this.#open.clear();
    for (const lane of this.#lanes.values()) {
      lane.rest = lane.jobs.values();
      lane.head = next(lane);
      if (lane.head !== null) this.#open.push(this.#rank(lane.minGpus), lane.head.index, lane);
    }
  }

  /** The next job, or null at the end. */
  get first(): JobView | null {
    return this.#open.first?.head ?? null;
  }

  /** Goes on to the next job. */
  advance(): void {
    const lane = this.#open.first;
    if (lane === null) return;
    lane.head = next(lane);
    if (lane.head === null) this.#open.pop();
    else this.#open.replaceFirst(this.#rank(lane.minGpus), lane.head.index, lane);
  }

  /** `first` has no room: neither have the other jobs of its lane. */
  dropLane(): void {
    this.#open.pop();
  }
}

function next(lane: Lane): JobView | null {
  const result = lane.rest.next();
  return result.done === true ? null : result.value;
}
