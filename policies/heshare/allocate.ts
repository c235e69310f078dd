import type { GpuType } from '../../sim/gpu/profile.ts';
import type { JobView } from '../../sim/job-view.ts';
import type { View } from '../../sim/view.ts';
import { consolidated } from '../placement/consolidated.ts';
import { type Placement, spansTypes } from '../placement/placement.ts';
import { spreadFactor } from './gang.ts';
import { type Join, joinsOf } from './join.ts';
import type { JobKind } from './kinds.ts';
import type { Occupancy, OccupiedClass } from './occupancy.ts';
import type { HeshareOptions } from './options.ts';
import { scoreOf } from './score.ts';
import type { Tuner } from './tune.ts';

/** Where a job goes: GPUs of its own, or one GPU that it joins. */
export type Candidate =
  | { readonly kind: 'own'; readonly gpus: readonly number[]; readonly score: number }
  | {
      readonly kind: 'join';
      readonly gpu: number;
      readonly joined: OccupiedClass;
      readonly join: Join;
      readonly score: number;
    };

/** Classes that may have room for a job that has been tried before, or all. */
type Scope = Iterable<OccupiedClass>;

/**
 * Level 1 of HeShare: the place of one job. Candidates are a free GPU (or gang) of each type and,
 * for single jobs, each class of occupied GPUs; the lowest {@link scoreOf} wins, ties go to the first.
 */
export class Allocator {
  readonly #options: HeshareOptions;
  readonly #tuner: Tuner;
  readonly #occupancy: Occupancy;
  readonly #placement: Placement = consolidated();
  #blocked = false;

  constructor(options: HeshareOptions, tuner: Tuner, occupancy: Occupancy) {
    this.#options = options;
    this.#tuner = tuner;
    this.#occupancy = occupancy;
  }

  /** Whether the last job had a place but for a neighbour that cannot restart just now. */
  get blocked(): boolean {
    return this.#blocked;
  }

  /**
   * @param triedUpTo position in the log of changes up to which the job's like was tried in vain
   * @returns the place, or null when the job has to wait
   */
  place(view: View, job: JobView, kind: JobKind, triedUpTo: number): Candidate | null {
    this.#blocked = false;
    const scope = this.#scope(triedUpTo);
    if (!this.#options.sched) {
      return this.#firstFit(view, job, kind) ?? this.#bestJoin(view, job, kind, scope, true);
    }
    const own = this.#bestOwn(view, job, kind);
    const join = this.#bestJoin(view, job, kind, scope, false);
    const best = own !== null && (join === null || own.score <= join.score) ? own : join;
    const { patience } = this.#options;
    const waits = patience > 0 && best !== null && best.score > patience && view.active.size > 0;
    return waits ? null : best;
  }

  #scope(triedUpTo: number): Scope {
    const { open } = this.#occupancy;
    if (triedUpTo < 0) return open;
    const changed = this.#occupancy.changedSince(triedUpTo);
    if (changed.length === 0) return NOTHING;
    if (changed.length >= open.size) return open;
    const classes = new Set<OccupiedClass>();
    for (const gpu of changed) {
      const found = this.#occupancy.classOf(gpu);
      if (found !== null && open.has(found)) classes.add(found);
    }
    return classes;
  }

  #firstFit(view: View, job: JobView, kind: JobKind): Candidate | null {
    for (const type of kind.types) {
      const gpus = this.#placement.placeOn(view.cluster, job, type);
      if (gpus !== null) return { kind: 'own', gpus, score: 0 };
    }
    return this.#spanning(view, job);
  }

  #bestOwn(view: View, job: JobView, kind: JobKind): Candidate | null {
    let best: Candidate | null = null;
    for (const type of kind.types) {
      if (view.cluster.freeGpus(type) < kind.gpuCount) continue;
      const { powerW, progress } = this.#tuner.alone(type, kind.tasks[type] as number);
      const { idlePowerW } = view.cluster.types[type] as GpuType;
      let rate = (kind.speed[type] as number) * (progress[0] as number);
      const score = (): number =>
        scoreOf(kind, this.#options.energyWeight, powerW - idlePowerW, 0, rate);
      if (best !== null && score() >= best.score) continue;
      const gpus = this.#placement.placeOn(view.cluster, job, type);
      if (gpus === null) continue;
      if (gpus.length > 1) {
        const { scaling } = this.#tuner.profile(type, kind.tasks[type] as number);
        rate *= spreadFactor(view.cluster, gpus, scaling.acrossNodes);
        if (best !== null && score() >= best.score) continue;
      }
      best = { kind: 'own', gpus, score: score() };
    }
    return best ?? this.#spanning(view, job);
  }

  /** A gang that is larger than every type of the cluster runs over several. */
  #spanning(view: View, job: JobView): Candidate | null {
    if (job.gpuCount === 1 || !spansTypes(view.cluster, job)) return null;
    const gpus = this.#placement.place(view.cluster, job);
    return gpus === null ? null : { kind: 'own', gpus, score: 0 };
  }

  #bestJoin(
    view: View,
    job: JobView,
    kind: JobKind,
    scope: Scope,
    takeFirst: boolean,
  ): Candidate | null {
    if (kind.gpuCount > 1 || !this.#options.mps) return null;
    const { energyWeight } = this.#options;
    const work = Math.max(job.remainingS, 1);
    let best: Candidate | null = null;
    for (const joined of scope) {
      const { type } = joined;
      if (joined.freeGib < (kind.memoryGib[type] as number) || !kind.types.includes(type)) continue;
      for (const join of this.#joins(joined, kind.tasks[type] as number)) {
        const rate = (kind.speed[type] as number) * join.progress;
        const { addedW, delay, restartJ, restartS } = join;
        const score = scoreOf(kind, energyWeight, addedW, delay, rate, restartJ, restartS, work);
        if (best !== null && score >= best.score) continue;
        const gpu = this.#gpuFor(view, joined, join);
        if (gpu < 0) {
          this.#blocked = true;
          continue;
        }
        best = { kind: 'join', gpu, joined, join, score };
        if (takeFirst) return best;
      }
    }
    return best;
  }

  #joins(joined: OccupiedClass, task: number): readonly Join[] {
    let joins = joined.joins.get(task);
    if (joins === undefined) {
      joins = joinsOf(this.#tuner, joined, task, this.#options.minGain);
      joined.joins.set(task, joins);
    }
    return joins;
  }

  /** A GPU of the class on which all members that must restart are running, or -1. */
  #gpuFor(view: View, joined: OccupiedClass, join: Join): number {
    for (const gpu of joined.gpus) {
      if (join.restarted.length === 0) return gpu;
      const jobs = this.#occupancy.seated(gpu);
      if (join.restarted.every((i) => view.job(jobs[i] as number).state === 'running')) return gpu;
    }
    return -1;
  }
}

const NOTHING: readonly OccupiedClass[] = [];
