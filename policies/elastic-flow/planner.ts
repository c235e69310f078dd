import type { JobView } from '../../sim/job-view.ts';
import {
  type GangCurve,
  type GangCurves,
  type GangLevels,
  type Holding,
  JobLanes,
  NO_TYPE,
  type Plan,
  type Planner,
  type PlanState,
  type TypeRoom,
} from '../elastic/index.ts';
import type { TypeOrder } from '../placement/type-order.ts';
import { OrderedHeap } from '../queue/ordered-heap.ts';
import { type Demand, FreeGpus, type MinimumShare } from './free-gpus.ts';

export interface ElasticFlowOptions {
  /** Deadline of a job that states none, in durations after its submission; 0 for no deadline. */
  readonly slack: number;
  /** Time before a deadline by which a plan has a job done. */
  readonly marginS: number;
  readonly slotS: number;
  /** Which gangs grow first: those that then take least GPU time, or most as released. */
  readonly scaleUp: 'least' | 'released';
}

/** An admitted job that is planned to be done in time. It stays on its type. */
interface Promised {
  readonly job: JobView;
  readonly deadlineS: number;
  readonly type: number;
}

/** A job that has GPUs now. */
interface Member {
  readonly job: JobView;
  readonly type: number;
  readonly curve: GangCurve;
  readonly levels: readonly number[];
  /** GPUs with which it goes on after this slot. */
  readonly quota: number;
  gpus: number;
}

export const REASON = 'its deadline cannot be met';

/**
 * ElasticFlow: a job is admitted if, in the order of deadlines, all jobs still get the least that they need
 * to be done in time. What that leaves of the GPUs now goes to jobs that have none, those with a deadline
 * first, and then to gangs that grow level by level where that takes least GPU time. A job that can no longer
 * be done in time goes on as one without a deadline.
 *
 * O(jobs with a deadline x steps of their plans + lanes + GPUs x log) a plan.
 */
export class ElasticFlowPlanner implements Planner {
  readonly #curves: GangCurves;
  readonly #levels: GangLevels;
  readonly #types: TypeOrder;
  readonly #options: ElasticFlowOptions;
  /** In order of deadlines. */
  #promised: Promised[] = [];
  /** All jobs, by submission. */
  readonly #jobs = new JobLanes();
  readonly #growth = new OrderedHeap<Member>();

  constructor(
    curves: GangCurves,
    levels: GangLevels,
    types: TypeOrder,
    options: ElasticFlowOptions,
  ) {
    this.#curves = curves;
    this.#levels = levels;
    this.#types = types;
    this.#options = options;
  }

  enter(job: JobView, atS: number, room: () => TypeRoom): string | null {
    const deadlineS = this.#deadlineOf(job);
    if (deadlineS < Infinity) {
      const type = this.#admittingType(job, deadlineS, atS, room());
      if (type === NO_TYPE) return REASON;
      const next = this.#promised.findIndex((other) => other.deadlineS > deadlineS);
      const place = next < 0 ? this.#promised.length : next;
      this.#promised.splice(place, 0, { job, deadlineS, type });
    }
    this.#jobs.add(job);
    return null;
  }

  leave(job: JobView): void {
    this.#jobs.remove(job);
    const place = this.#promised.findIndex((promised) => promised.job === job);
    if (place >= 0) this.#promised.splice(place, 1);
  }

  plan(state: PlanState): Plan {
    const members = new Map<JobView, Member>();
    const shares = this.#promise(state, members);
    this.#startOthers(state, members);
    this.#scaleUp(members, state.room);
    const g=globalThis as any; g.N=(g.N??0)+1; g.P=(g.P??0)+this.#promised.length; if (g.N%500===0) console.log('N',g.N,'avg promised',g.P/g.N, 'now', this.#promised.length, g.S);
    const targets = new Map<JobView, Holding>();
    for (const [job, { type, gpus }] of members) targets.set(job, { type, gpus });
    return { targets, againAtS: nextRise(state.nowS, shares, targets) };
  }

