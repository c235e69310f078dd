import type { JobView } from '../sim/job-view.ts';
import {
  DURATION_OPTION,
  durationInformation,
  PLACEMENT_OPTIONS,
  typeOrder,
} from './common-options.ts';
import {
  ElasticPolicy,
  type GangCurve,
  GangCurves,
  type Holding,
  intervalOption,
  JobLanes,
  NO_TYPE,
  type Plan,
  type Planner,
  type PlanState,
  type TypeRoom,
} from './elastic/index.ts';
import type { TypeOrder } from './placement/type-order.ts';
import type { PolicyDefinition } from './policy.ts';
import type { Predictor } from './predictor.ts';
import { OrderedHeap } from './queue/ordered-heap.ts';

/** A job that has GPUs in a plan. */
interface Member {
  readonly job: JobView;
  readonly type: number;
  readonly curve: GangCurve;
  readonly remainingS: number;
  gpus: number;
}

/**
 * Every job gets its least number of GPUs, those that need fewest first; then one more goes, again and
 * again, to the job whose time left it shortens most.
 *
 * O(lanes + GPUs x log) a plan, however many jobs wait.
 */
export class OptimusPlanner implements Planner {
  readonly #curves: GangCurves;
  readonly #types: TypeOrder;
  /** By the least number of GPUs, then by submission. */
  readonly #jobs = new JobLanes((minGpus) => minGpus);
  readonly #gains = new OrderedHeap<Member>();

  constructor(predictor: Predictor, types: TypeOrder) {
    this.#curves = new GangCurves(predictor);
    this.#types = types;
  }

  enter(job: JobView): null {
    this.#jobs.add(job);
    return null;
  }

  leave(job: JobView): void {
    this.#jobs.remove(job);
  }

  plan(state: PlanState): Plan {
    const members = this.#minima(state);
    this.#grow(members, state.room);
    const targets = new Map<JobView, Holding>();
    for (const { job, type, gpus } of members) targets.set(job, { type, gpus });
    return { targets, againAtS: Infinity };
  }

  #minima({ room, holding }: PlanState): Member[] {
    const jobs = this.#jobs;
    const members: Member[] = [];
    jobs.open();
    while (room.total > 0 && jobs.first !== null) {
      const job = jobs.first;
      const held = holding(job)?.type ?? NO_TYPE;
      const type = room.give(job.minGpus, this.#types(job), held);
      if (type === NO_TYPE) {
        jobs.dropLane();
        continue;
      }
      jobs.advance();
      const curve = this.#curves.of(job)[type] as GangCurve;
      members.push({ job, type, curve, remainingS: job.remainingS, gpus: job.minGpus });
    }
    return members;
  }

  #grow(members: readonly Member[], room: TypeRoom): void {
    const gains = this.#gains;
    gains.clear();
    for (const member of members) this.#offer(member);
    for (let best = gains.first; best !== null; best = gains.first) {
      if (room.left(best.type) === 0) {
        gains.pop();
        continue;
      }
      room.take(best.type, 1);
      best.gpus += 1;
      gains.pop();
      this.#offer(best);
    }
  }

  /** Enters what one more GPU would gain, if it gains anything. */
  #offer(member: Member): void {
    const { job, curve, remainingS, gpus } = member;
    if (gpus >= job.maxGpus) return;
    const gainS = remainingS / curve.speed(gpus) - remainingS / curve.speed(gpus + 1);
    if (gainS > 0) this.#gains.push(-gainS, job.index, member);
  }
}

/** Optimus: elastic gangs by marginal gain. */
export const optimusDefinition: PolicyDefinition = {
  name: 'optimus',
  title:
    'every job its least number of gpus, fewest first; one more each to the job whose time left it shortens most',
  source:
    "Peng et al., Optimus, EuroSys 2018; rule as in the port of Sia's artifact (optimus.py); no parameter servers; what is left is told, not fitted",
  faithfulness: 'like',
  checkedBy: 'hand-made schedules; a naive plan on random worlds',
  duration: 'oracle',
  profile: 'solo',
  options: [
    intervalOption(60, "assumed: the rounds of Sia's evaluation; 0 plans at every change"),
    DURATION_OPTION,
    ...PLACEMENT_OPTIONS.filter(({ name }) => name === 'types'),
  ],
  create(options, context) {
    return new ElasticPolicy({
      name: 'optimus',
      information: durationInformation(options),
      planner: new OptimusPlanner(context.predictor, typeOrder(options, context)),
      intervalS: Number(options.intervalS),
      placement: { pool: 'emptiest', first: 'smallest' },
    });
  },
};
