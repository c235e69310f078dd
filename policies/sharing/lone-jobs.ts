import type { ClusterView } from '../../sim/cluster/cluster.ts';
import type { GpuType } from '../../sim/gpu/profile.ts';
import type { JobView } from '../../sim/job-view.ts';
import type { View } from '../../sim/view.ts';
import { FirstWithin } from '../queue/first-within.ts';
import { mayJoin, type Packable, PRIORITY_RATIO } from './lucid-rule.ts';

/** What the rule of Lucid looks at, of a job on a type. */
export type PackableOn = (job: JobView, type: number) => Packable;

/** Running jobs of one kind: same gang, type, memory and score. */
interface Lane {
  readonly type: number;
  /** What they have in common; the priority is none of it and left out of the rule here. */
  readonly kind: Packable;
  /** By the order in which they started; the value is the priority negated, Infinity while paired. */
  readonly jobs: FirstWithin;
}

/** Where a running job is in the index. */
interface Seat {
  readonly lane: Lane;
  readonly priority: number;
  readonly gpus: readonly number[];
}

/**
 * The running jobs that have their GPUs, all in one node, alone: finds the first, in the order in which
 * they started, that a job may join. O(kinds of running jobs + log running).
 */
export class LoneJobs {
  readonly #packableOn: PackableOn;
  readonly #lanes = new Map<string, Lane>();
  readonly #bySize = new Map<number, Lane[]>();
  readonly #seats = new Map<number, Seat>();
  #starts = 0;

  constructor(packableOn: PackableOn) {
    this.#packableOn = packableOn;
  }

  /** The first running job whose GPUs the job may share, or null. */
  hostFor(view: View, job: JobView): JobView | null {
    let found: JobView | null = null;
    let foundAt = Infinity;
    for (const { type, kind, jobs } of this.#bySize.get(job.gpuCount) ?? []) {
      if (!job.types.includes(type)) continue;
      const mine = this.#packableOn(job, type);
      const limit = -mine.priority / PRIORITY_RATIO;
      if (!jobs.has(limit)) continue;
      const { memoryGib, mpsClientLimit } = view.cluster.types[type] as GpuType;
      if (mpsClientLimit < 2 || !mayJoin(mine, kind, memoryGib)) continue;
      const first = jobs.first(limit);
      const startedAt = first === null ? Infinity : jobs.rankOf(first);
      if (startedAt >= foundAt) continue;
      found = first;
      foundAt = startedAt;
    }
    return found;
  }

  /** A job has started, alone or on the GPUs of another. */
  started(view: View, job: JobView): void {
    const { cluster } = view;
    const type = cluster.typeOf(job.gpus[0] as number);
    const packable = this.#packableOn(job, type);
    const lane = this.#laneOf(type, packable);
    this.#starts += 1;
    this.#seats.set(job.index, { lane, priority: packable.priority, gpus: job.gpus });
    lane.jobs.add(job, Infinity, this.#starts);
    this.#update(view, job.gpus);
  }

  /** A job has left its GPUs: who stays there is alone now. */
  left(view: View, job: JobView): void {
    const seat = this.#seats.get(job.index);
    if (seat === undefined) return;
    this.#seats.delete(job.index);
    seat.lane.jobs.remove(job);
    this.#update(view, seat.gpus);
  }

  /** Shows the job on these GPUs if it is alone there, and hides it otherwise. */
  #update(view: View, gpus: readonly number[]): void {
    const residents = view.cluster.residents[gpus[0] as number] ?? [];
    for (const resident of residents) {
      const seat = this.#seats.get(resident);
      if (seat === undefined) continue;
      const isAlone = residents.length === 1 && isOneNode(view.cluster, seat.gpus);
      seat.lane.jobs.change(view.job(resident), isAlone ? -seat.priority : Infinity);
    }
  }

  #laneOf(type: number, kind: Packable): Lane {
    const { gpuCount, memory, score } = kind;
    const key = `${type} ${gpuCount} ${memory} ${score}`;
    let lane = this.#lanes.get(key);
    if (lane === undefined) {
      lane = { type, kind: { ...kind, priority: Infinity }, jobs: new FirstWithin() };
      this.#lanes.set(key, lane);
      const ofSize = this.#bySize.get(gpuCount) ?? [];
      ofSize.push(lane);
      this.#bySize.set(gpuCount, ofSize);
    }
    return lane;
  }
}

function isOneNode(cluster: ClusterView, gpus: readonly number[]): boolean {
  const node = cluster.nodeOf(gpus[0] as number);
  return gpus.every((gpu) => cluster.nodeOf(gpu) === node);
}
