import type { ClusterSpec } from '../../sim/cluster/cluster.ts';
import { soloStepS } from '../../sim/gpu/evaluate.ts';
import type { GpuType, WorkloadProfile } from '../../sim/gpu/profile.ts';
import type { JobView } from '../../sim/job-view.ts';
import { clockPoints } from '../clocks/solo-points.ts';
import {
  type GangCurve,
  GangCurves,
  GangLevels,
  gpusByType,
  JobLanes,
  NO_TYPE,
  type Plan,
  type Planner,
  type PlanState,
  type Target,
  type TypeRoom,
} from '../elastic/index.ts';
import type { TypeOrder } from '../placement/type-order.ts';
import type { Predictor } from '../predictor.ts';
import { OrderedHeap } from '../queue/ordered-heap.ts';
import { clockLadder, Ladder, type Step } from './ladder.ts';

/** A job that has GPUs in a plan. */
interface Member {
  readonly job: JobView;
  readonly type: number;
  readonly ladder: Ladder;
  level: number;
  point: number;
}

/** A step that a member may take. */
interface Offer {
  readonly member: Member;
  readonly steps: readonly Step[];
  /** Which of the steps. */
  readonly index: number;
}

/**
 * Every job, the oldest first, gets its least number of GPUs at its clock of least energy; then steps up, in
 * GPUs or in clock, go to where they save most run time for the energy that they cost, while all GPUs
 * together stay within the power of the budget. One job runs whatever it takes.
 *
 * O(lanes + steps x log) a plan, however many jobs wait.
 */
export class PowerFlowPlanner implements Planner {
  readonly #predictor: Predictor;
  readonly #curves: GangCurves;
  readonly #levels: GangLevels;
  readonly #types: TypeOrder;
  readonly #budgetW: number;
  readonly #clockSteps: number;
  readonly #jobs = new JobLanes();
  readonly #ladders = new Map<string, Ladder>();
  readonly #offers = new OrderedHeap<Offer>();

  constructor(
    predictor: Predictor,
    types: TypeOrder,
    cluster: ClusterSpec,
    { budget, clockSteps }: { readonly budget: number; readonly clockSteps: number },
  ) {
    this.#predictor = predictor;
    this.#types = types;
    this.#curves = new GangCurves(predictor);
    const gpus = gpusByType(cluster, predictor.types);
    this.#levels = new GangLevels(gpus);
    this.#clockSteps = clockSteps;
    this.#budgetW =
      budget *
      predictor.types.reduce(
        (sum, { powerLimitW }, type) => sum + powerLimitW.default * (gpus[type] as number),
        0,
      );
  }

  enter(job: JobView): null {
    this.#jobs.add(job);
    return null;
  }

  leave(job: JobView): void {
    this.#jobs.remove(job);
  }

  plan(state: PlanState): Plan {
    const idleW = this.#predictor.types.reduce(
      (sum, { idlePowerW }, type) => sum + idlePowerW * state.room.left(type),
      0,
    );
    const { members, leftW } = this.#minima(state, this.#budgetW - idleW);
    this.#stepUp(members, state.room, leftW);
    const targets = new Map<JobView, Target>();
    for (const { job, type, ladder, level, point } of members) {
      const gpus = ladder.levels[level] as number;
      targets.set(job, { type, gpus, clockMhz: ladder.clockMhz(point) });
    }
    return { targets, againAtS: Infinity };
  }

  #minima({ room, holding }: PlanState, budgetW: number): { members: Member[]; leftW: number } {
    const jobs = this.#jobs;
    const members: Member[] = [];
    let leftW = budgetW;
    jobs.open();
    while (room.total > 0 && jobs.first !== null) {
      const job = jobs.first;
      const type = room.give(job.minGpus, this.#types(job), holding(job)?.type ?? NO_TYPE);
      if (type === NO_TYPE) {
        jobs.dropLane();
        continue;
      }
      const ladder = this.#ladder(job, type);
      const extraW = ladder.extraW(0, 0);
      if (extraW > leftW && members.length > 0) {
        room.take(type, -job.minGpus);
        jobs.dropLane();
        continue;
      }
      jobs.advance();
      leftW -= extraW;
      members.push({ job, type, ladder, level: 0, point: 0 });
    }
    return { members, leftW };
  }

  #stepUp(members: readonly Member[], room: TypeRoom, budgetW: number): void {
    const offers = this.#offers;
    offers.clear();
    let leftW = budgetW;
    for (const member of members) this.#offer(member);
    for (let offer = offers.first; offer !== null; offer = offers.first) {
      const { member, steps, index } = offer;
      const { level, point, gpus, extraW } = steps[index] as Step;
      offers.pop();
      if (extraW > leftW || gpus > room.left(member.type)) {
        this.#push({ member, steps, index: index + 1 });
        continue;
      }
      room.take(member.type, gpus);
      leftW -= extraW;
      member.level = level;
      member.point = point;
      this.#offer(member);
    }
  }

  #offer(member: Member): void {
    const { ladder, level, point } = member;
    this.#push({ member, steps: ladder.stepsFrom(level, point), index: 0 });
  }

  #push(offer: Offer): void {
    const step = offer.steps[offer.index];
    if (step !== undefined) this.#offers.push(-step.worth, offer.member.job.index, offer);
  }

  #ladder(job: JobView, type: number): Ladder {
    const levels = this.#levels.of(job, type);
    const key = `${this.#curves.kindOf(job)} ${type} ${levels.join()}`;
    let ladder = this.#ladders.get(key);
    if (ladder === undefined) {
      const { workload } = job;
      const profile = this.#predictor.profile(workload, type) as WorkloadProfile;
      ladder = new Ladder(
        levels,
        clockLadder(clockPoints(this.#predictor, workload, type), this.#clockSteps),
        this.#curves.of(job)[type] as GangCurve,
        soloStepS(profile),
        (this.#predictor.types[type] as GpuType).idlePowerW,
      );
      this.#ladders.set(key, ladder);
    }
    return ladder;
  }
}