  #deadlineOf(job: JobView): number {
    const { slack, marginS } = this.#options;
    const afterS = job.deadlineS ?? (slack > 0 ? slack * job.durationS : Infinity);
    return job.submitS + afterS - marginS;
  }

  /** The first type on which the job can be done in time, and no promised one is late because of it. */
  #admittingType(job: JobView, deadlineS: number, atS: number, room: TypeRoom): number {
    for (const type of this.#types(job)) {
      const ofType = this.#promised.filter((promised) => promised.type === type);
      const next = ofType.findIndex((promised) => promised.deadlineS > deadlineS);
      const newcomer = { job, deadlineS, type };
      const all = ofType.toSpliced(next < 0 ? ofType.length : next, 0, newcomer);
      const late = this.#late(all, atS, room.left(type));
      if (late.has(newcomer)) continue;
      if (late.size > 0 && late.size > this.#late(ofType, atS, room.left(type)).size) continue;
      return type;
    }
    return NO_TYPE;
  }

  /** Jobs of one type, in order of deadlines, that cannot be done in time. */
  #late(jobs: readonly Promised[], atS: number, gpus: number): Set<Promised> {
    const free = new FreeGpus(atS, gpus, this.#options.slotS);
    const late = new Set<Promised>();
    for (const promised of jobs) {
      const share = free.minimumShare(this.#demandOf(promised));
      if (share === null) late.add(promised);
      else free.take(share);
    }
    return late;
  }

  /** Plans the jobs with deadlines and gives them what they have to have now. */
  #promise(state: PlanState, members: Map<JobView, Member>): Map<JobView, MinimumShare> {
    const { nowS, room } = state;
    const free = room.lefts().map((gpus) => new FreeGpus(nowS, gpus, this.#options.slotS));
    const shares = new Map<JobView, MinimumShare>();
    this.#promised = this.#promised.filter((promised) => {
      const ofType = free[promised.type] as FreeGpus;
      const share = ofType.minimumShare(this.#demandOf(promised));
      if (share === null) return false;
      ofType.take(share);
      shares.set(promised.job, share);
      const [first] = share.pieces;
      if (first === undefined || first.fromS > nowS) return true;
      room.take(promised.type, first.gpus);
      members.set(promised.job, this.#member(promised.job, promised.type, share.quota, first.gpus));
      return true;
    });
    (globalThis as any).S=free.map(f=>f.steps);
    for (const { job, type } of this.#promised) {
      const [least] = this.#levels.of(job, type);
      const share = shares.get(job);
      if (members.has(job) || least === undefined || room.left(type) < least) continue;
      room.take(type, least);
      members.set(job, this.#member(job, type, share?.quota ?? least, least));
    }
    return shares;
  }

  /** Gives jobs without a deadline, and late ones, the least that they need, the oldest first. */
  #startOthers({ room, holding }: PlanState, members: Map<JobView, Member>): void {
    const promised = new Set(this.#promised.map(({ job }) => job));
    const jobs = this.#jobs;
    for (jobs.open(); room.total > 0 && jobs.first !== null; ) {
      const job = jobs.first;
      if (promised.has(job)) {
        jobs.advance();
        continue;
      }
      const type = room.give(job.minGpus, this.#types(job), holding(job)?.type ?? NO_TYPE);
      if (type === NO_TYPE) {
        jobs.dropLane();
        continue;
      }
      jobs.advance();
      members.set(job, this.#member(job, type, job.minGpus, job.minGpus));
    }
  }

  #scaleUp(members: ReadonlyMap<JobView, Member>, room: TypeRoom): void {
    const growth = this.#growth;
    growth.clear();
    for (const member of members.values()) this.#offer(member);
    for (let best = growth.first; best !== null; best = growth.first) {
      growth.pop();
      const more = nextLevel(best) - best.gpus;
      if (room.left(best.type) < more) continue;
      room.take(best.type, more);
      best.gpus += more;
      this.#offer(best);
    }
  }

  /**
   * Enters a gang by the GPU time that its next level takes more, for each GPU and second: what it does more
   * now is saved later at the efficiency of its quota.
   */
  #offer(member: Member): void {
    const { curve, gpus, quota, job } = member;
    const next = nextLevel(member);
    if (next === gpus) return;
    const more = (curve.speed(next) - curve.speed(gpus)) / (next - gpus);
    const extra = 1 - (more * quota) / curve.speed(quota);
    const sign = this.#options.scaleUp === 'least' ? 1 : -1;
    this.#growth.push(sign * extra, job.index, member);
  }

  #member(job: JobView, type: number, quota: number, gpus: number): Member {
    const curve = this.#curves.of(job)[type] as GangCurve;
    return { job, type, curve, levels: this.#levels.of(job, type), quota, gpus };
  }

  #demandOf({ job, deadlineS, type }: Promised): Demand {
    const curve = this.#curves.of(job)[type] as GangCurve;
    const { remainingS } = job;
    const levels = this.#levels.of(job, type);
    return { remainingS, deadlineS, levels, speed: (gpus) => curve.speed(gpus) };
  }
}

function nextLevel({ levels, gpus }: Member): number {
  return levels.find((level) => level > gpus) ?? gpus;
}

/** When a job must have more GPUs than it gets now; Infinity for never. */
function nextRise(
  nowS: number,
  shares: ReadonlyMap<JobView, MinimumShare>,
  targets: ReadonlyMap<JobView, Holding>,
): number {
  let nextS = Infinity;
  for (const [job, { pieces }] of shares) {
    const now = targets.get(job)?.gpus ?? 0;
    const rise = pieces.find(({ fromS, gpus }) => fromS > nowS && gpus > now);
    if (rise !== undefined) nextS = Math.min(nextS, rise.fromS);
  }
  return nextS;
}
