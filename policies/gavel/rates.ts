import type { GpuType, WorkloadProfile } from '../../sim/gpu/profile.ts';
import type { JobView } from '../../sim/job-view.ts';
import type { Predictor } from '../predictor.ts';

/** Slack for sums of memory. */
const EPSILON = 1e-9;

interface KnownJob {
  readonly alone: Float64Array;
  readonly powerW: Float64Array;
}

/** Two workloads on one GPU of a type. */
interface KnownPair {
  /** Speed of each over its speed alone. */
  readonly speeds: readonly [number, number];
  readonly powerW: number;
}

/** Work per second and watts of jobs alone and of two jobs on the same GPUs under MPS. */
export class Rates {
  readonly #predictor: Predictor;
  readonly #jobs = new WeakMap<JobView, KnownJob>();
  readonly #pairs = new Map<string, KnownPair>();

  constructor(predictor: Predictor) {
    this.#predictor = predictor;
  }

  /** By type; 0 where the job cannot run. */
  alone(job: JobView): ArrayLike<number> {
    return this.#of(job).alone;
  }

  /** Watts of all GPUs of the job, alone, by type. */
  powerW(job: JobView): ArrayLike<number> {
    return this.#of(job).powerW;
  }

  /** By type; [0, 0] where they do not fit together. */
  together(a: JobView, b: JobView): (readonly [number, number])[] {
    return this.#predictor.types.map((_, type) => {
      if (!this.fit(a, b, type)) return [0, 0] as const;
      const { speeds } = this.#pair(a, b, type);
      const first = (this.alone(a)[type] as number) * speeds[0];
      const second = (this.alone(b)[type] as number) * speeds[1];
      return [first, second] as const;
    });
  }

  /** Watts of all GPUs of two jobs together on a type on which they fit. */
  pairPowerW(a: JobView, b: JobView, type: number): number {
    return a.gpuCount * this.#pair(a, b, type).powerW;
  }

  /** Whether two jobs fit on GPUs of a type together. */
  fit(a: JobView, b: JobView, type: number): boolean {
    if (!a.types.includes(type) || !b.types.includes(type)) return false;
    const { memoryGib, mpsClientLimit } = this.#predictor.types[type] as GpuType;
    const needGib = a.memoryGib(type) + b.memoryGib(type);
    return mpsClientLimit >= 2 && needGib <= memoryGib + EPSILON;
  }

  #of(job: JobView): KnownJob {
    const known = this.#jobs.get(job);
    if (known !== undefined) return known;
    const count = this.#predictor.types.length;
    const made = { alone: new Float64Array(count), powerW: new Float64Array(count) };
    for (const type of job.types) {
      const profile = this.#predictor.profile(job.workload, type) as WorkloadProfile;
      const { powerW } = this.#predictor.evaluate(type, [{ profile, share: 1 }]);
      made.alone[type] = this.#predictor.speed(job, type);
      made.powerW[type] = powerW * job.gpuCount;
    }
    this.#jobs.set(job, made);
    return made;
  }

  #pair(a: JobView, b: JobView, type: number): KnownPair {
    const key = `${type} ${JSON.stringify([a.workload, b.workload])}`;
    const known = this.#pairs.get(key);
    if (known !== undefined) return known;
    const residents = [a, b].map((job) => ({
      profile: this.#predictor.profile(job.workload, type) as WorkloadProfile,
      share: 1,
    }));
    const { stepS, powerW } = this.#predictor.evaluate(type, residents, { mode: 'mps' });
    const speed = (i: number): number => {
      const alone = this.#predictor.evaluate(type, [residents[i] as (typeof residents)[number]]);
      return (alone.stepS[0] as number) / (stepS[i] as number);
    };
    const made: KnownPair = { speeds: [speed(0), speed(1)], powerW };
    this.#pairs.set(key, made);
    return made;
  }
}
