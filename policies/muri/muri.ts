import type { ClusterView } from '../../sim/cluster/cluster.ts';
import type { Decision } from '../../sim/decisions.ts';
import type { JobView } from '../../sim/job-view.ts';
import type { Information, View } from '../../sim/view.ts';
import type { Order } from '../order/order.ts';
import type { Placement } from '../placement/placement.ts';
import type { Policy } from '../policy.ts';
import { ClassQueue } from '../queue/class-queue.ts';
import { type JobClass, JobClasses } from '../queue/job-classes.ts';
import { GpuRoom, SEVERAL_TYPES, typeHeld } from '../walk/gpu-room.ts';
import { candidates, type Holder } from './candidates.ts';
import { Grouper } from './grouping.ts';
import { cellOf, groupsOf, placed } from './groups.ts';
import type { ProfileRating } from './rating.ts';

/** Slack for sums of memories. */
const EPSILON = 1e-9;
/** Vertices of one matching; beyond, groups are matched in bundles. */
const VERTICES = 64;

export interface MuriOptions {
  readonly name: string;
  readonly information: Information;
  /** Keys of queued jobs do not change. */
  readonly order: Order;
  readonly placement: Placement;
  readonly rating: ProfileRating;
  readonly packingNum: number;
  /** Time between two groupings; 0 groups at every arrival and departure. */
  readonly intervalS: number;
  /** Whether a running job becomes less urgent than others by running, so that groups age by themselves. */
  readonly ages: boolean;
}

/** A group of which some members do not run yet. */
interface Waiting {
  readonly members: ReadonlySet<number>;
  /** In the queue, or still writing the checkpoint after which they will be. */
  jobs: readonly JobView[];
  readonly type: number;
  gpus: readonly number[] | null;
}

/**
 * Muri: when GPUs are short, jobs with the same number of GPUs that use different resources at different
 * times share them, in groups found by matching. Groups are made anew at intervals, from all jobs in
 * order; a job whose GPUs its new group keeps goes on, others are preempted and start where their group is.
 * Between two groupings jobs start alone on free GPUs.
 *
 * Members run under MPS without thread limits: how far their stages interleave is the physics' affair.
 */
export class Muri implements Policy {
  readonly name: string;
  readonly information: Information;
  readonly mode = 'mps';
  readonly #options: MuriOptions;
  readonly #classes = new JobClasses('company');
  /** By job. */
  readonly #classOf: (JobClass | undefined)[] = [];
  readonly #queue: ClassQueue;
  readonly #grouper: Grouper;
  /** Jobs that are in `#queue` or wait in a group. */
  readonly #known = new Set<number>();
  /** Jobs preempted here that have not been seen to leave. */
  readonly #preempted = new Set<JobView>();
  #waiting: Waiting[] = [];
  #dueS = -Infinity;
  /** Whether anything has happened since the last grouping that another one could answer. */
  #isStale = false;
  #calledBackS = -Infinity;

  constructor(options: MuriOptions) {
    this.name = options.name;
    this.information = options.information;
    this.#options = options;
    this.#queue = new ClassQueue(options.order, 'company');
    const { rating, packingNum } = options;
    this.#grouper = new Grouper(rating, { packingNum, vertices: VERTICES });
  }

