import type { JobView } from '../../sim/job-view.ts';
import {
  type GangCurve,
  type GangCurves,
  GangLevels,
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
class Promised implements Demand {
  readonly job: JobView;
  readonly deadlineS: number;
  readonly type: number;
  readonly levels: readonly number[];
  readonly curve: GangCurve;

  constructor(
    job: JobView,
    deadlineS: number,
    type: number,
    levels: readonly number[],
    curve: GangCurve,
  ) {
    this.job = job;
    this.deadlineS = deadlineS;
    this.type = type;
    this.levels = levels;
    this.curve = curve;
  }

  get remainingS(): number {
    return this.job.remainingS;
  }

  speed(gpus: number): number {
    return this.curve.speed(gpus);
  }
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
  /** GPUs of each type. */
  readonly #gpus: readonly number[];
  /** In order of deadlines. */
  #promised: Promised[] = [];
  /** By type: what the last plan, and jobs admitted since, leave free. */
  #free: FreeGpus[] = [];
  /** All jobs, by submission. */
  readonly #jobs = new JobLanes();
  readonly #growth = new OrderedHeap<Member>();

  /** @param gpus of each type of the cluster */
  constructor(
    curves: GangCurves,
    gpus: readonly number[],
    types: TypeOrder,
    options: ElasticFlowOptions,
  ) {
    this.#curves = curves;
    this.#gpus = gpus;
    this.#levels = new GangLevels(gpus);
    this.#types = types;
    this.#options = options;
  }

  enter(job: JobView, atS: number, room: () => TypeRoom): string | null {
    const deadlineS = this.#deadlineOf(job);
    if (deadlineS < Infinity) {
      const promised = this.#admit(job, deadlineS, atS, room);
      if (promised === null) return REASON;
      this.#promised.splice(placeFor(promised, this.#promised), 0, promised);
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
    const shares = this.#keepPromises(state, members);
    this.#startOthers(state, members);
    this.#scaleUp(members, state.room);
    const targets = new Map<JobView, Holding>();
    for (const [job, { type, gpus }] of members) targets.set(job, { type, gpus });
    return { targets, againAtS: nextRise(state.nowS, shares, targets) };
  }

  #deadlineOf(job: JobView): number {
    const { slack, marginS } = this.#options;
    const afterS = job.deadlineS ?? (slack > 0 ? slack * job.durationS : Infinity);
    return job.submitS + afterS - marginS;
  }

  /**
   * Admits a job to a type on which it can be done in time without making a promised one late; types with
   * least promised GPU time for each GPU come first. What the last plan left free is looked at before all
   * is planned anew.
   */
  #admit(job: JobView, deadlineS: number, atS: number, room: () => TypeRoom): Promised | null {
    const backlogS = this.#gpus.map(() => 0);
    for (const { type, levels, remainingS, curve } of this.#promised) {
      const [least = 1] = levels;
      backlogS[type] = (backlogS[type] as number) + (least * remainingS) / curve.speed(least);
    }
    const busy = (type: number) => (backlogS[type] as number) / (this.#gpus[type] as number);
    const types = this.#types(job).toSorted((a, b) => busy(a) - busy(b));
    const newcomers = types.map((type) => this.#promise(job, deadlineS, type));
    for (const newcomer of newcomers) {
      const free = this.#free[newcomer.type];
      const share = free?.minimumShare(newcomer, atS) ?? null;
      if (share === null) continue;
      free?.take(share);
      return newcomer;
    }
    const gpus = room();
    for (const newcomer of newcomers) {
      const { type } = newcomer;
      const ofType = this.#promised.filter((promised) => promised.type === type);
      const all = ofType.toSpliced(placeFor(newcomer, ofType), 0, newcomer);
      const late = this.#late(all, atS, gpus.left(type));
      if (late.has(newcomer)) continue;
      if (late.size > 0 && late.size > this.#late(ofType, atS, gpus.left(type)).size) continue;
      return newcomer;
    }
    return null;
  }

  #promise(job: JobView, deadlineS: number, type: number): Promised {
    const curve = this.#curves.of(job)[type] as GangCurve;
    return new Promised(job, deadlineS, type, this.#levels.of(job, type), curve);
  }

  /** Jobs of one type, in order of deadlines, that cannot be done in time. */
  #late(jobs: readonly Promised[], atS: number, gpus: number): Set<Promised> {
    const free = new FreeGpus(atS, gpus, this.#options.slotS);
    const late = new Set<Promised>();
    for (const promised of jobs) {
      const share = free.minimumShare(promised);
      if (share === null) late.add(promised);
      else free.take(share);
    }
    return late;
  }

  /** Plans the jobs with deadlines and gives them what they have to have now, and then their least. */
  #keepPromises(state: PlanState, members: Map<JobView, Member>): Map<JobView, MinimumShare> {
    const { nowS, room } = state;
    const free = room.lefts().map((gpus) => new FreeGpus(nowS, gpus, this.#options.slotS));
    const shares = new Map<JobView, MinimumShare>();
    this.#free = free;
    this.#promised = this.#promised.filter((promised) => {
      const ofType = free[promised.type] as FreeGpus;
      const share = ofType.minimumShare(promised);
      if (share === null) return false;
      ofType.take(share);
      shares.set(promised.job, share);
      const [first] = share.pieces;
      if (first !== undefined && first.fromS <= nowS) {
        room.take(promised.type, first.gpus);
        members.set(promised.job, memberOf(promised, share.quota, first.gpus));
      }
      return true;
    });
    for (const promised of this.#promised) {
      const { job, type, levels } = promised;
      const [least] = levels;
      if (members.has(job) || least === undefined || room.left(type) < least) continue;
      room.take(type, least);
      members.set(job, memberOf(promised, shares.get(job)?.quota ?? least, least));
    }
    return shares;
  }

  /** Gives jobs without a deadline, and late ones, the least that they need, the oldest first. */
  #startOthers({ room, holding }: PlanState, members: Map<JobView, Member>): void {
    const promised = new Set(this.#promised.map(({ job }) => job));
    const jobs = this.#jobs;
    jobs.open();
    while (room.total > 0 && jobs.first !== null) {
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
      const least = job.minGpus;
      members.set(job, memberOf(this.#promise(job, Infinity, type), least, least));
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
}

/** Where a job comes in the order of deadlines; behind those with the same. */
function placeFor({ deadlineS }: Promised, jobs: readonly Promised[]): number {
  const next = jobs.findIndex((other) => other.deadlineS > deadlineS);
  return next < 0 ? jobs.length : next;
}

function memberOf({ job, type, curve, levels }: Promised, quota: number, gpus: number): Member {
  return { job, type, curve, levels, quota, gpus };
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
