import { soloStepS } from '../../sim/gpu/evaluate.ts';
import type { GpuType } from '../../sim/gpu/profile.ts';
import { stepTimeS } from '../../sim/gpu/step-time.ts';
import type { JobView } from '../../sim/job-view.ts';
import type { Predictor } from '../predictor.ts';
import type { Tuner } from './tune.ts';

/** What level 1 knows of jobs that are alike. Arrays are by type of the cluster. */
export interface JobKind {
  readonly id: number;
  readonly workload: string;
  readonly gpuCount: number;
  /** Types that it can run on and whose choice keeps its deadline. */
  readonly types: readonly number[];
  readonly memoryGib: readonly number[];
  /** Work per second alone at the reference clock. */
  readonly speed: readonly number[];
  /** Largest slowdown against alone on the whole GPU at full clock, and the task under it. */
  readonly maxSlowdown: readonly number[];
  readonly tasks: readonly number[];
  /** Least energy above idle, and least time, per unit of work, on an idle cluster. */
  readonly bestJ: number;
  readonly bestS: number;
}

/** What job kinds need of the options. */
export interface KindOptions {
  readonly maxSlowdown: number;
  readonly boundStep: number;
}

/** Kinds that are remembered; where jobs differ more than that, alike ones may get two kinds. */
const KEPT_KINDS = 100_000;

/** Tells the kind of a job, making kinds as they appear. */
export class JobKinds {
  readonly #predictor: Predictor;
  readonly #tuner: Tuner;
  readonly #options: KindOptions;
  readonly #kinds = new Map<string, JobKind>();
  #made = 0;

  constructor(predictor: Predictor, tuner: Tuner, options: KindOptions) {
    this.#predictor = predictor;
    this.#tuner = tuner;
    this.#options = options;
  }

  of(job: JobView): JobKind {
    const { types, workload, referenceGpu, gpuCount, share, maxSlowdown } = job;
    let key = `${gpuCount} ${share} ${maxSlowdown} ${referenceGpu} ${workload}`;
    for (const type of types) key += ` ${type}:${job.memoryGib(type)}`;
    let kind = this.#kinds.get(key);
    if (kind === undefined) {
      kind = this.#make(job);
      this.#made += 1;
      if (this.#kinds.size >= KEPT_KINDS) this.#kinds.clear();
      this.#kinds.set(key, kind);
    }
    return kind;
  }

  /**
   * The kind of a job with a deadline as time stands: on each type its slowdown bound is what the
   * deadline leaves, and types that would miss it are out. When all would, the job goes wherever it
   * is fastest, at full clock.
   */
  withDeadline(kind: JobKind, job: JobView, nowS: number): JobKind {
    if (job.deadlineS === null) return kind;
    const leftS = job.submitS + job.deadlineS - nowS;
    const allowed = kind.speed.map((speed, type) => {
      if (speed === 0) return 0;
      const { startS, restartS } = this.#tuner.profile(type, kind.tasks[type] as number);
      return ((leftS - Math.max(startS, restartS)) * speed) / job.remainingS;
    });
    const maxSlowdown = kind.maxSlowdown.map((bound, type) =>
      this.#onGrid(Math.max(1, Math.min(bound, allowed[type] as number))),
    );
    const tasks = maxSlowdown.map((bound) => this.#tuner.task(kind.workload, bound));
    const inTime = kind.types.filter((type) => (allowed[type] as number) >= 1);
    return {
      ...kind,
      types: this.#thatKeep(inTime, tasks) ?? kind.types,
      maxSlowdown,
      tasks,
    };
  }

  #make(job: JobView): JobKind {
    const cluster = this.#predictor.types;
    const onType = <T>(value: (type: number) => T, otherwise: T): T[] =>
      cluster.map((_, type) => (job.types.includes(type) ? value(type) : otherwise));
    const speed = onType((type) => this.#predictor.speed(job, type), 0);
    const maxSlowdown = onType((type) => this.#bound(job, type), 1);
    const tasks = maxSlowdown.map((bound) => this.#tuner.task(job.workload, bound));
    let bestJ = Infinity;
    let bestS = Infinity;
    for (const type of job.types) {
      const { powerW, progress } = this.#tuner.alone(type, tasks[type] as number);
      const rate = (speed[type] as number) * (progress[0] as number);
      bestJ = Math.min(bestJ, (powerW - (cluster[type] as GpuType).idlePowerW) / rate);
      bestS = Math.min(bestS, 1 / rate);
    }
    return {
      id: this.#made,
      workload: job.workload,
      gpuCount: job.gpuCount,
      types: this.#thatKeep(job.types, tasks) ?? job.types,
      memoryGib: onType((type) => job.memoryGib(type), Infinity),
      speed,
      maxSlowdown,
      tasks,
      // A GPU whose context costs no more than idling would otherwise make energy free.
      bestJ: Math.max(bestJ, Number.MIN_VALUE),
      bestS,
    };
  }

  /**
   * Bounds count from the whole GPU alone at full clock without a power limit: so they are measured.
   * The policy's is relaxed by what the job asked for and the GPU can do: a job that asked for half
   * a GPU is slow only against half a GPU, one that is throttled only against being throttled.
   */
  #bound(job: JobView, type: number): number {
    const profile = this.#predictor.profile(job.workload, type);
    if (profile === null) return 1;
    const askedS = stepTimeS(profile.time, profile.smDemand, 1, 1, job.share);
    const soloS = soloStepS(profile);
    const alone = this.#predictor.evaluate(type, [{ profile, share: 1 }]);
    const throttling = (alone.stepS[0] as number) / soloS;
    const bound = (this.#options.maxSlowdown * throttling * askedS) / soloS;
    return this.#onGrid(Math.max(1, Math.min(bound, job.maxSlowdown ?? Infinity)));
  }

  /** Types on which the job can keep its bound, or null when there is none. */
  #thatKeep(types: readonly number[], tasks: readonly number[]): readonly number[] | null {
    const keeping = types.filter((type) => this.#tuner.canKeep(type, tasks[type] as number));
    return keeping.length > 0 ? keeping : null;
  }

  #onGrid(bound: number): number {
    if (bound === Infinity) return bound;
    // The grid widens with each doubling, so that a job that asks for little has no grid of its own.
    const step = this.#options.boundStep * 2 ** Math.floor(Math.log2(bound));
    return Math.max(1, Math.floor(bound / step + 1e-9) * step);
  }
}