  *decide(view: View): Generator<Decision> {
    this.#takeNotice(view);
    yield* this.#startWaiting(view);
    const { intervalS } = this.#options;
    if (this.#isStale && view.nowS >= this.#dueS && isWorthwhile(view)) {
      yield* this.#regroup(view);
      this.#dueS = view.nowS + intervalS;
      this.#isStale = this.#options.ages && intervalS > 0;
    } else if (this.#waiting.length === 0) {
      yield* this.#fill(view);
    }
    if (!this.#isStale || this.#dueS <= view.nowS || !isWorthwhile(view)) return;
    if (this.#calledBackS === this.#dueS) return;
    this.#calledBackS = this.#dueS;
    yield { kind: 'call-back', atS: this.#dueS };
  }

  /** Files who has come and gone; what this policy did itself is no news. */
  #takeNotice(view: View): void {
    const own = new Set<JobView>();
    for (const job of view.left) {
      if (this.#preempted.delete(job)) own.add(job);
      else this.#isStale = true;
    }
    for (const job of view.entered) {
      if (!own.has(job)) this.#isStale = true;
      if (job.state === 'queued' && !this.#known.has(job.index)) this.#enter(job);
    }
  }

  #enter(job: JobView): void {
    this.#known.add(job.index);
    this.#queue.enter(job);
  }

  /** Starts queued jobs alone where GPUs are free. */
  *#fill(view: View): Generator<Decision> {
    const free = view.cluster.freeGpuTotal;
    if (free === 0) return;
    const queue = this.#queue;
    queue.open(free);
    for (let job = queue.first; job !== null; job = queue.first) {
      const gpus = this.#options.placement.place(view.cluster, job);
      if (gpus === null) {
        queue.dropClass();
        continue;
      }
      queue.take();
      yield* this.#start(job, gpus);
    }
  }

  *#start(job: JobView, gpus: readonly number[]): Generator<Decision> {
    this.#known.delete(job.index);
    yield { kind: 'start', job, gpus, share: 1 };
  }

  *#regroup(view: View): Generator<Decision> {
    const { cluster } = view;
    const { placement, rating, packingNum } = this.#options;
    for (const { jobs } of this.#waiting) {
      for (const job of jobs) {
        this.#known.delete(job.index);
        if (job.state === 'queued') this.#enter(job);
      }
    }
    this.#waiting = [];
    const holders = this.#holders(view);
    const held = cellsOf(cluster, holders);
    const room = roomOf(cluster, held);
    const gpus = room.total;
    const jobs = candidates(holders, this.#queue, room, placement, packingNum);
    const runs = (job: JobView): boolean => job.gpus.length > 0 && !this.#isLeaving(job);
    const groups = groupsOf(
      cluster,
      jobs,
      runs,
      (job) => this.#kindOf(job),
      rating,
      this.#grouper,
      gpus,
    );
    const all = placed(cluster, groups, runs, rating, placement, roomOf(cluster, held));

    const stays = new Set<JobView>();
    for (const { group, type, gpus: kept } of all) {
      const isKept = (job: JobView) => kept !== null && runs(job) && cellOf(job) === kept[0];
      const others = group.members.filter((job) => !isKept(job));
      for (const job of group.members) stays.add(job);
      for (const job of others) this.#known.add(job.index);
      if (others.length === 0) continue;
      const members = new Set(group.members.map(({ index }) => index));
      this.#waiting.push({ members, jobs: others, type, gpus: kept });
    }
    for (const job of jobs) if (!stays.has(job) && job.state === 'queued') this.#enter(job);
    const moving = new Set(this.#waiting.flatMap((group) => group.jobs));
    for (const { job } of holders) {
      if (this.#isLeaving(job) || (stays.has(job) && !moving.has(job))) continue;
      this.#preempted.add(job);
      yield { kind: 'preempt', job };
      if (job.state === 'queued' && !this.#known.has(job.index)) this.#enter(job);
    }
    yield* this.#startWaiting(view);
  }

  #kindOf(job: JobView): JobClass {
    this.#classOf[job.index] ??= this.#classes.of(job);
    return this.#classOf[job.index] as JobClass;
  }

  /** Jobs that hold GPUs, in order. */
  #holders(view: View): readonly Holder[] {
    const holders: Holder[] = [];
    for (const job of view.active) holders.push({ job, key: this.#options.order.key(job) });
    return holders.sort((a, b) => a.key - b.key || a.job.index - b.job.index);
  }

  /** Starts members of groups whose GPUs are there. */
  *#startWaiting(view: View): Generator<Decision> {
    if (this.#waiting.length === 0) return;
    const groups = this.#waiting;
    this.#waiting = [];
    for (const group of groups) {
      const gpus = this.#gpusFor(view, group);
      const left: JobView[] = [];
      for (const job of group.jobs) {
        if (job.state === 'queued' && gpus !== null && hasRoom(view.cluster, job, gpus)) {
          yield* this.#start(job, gpus);
        } else if (job.state === 'queued' || this.#isLeaving(job)) left.push(job);
        else this.#known.delete(job.index);
      }
      group.jobs = left;
      if (left.length > 0) this.#waiting.push(group);
    }
  }

  /** GPUs on which members of a group can start now, or null. */
  #gpusFor(view: View, group: Waiting): readonly number[] | null {
    const { cluster } = view;
    const queued = group.jobs.find(({ state }) => state === 'queued');
    if (queued === undefined) return null;
    if (group.gpus !== null && !this.#isFor(view, group, group.gpus)) group.gpus = null;
    const { placement } = this.#options;
    group.gpus ??=
      group.type === SEVERAL_TYPES
        ? placement.place(cluster, queued)
        : placement.placeOn(cluster, queued, group.type);
    return group.gpus;
  }

  /** Whether nobody is on the GPUs but members of the group, and those that are leaving. */
  #isFor(view: View, { members }: Waiting, gpus: readonly number[]): boolean {
    for (const gpu of gpus) {
      if (!view.cluster.isAvailable(gpu)) return false;
      for (const resident of view.cluster.residents[gpu] as readonly number[]) {
        if (!members.has(resident) && !this.#isLeaving(view.job(resident))) return false;
      }
    }
    return true;
  }

  #isLeaving(job: JobView): boolean {
    return job.state === 'checkpointing' && this.#preempted.has(job);
  }
}

/** Whether jobs wait, or share GPUs while others are free. */
function isWorthwhile({ queue, cluster }: View): boolean {
  if (queue.size > 0) return true;
  if (cluster.freeGpuTotal === 0) return false;
  for (let type = 0; type < cluster.types.length; type += 1) {
    for (let jobs = 2; jobs <= 4; jobs += 1) {
      for (const _gpu of cluster.gpusWithResidents(type, jobs)) return true;
    }
  }
  return false;
}

/** One job of each group that holds GPUs, with the type of these or SEVERAL_TYPES. */
function cellsOf(
  cluster: ClusterView,
  holders: readonly Holder[],
): readonly { readonly job: JobView; readonly type: number }[] {
  const counted = new Set<number>();
  const cells: { job: JobView; type: number }[] = [];
  for (const { job } of holders) {
    if (counted.has(cellOf(job))) continue;
    counted.add(cellOf(job));
    cells.push({ job, type: typeHeld(cluster, job) });
  }
  return cells;
}

/** All GPUs that work, by count. */
function roomOf(cluster: ClusterView, cells: ReturnType<typeof cellsOf>): GpuRoom {
  const room = new GpuRoom(cluster);
  for (const { job, type } of cells) room.add(job, type);
  return room;
}

function hasRoom(cluster: ClusterView, job: JobView, gpus: readonly number[]): boolean {
  return gpus.every((gpu) => {
    const type = cluster.typeOf(gpu);
    const clients = cluster.types[type]?.mpsClientLimit ?? 1;
    const residents = (cluster.residents[gpu] as readonly number[]).length;
    return (
      cluster.isAvailable(gpu) &&
      residents < clients &&
      cluster.freeMemoryGib(gpu) >= job.memoryGib(type) - EPSILON
    );
  });
}
