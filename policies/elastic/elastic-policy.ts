import type { ClusterView } from '../../sim/cluster/cluster.ts';
import type { Decision } from '../../sim/decisions.ts';
import type { JobView } from '../../sim/job-view.ts';
import type { Information, View } from '../../sim/view.ts';
import type { Policy } from '../policy.ts';
import type { Planner } from './planner.ts';
import { type PlacementRule, Reallocation, type Target } from './reallocation.ts';
import { SEVERAL_TYPES, TypeRoom } from './room.ts';

export interface ElasticOptions {
  readonly name: string;
  readonly information: Information;
  readonly planner: Planner;
  /** Least time from one plan to the next. */
  readonly intervalS: number;
  readonly placement: PlacementRule;
}

const NO_DECISION: readonly Decision[] = [];

/**
 * A policy that divides all GPUs anew whenever the jobs or the GPUs change, but not within an interval of
 * the last time. A gang that is larger than every GPU type, which no planner here knows, goes before all
 * others over several types, and keeps its GPUs until it is done.
 *
 * O(GPUs) a plan besides what the planner takes, and O(jobs that wait for GPUs promised to them) an ask.
 */
export class ElasticPolicy implements Policy {
  readonly name: string;
  readonly information: Information;
  readonly mode = 'exclusive';
  readonly #planner: Planner;
  readonly #intervalS: number;
  readonly #reallocation: Reallocation;
  readonly #known = new Set<JobView>();
  /** Gangs that no type can hold. */
  readonly #spanning = new Set<JobView>();
  #isDue = false;
  #plannedS = -Infinity;
  #againAtS = Infinity;
  #calledBackS = -Infinity;
  /** GPUs by type that worked at the last plan. */
  #available: readonly number[] = [];

  constructor(options: ElasticOptions) {
    this.name = options.name;
    this.information = options.information;
    this.#planner = options.planner;
    this.#intervalS = options.intervalS;
    this.#reallocation = new Reallocation(options.placement);
  }

  decide(view: View): Iterable<Decision> {
    const { entered, left } = view;
    for (const job of left) this.#noteLeft(job);
    if (entered.length > 0 || left.length > 0) return this.#answer(view);
    if (view.nowS >= this.#againAtS || this.#isDue) return this.#answer(view);
    if (!this.#sameGpus(view)) this.#isDue = true;
    return this.#isDue || this.#reallocation.isPending ? this.#answer(view) : NO_DECISION;
  }

  *#answer(view: View): Generator<Decision> {
    for (const job of view.entered) yield* this.#enter(view, job);
    if (view.nowS >= this.#againAtS) this.#isDue = true;
    const mayPlanS = this.#plannedS + this.#intervalS;
    if (this.#isDue && view.nowS >= mayPlanS) yield* this.#plan(view);
    else yield* this.#reallocation.startReady(view);
    const nextS = this.#isDue ? mayPlanS : this.#againAtS;
    const isUnderWay = this.#calledBackS > view.nowS && this.#calledBackS <= nextS;
    if (nextS === Infinity || isUnderWay) return;
    this.#calledBackS = nextS;
    yield { kind: 'call-back', atS: nextS };
  }

  #noteLeft(job: JobView): void {
    if (this.#reallocation.noteLeft(job)) this.#isDue = true;
    if (job.state === 'queued' || job.gpus.length > 0) return;
    this.#known.delete(job);
    if (!this.#spanning.delete(job)) this.#planner.leave(job);
  }

  *#enter(view: View, job: JobView): Generator<Decision> {
    // One that its plan sent back may have run on and ended since.
    if (this.#known.has(job) || job.state !== 'queued') return;
    const { cluster, nowS } = view;
    const atS = Math.max(nowS, this.#plannedS + this.#intervalS);
    if (!job.types.some((type) => cluster.gpusOfType(type) >= job.minGpus)) {
      this.#spanning.add(job);
    } else {
      const reason = this.#planner.enter(job, atS, () => this.#roomFor(cluster).room);
      if (reason !== null) {
        yield { kind: 'reject', job, reason };
        return;
      }
    }
    this.#known.add(job);
    this.#isDue = true;
  }

  *#plan(view: View): Generator<Decision> {
    const { nowS, cluster } = view;
    const reallocation = this.#reallocation;
    this.#plannedS = nowS;
    this.#isDue = false;
    const { room, targets } = this.#roomFor(cluster);
    this.#available = availableGpus(cluster);
    for (const [job, { type }] of reallocation.holdings()) {
      if (type !== SEVERAL_TYPES) room.reserve(type, job.minGpus);
    }
    const plan = this.#planner.plan({ nowS, room, holding: (job) => reallocation.holding(job) });
    for (const [job, target] of plan.targets) targets.set(job, target);
    this.#againAtS = Math.max(plan.againAtS, nowS + this.#intervalS);
    if (!(this.#againAtS > nowS)) this.#againAtS = Infinity;
    yield* reallocation.carryOut(view, targets);
  }

  /**
   * What planners may give away. Gangs over several types come first: those that run stay as they are, then
   * those that wait, the oldest first.
   */
  #roomFor(cluster: ClusterView): { room: TypeRoom; targets: Map<JobView, Target> } {
    const room = new TypeRoom(availableGpus(cluster));
    const targets = new Map<JobView, Target>();
    const targetOf = ({ minGpus }: JobView): Target => ({ type: SEVERAL_TYPES, gpus: minGpus });
    for (const job of this.#spanning) {
      if (job.gpus.length === 0) continue;
      for (const gpu of job.gpus) room.take(cluster.typeOf(gpu), 1);
      targets.set(job, targetOf(job));
    }
    for (const job of this.#spanning) {
      if (targets.has(job) || !room.giveSeveral(job.minGpus, job.types)) continue;
      targets.set(job, targetOf(job));
    }
    return { room, targets };
  }

  /** Whether the GPUs that work are those of the last plan, by type. */
  #sameGpus({ cluster, active }: View): boolean {
    const counts = cluster.types.map((_, type) => cluster.freeGpus(type));
    for (const job of active) {
      for (const gpu of job.gpus) {
        const type = cluster.typeOf(gpu);
        counts[type] = (counts[type] as number) + 1;
      }
    }
    return counts.every((count, type) => count === this.#available[type]);
  }
}

function availableGpus(cluster: ClusterView): number[] {
  const counts = cluster.types.map(() => 0);
  for (let gpu = 0; gpu < cluster.gpuCount; gpu += 1) {
    const type = cluster.typeOf(gpu);
    if (cluster.isAvailable(gpu)) counts[type] = (counts[type] as number) + 1;
  }
  return counts;
}
