import type { ClusterView } from '../../sim/cluster/cluster.ts';
import type { Join } from './join.ts';
import type { JobKind } from './kinds.ts';
import type { Resident, Tuner, Tuning } from './tune.ts';

/** A job that holds GPUs, as placed by the policy. */
export interface Placed {
  readonly kind: JobKind;
  /** GPUs that it was given; a gang's are its own. */
  readonly gpus: readonly number[];
}

/** A resident of a shared GPU. */
export interface Member extends Resident {
  /** A job with a deadline is never restarted for the sake of others. */
  readonly pinned: boolean;
}

/** GPUs of one type whose residents, shares and free memory are alike. */
export interface OccupiedClass {
  readonly type: number;
  readonly freeGib: number;
  /** Ascending by task, then by share. */
  readonly members: readonly Member[];
  /** The best clock for the members with the shares they have. */
  readonly tuning: Tuning;
  readonly gpus: Set<number>;
  /** Ways to join, by task of the newcomer. */
  readonly joins: Map<number, readonly Join[]>;
}

/** Classes, empty ones included, that are kept for what is known of them. */
const KEPT_CLASSES = 20_000;

/** Steps in which free memory is told apart, rounded down. */
const FREE_GIB_STEP = 1 / 64;

/**
 * GPUs that single jobs hold, grouped into classes of equal GPUs: finer than `cluster.classes()`
 * because shares, slowdown bounds and free memory decide who can join. Work is by class.
 */
export class Occupancy {
  readonly #cluster: ClusterView;
  readonly #tuner: Tuner;
  readonly #maxPerGpu: number;
  readonly #placed = new Map<number, Placed & { readonly pinned: boolean }>();
  readonly #byKey = new Map<string, OccupiedClass>();
  readonly #classOf = new Map<number, OccupiedClass>();
  readonly #open = new Set<OccupiedClass>();
  readonly #log: number[] = [];
  #logBase = 0;
  #nextPurge = KEPT_CLASSES;

  constructor(cluster: ClusterView, tuner: Tuner, maxPerGpu: number) {
    this.#cluster = cluster;
    this.#tuner = tuner;
    this.#maxPerGpu = maxPerGpu;
  }

  /** Classes with room for one more client, in the order in which they last came to be. */
  get open(): ReadonlySet<OccupiedClass> {
    return this.#open;
  }

  /** Class of a GPU, or null when it is free or a gang's. */
  classOf(gpu: number): OccupiedClass | null {
    return this.#classOf.get(gpu) ?? null;
  }

  placed(job: number): Placed | null {
    return this.#placed.get(job) ?? null;
  }

  /** Position in the log of GPUs on which room may have come up. */
  get logEnd(): number {
    return this.#logBase + this.#log.length;
  }
  /** GPUs on which room may have come up since a position. */
  changedSince(position: number): readonly number[] {
    return position >= this.logEnd ? NONE : this.#log.slice(position - this.#logBase);
  }
  /** Nobody waits: what happened up to now is of no interest. */
  forgetLog(): void {
    this.#logBase = this.logEnd;
    this.#log.length = 0;
  }

  /** A job has started. */
  enter(job: number, kind: JobKind, pinned: boolean, gpus: readonly number[]): void {
    this.#placed.set(job, { kind, pinned, gpus });
    for (const gpu of gpus) this.#file(gpu);
  }

  /** A job has left. @returns the GPUs it held */
  leave(job: number): readonly number[] {
    const gpus = this.#placed.get(job)?.gpus ?? NONE;
    this.#placed.delete(job);
    for (const gpu of gpus) this.changed(gpu);
    return gpus;
  }

  /** Files a GPU anew whose residents or shares have changed. */
  changed(gpu: number): void {
    this.#file(gpu);
    if (this.#classOf.has(gpu)) this.#log.push(gpu);
  }

  /** Jobs on a GPU in the order of the members of its class. */
  seated(gpu: number): readonly number[] {
    return this.#residents(gpu).map(({ job }) => job);
  }

  #residents(gpu: number): { readonly job: number; readonly member: Member }[] {
    const type = this.#cluster.typeOf(gpu);
    const jobs = this.#cluster.residents[gpu] as readonly number[];
    const shares = this.#cluster.shares[gpu] as readonly number[];
    const wholeSteps = Math.round(1 / this.#tuner.share(type, 1));
    const residents: { job: number; member: Member }[] = [];
    for (let i = 0; i < jobs.length; i += 1) {
      const job = jobs[i] as number;
      const placed = this.#placed.get(job);
      if (placed === undefined || placed.kind.gpuCount > 1) return [];
      const steps = Math.round((shares[i] as number) * wholeSteps);
      const task = placed.kind.tasks[type] as number;
      residents.push({ job, member: { task, steps, pinned: placed.pinned } });
    }
    return residents.sort(
      (a, b) =>
        a.member.task - b.member.task ||
        a.member.steps - b.member.steps ||
        Number(a.member.pinned) - Number(b.member.pinned) ||
        a.job - b.job,
    );
  }

  #file(gpu: number): void {
    const members = this.#residents(gpu).map(({ member }) => member);
    const before = this.#classOf.get(gpu);
    const after = members.length === 0 ? undefined : this.#classFor(gpu, members);
    if (before === after) return;
    if (before !== undefined) {
      before.gpus.delete(gpu);
      if (before.gpus.size === 0) this.#open.delete(before);
    }
    if (after === undefined) {
      this.#classOf.delete(gpu);
      return;
    }
    after.gpus.add(gpu);
    this.#classOf.set(gpu, after);
    const { mpsClientLimit } = this.#cluster.types[after.type] as { mpsClientLimit: number };
    if (members.length < Math.min(this.#maxPerGpu, mpsClientLimit)) this.#open.add(after);
  }

  /** Forgets classes without members, so that memory goes with the cluster and not with the run. */
  #purge(): void {
    for (const [key, { gpus }] of this.#byKey) if (gpus.size === 0) this.#byKey.delete(key);
    this.#nextPurge = Math.max(KEPT_CLASSES, 2 * this.#byKey.size);
  }

  #classFor(gpu: number, members: readonly Member[]): OccupiedClass {
    const type = this.#cluster.typeOf(gpu);
    const freeSteps = Math.floor(this.#cluster.freeMemoryGib(gpu) / FREE_GIB_STEP + 1e-6);
    let key = `${type} ${freeSteps}`;
    for (const { task, steps, pinned } of members) key += ` ${task}:${steps}${pinned ? '!' : ''}`;
    let found = this.#byKey.get(key);
    if (found === undefined) {
      found = {
        type,
        freeGib: freeSteps * FREE_GIB_STEP,
        members,
        tuning: this.#tuner.atShares(type, members),
        gpus: new Set(),
        joins: new Map(),
      };
      if (this.#byKey.size >= this.#nextPurge) this.#purge();
      this.#byKey.set(key, found);
    }
    return found;
  }
}

const NONE: readonly number[] = [];
