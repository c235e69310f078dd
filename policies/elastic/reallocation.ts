import type { ClusterView } from '../../sim/cluster/cluster.ts';
import type { Decision } from '../../sim/decisions.ts';
import type { JobView } from '../../sim/job-view.ts';
import type { View } from '../../sim/view.ts';
import { NodePool, type PoolRule } from './node-pool.ts';
import { type Holding, SEVERAL_TYPES } from './room.ts';

/** What a job is to have. */
export interface Target extends Holding {
  /** Core clock of its GPUs; they stay as they are when absent. */
  readonly clockMhz?: number;
}

/** A job of the plan that is carried out. */
interface Turn {
  readonly target: Target;
  readonly gpus: readonly number[];
  /** Whether it has got them; until then others still write their checkpoints there. */
  started: boolean;
}

export interface PlacementRule {
  readonly pool: PoolRule;
  /** Which of the jobs that get other GPUs choose first. */
  readonly first: 'smallest' | 'largest';
}

/**
 * Makes allocations what a plan says. A job whose GPUs stay the same in type and number keeps them; any
 * other writes a checkpoint, and starts on its new GPUs once they are free.
 */
export class Reallocation {
  readonly #rule: PlacementRule;
  #turns = new Map<JobView, Turn>();
  readonly #pending = new Set<JobView>();
  readonly #leaving = new Set<JobView>();

  constructor(rule: PlacementRule) {
    this.#rule = rule;
  }

  /** What a job has or is about to get; null for nothing. */
  holding(job: JobView): Holding | null {
    return this.#turns.get(job)?.target ?? null;
  }

  /** All jobs that have GPUs or are about to get them, and what. */
  *holdings(): Generator<readonly [JobView, Holding]> {
    for (const [job, { target }] of this.#turns) yield [job, target];
  }

  /** A job has left its GPUs. @returns whether that was not planned: it is done, or something failed */
  noteLeft(job: JobView): boolean {
    if (job.gpus.length > 0) return false;
    this.#leaving.delete(job);
    const turn = this.#turns.get(job);
    const isFinal = job.state !== 'queued';
    if (!isFinal && turn?.started !== true) return false;
    this.#turns.delete(job);
    this.#pending.delete(job);
    return true;
  }

  /** Carries out a plan, as far as that is possible now. */
  *carryOut(view: View, targets: ReadonlyMap<JobView, Target>): Generator<Decision> {
    const { cluster } = view;
    const before = this.#turns;
    this.#turns = new Map();
    this.#pending.clear();
    const kept = new Set<number>();
    const stopped: JobView[] = [];
    for (const job of view.active) {
      if (this.#leaving.has(job)) continue;
      const turn = before.get(job);
      const target = targets.get(job);
      if (turn === undefined || target === undefined || !isSame(turn.target, target)) {
        stopped.push(job);
        continue;
      }
      this.#turns.set(job, { target, gpus: job.gpus, started: true });
      for (const gpu of job.gpus) kept.add(gpu);
      yield* setClocks(view, job.gpus, target);
    }
    for (const job of stopped) {
      yield { kind: 'preempt', job };
      if (job.gpus.length > 0) this.#leaving.add(job);
    }
    const pool = new NodePool(cluster, (gpu) => cluster.isAvailable(gpu) && !kept.has(gpu));
    const sign = this.#rule.first === 'smallest' ? 1 : -1;
    const changed = [...targets].filter(([job]) => !this.#turns.has(job));
    // A gang over several types takes what the others leave of each.
    const rank = ({ type, gpus }: Target) => (type === SEVERAL_TYPES ? Infinity : sign * gpus);
    changed.sort(([, a], [, b]) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)));
    for (const [job, target] of changed) {
      const gpus = this.#place(pool, job, target);
      this.#turns.set(job, { target, gpus, started: false });
      this.#pending.add(job);
    }
    yield* this.startReady(view);
  }

  /** Starts the jobs of the plan whose GPUs have become free. */
  *startReady(view: View): Generator<Decision> {
    for (const job of this.#pending) {
      const turn = this.#turns.get(job) as Turn;
      if (job.state !== 'queued' || !areFree(view.cluster, turn.gpus)) continue;
      this.#pending.delete(job);
      turn.started = true;
      yield* setClocks(view, turn.gpus, turn.target);
      yield { kind: 'start', job, gpus: turn.gpus };
    }
  }

  get isPending(): boolean {
    return this.#pending.size > 0;
  }

  #place(pool: NodePool, job: JobView, { type, gpus }: Target): readonly number[] {
    if (type !== SEVERAL_TYPES) return pool.take(type, gpus, this.#rule.pool);
    const taken: number[] = [];
    for (const each of job.types) {
      const part = Math.min(gpus - taken.length, pool.left(each));
      taken.push(...pool.take(each, part, this.#rule.pool));
    }
    return taken;
  }
}

function isSame(a: Holding, b: Holding): boolean {
  return a.type === b.type && a.gpus === b.gpus;
}

function areFree(cluster: ClusterView, gpus: readonly number[]): boolean {
  for (const gpu of gpus) if (!cluster.isFree(gpu)) return false;
  return true;
}

function* setClocks(
  view: View,
  gpus: readonly number[],
  { clockMhz }: Target,
): Generator<Decision> {
  if (clockMhz === undefined) return;
  for (const gpu of gpus) {
    if (view.clockMhz(gpu) !== clockMhz) yield { kind: 'set-clock', gpu, clockMhz };
  }
}
