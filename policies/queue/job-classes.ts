import type { JobView } from '../../sim/job-view.ts';

/**
 * What makes two jobs alike for a walk:
 * - *gang*: the same number of GPUs of the same types, so that on whole GPUs both fit or neither
 * - *speed*: a *gang* with the same workload, reference GPU and share, so that a second of work takes
 *   both the same time on every type
 * - *seat*: a *gang* with the same share and memory, so that both fit on a shared GPU or neither
 * - *company*: a *seat* with the same workload, so that both also get on with the same neighbours
 * - *objective*: *company* with the same slowdown bound, so that both need the same share beside them
 */
export type Likeness = 'gang' | 'speed' | 'seat' | 'company' | 'objective';

/** Jobs that are alike. */
export interface JobClass {
  /** In order of first appearance. */
  readonly index: number;
  readonly gpuCount: number;
  readonly types: readonly number[];
  readonly workload: string;
  readonly referenceGpu: string;
  readonly share: number;
  readonly maxSlowdown: number | null;
  /** By position in `types`; empty where the likeness is *gang* or *speed*. */
  readonly memoryGib: readonly number[];
}

/** Tells the class of a job, making classes as they appear. O(classes of the same size) a job. */
export class JobClasses {
  readonly #likeness: Likeness;
  readonly #bySize = new Map<number, JobClass[]>();
  #count = 0;

  constructor(likeness: Likeness) {
    this.#likeness = likeness;
  }

  of(job: JobView): JobClass {
    const { gpuCount } = job;
    let candidates = this.#bySize.get(gpuCount);
    if (candidates === undefined) {
      candidates = [];
      this.#bySize.set(gpuCount, candidates);
    }
    for (const candidate of candidates) if (this.#isAlike(job, candidate)) return candidate;
    const { types } = job;
    const made: JobClass = {
      index: this.#count,
      gpuCount,
      types,
      workload: job.workload,
      referenceGpu: job.referenceGpu,
      share: job.share,
      maxSlowdown: job.maxSlowdown,
      memoryGib: this.#countsMemory ? types.map((type) => job.memoryGib(type)) : [],
    };
    this.#count += 1;
    candidates.push(made);
    return made;
  }

  get #countsMemory(): boolean {
    return this.#likeness !== 'gang' && this.#likeness !== 'speed';
  }

  #isAlike(job: JobView, candidate: JobClass): boolean {
    const { types } = job;
    if (types.length !== candidate.types.length) return false;
    for (let i = 0; i < types.length; i += 1) if (types[i] !== candidate.types[i]) return false;
    if (this.#likeness === 'gang') return true;
    if (job.share !== candidate.share) return false;
    if (this.#likeness === 'speed') {
      return job.workload === candidate.workload && job.referenceGpu === candidate.referenceGpu;
    }
    if (this.#likeness !== 'seat' && job.workload !== candidate.workload) return false;
    if (this.#likeness === 'objective' && job.maxSlowdown !== candidate.maxSlowdown) return false;
    for (let i = 0; i < types.length; i += 1) {
      if (job.memoryGib(types[i] as number) !== candidate.memoryGib[i]) return false;
    }
    return true;
  }
}
