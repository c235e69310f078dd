import type { JobSpec } from '../job.ts';

/**
 * The demand for GPUs over time, from which the finish-time fairness of each job follows (Themis):
 * rho = JCT / time in an equal part of the cluster. The part is 1 over the mean contention while the
 * job is in the system, contention being GPUs demanded over GPUs there are, at least 1.
 */
export class DemandMeter {
  #gpus = 0;
  #integral = 0;
  #sinceS: number;
  readonly #atSubmit: Float64Array;
  /** Integral of demand over the stay of each job, in GPU seconds. */
  readonly overStay: Float64Array;

  constructor(jobs: number, startS: number) {
    this.#sinceS = startS;
    this.#atSubmit = new Float64Array(jobs);
    this.overStay = new Float64Array(jobs);
  }

  arrived(job: number, spec: JobSpec, nowS: number): void {
    this.#advance(nowS);
    this.#atSubmit[job] = this.#integral;
    this.#gpus += spec.gpuCount * spec.share;
  }

  finished(job: number, spec: JobSpec, nowS: number): void {
    this.#advance(nowS);
    this.overStay[job] = this.#integral - (this.#atSubmit[job] as number);
    this.#gpus -= spec.gpuCount * spec.share;
  }

  #advance(nowS: number): void {
    this.#integral += this.#gpus * (nowS - this.#sinceS);
    this.#sinceS = nowS;
  }
}

/** Finish-time fairness of a job. @param demandGpuS integral of demand over its stay */
export function finishTimeFairness(
  spec: JobSpec,
  jctS: number,
  demandGpuS: number,
  clusterGpus: number,
): number {
  if (jctS <= 0 || spec.durationS <= 0) return 1;
  const contention = Math.max(1, demandGpuS / (jctS * clusterGpus));
  return jctS / (spec.durationS * contention);
}

/** Jain's index of fairness: 1 when all values are equal, 1/n when one has all; 1 for none. */
export function jainIndex(values: Float64Array): number {
  let sum = 0;
  let squares = 0;
  for (const value of values) {
    sum += value;
    squares += value * value;
  }
  return squares === 0 ? 1 : (sum * sum) / (values.length * squares);
}
