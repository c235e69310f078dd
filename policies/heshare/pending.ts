import type { JobView } from '../../sim/job-view.ts';
import { OrderedHeap } from '../queue/ordered-heap.ts';
import type { JobKind } from './kinds.ts';

/** Waiting jobs of one kind: where one of them cannot be placed, none can. */
export interface PendingGroup {
  readonly kind: JobKind;
  readonly jobs: OrderedHeap<JobView>;
  /** Position in the log of changes up to which placements have been tried in vain; -1 for none. */
  triedUpTo: number;
}

/** An entry of the order of groups; it is void once the group has another first job. */
interface Listing {
  readonly group: PendingGroup;
  readonly job: JobView;
}

/**
 * Waiting jobs in the order (rank, submission), grouped by kind, so that an instant costs the kinds
 * that are tried and the jobs that start, not the queue. Jobs leave it only by `take`.
 */
export class Pending {
  readonly #rank: (job: JobView) => number;
  readonly #groups = new Map<string, PendingGroup>();
  readonly #order = new OrderedHeap<Listing>();
  readonly #listed = new Map<PendingGroup, JobView>();
  #size = 0;
  #deadlines = 0;

  /** @param rank lower first; asked once, when a job enters */
  constructor(rank: (job: JobView) => number) {
    this.#rank = rank;
  }

  get size(): number {
    return this.#size;
  }

  /** Jobs whose chances change with time alone. */
  get deadlines(): number {
    return this.#deadlines;
  }

  /** @returns whether the job may have a place where none was found for its like */
  enter(job: JobView, kind: JobKind): boolean {
    // A deadline leaves each job its own time, so no two are alike.
    const key = job.deadlineS === null ? `${kind.id}` : `${kind.id} ${job.index}`;
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = { kind, jobs: new OrderedHeap(), triedUpTo: -1 };
      if (job.deadlineS === null) this.#groups.set(key, group);
    }
    if (group.jobs.size === 0) group.triedUpTo = -1;
    group.jobs.push(this.#rank(job), job.index, job);
    this.#size += 1;
    if (job.deadlineS !== null) this.#deadlines += 1;
    this.#list(group);
    return group.triedUpTo < 0;
  }

  /** Takes the first job of a group out. */
  take(group: PendingGroup): JobView {
    const job = group.jobs.pop() as JobView;
    this.#size -= 1;
    if (job.deadlineS !== null) this.#deadlines -= 1;
    return job;
  }

  /**
   * Groups in the order of their first jobs. A group comes again with its next job after a `take`;
   * one from which nothing was taken has failed, and after `limit` such groups the walk ends.
   */
  *walk(limit: number): Generator<PendingGroup> {
    const failed: PendingGroup[] = [];
    while (failed.length < limit) {
      const group = this.#next();
      if (group === null) break;
      const before = group.jobs.size;
      yield group;
      if (group.jobs.size === before) failed.push(group);
      else this.#list(group);
    }
    for (const group of failed) this.#list(group);
  }

  /** The group whose first job comes first, no longer listed; or null. */
  #next(): PendingGroup | null {
    for (;;) {
      const listing = this.#order.pop();
      if (listing === null) return null;
      const { group, job } = listing;
      if (this.#listed.get(group) !== job) continue;
      this.#listed.delete(group);
      return group;
    }
  }

  /** Files a group under its present first job. */
  #list(group: PendingGroup): void {
    const { jobs } = group;
    const { first } = jobs;
    if (first === null || this.#listed.get(group) === first) return;
    this.#listed.set(group, first);
    this.#order.push(jobs.firstKey, first.index, { group, job: first });
  }
}
