import { soloStepS } from '../../sim/gpu/evaluate.ts';
import type { WorkloadProfile } from '../../sim/gpu/profile.ts';
import type { Predictor } from '../predictor.ts';

/** Gains below this part are none: of equals, the first in the order of the search wins. */
const NO_GAIN = 1e-9;
/** Work that is left for rounding alone. */
const DONE_S = 1e-12;

/**
 * The SM shares of the residents of one GPU that take least energy, by exhaustion (the offline optimum
 * to which Han et al. compare, SIGMETRICS PER 53(2), 2025, here for any number of residents). Energy is
 * that of the GPU until each job has done the work of one second alone on it, no share changing when one
 * is done. Shares are multiples of a step and sum to at most the GPU. Of equals, the smallest win.
 *
 * A search evaluates (1 / step choose residents) splits; its answer is kept.
 */
export class ShareSplits {
  readonly #predictor: Predictor;
  /** Steps that make the whole GPU: as many residents can have a share. */
  readonly steps: number;
  readonly #known = new Map<string, readonly number[]>();

  /**
   * @param step part of the GPU
   * @throws {RangeError} unless it is one over a whole number
   */
  constructor(predictor: Predictor, step: number) {
    this.steps = Math.round(1 / step);
    if (Math.abs(this.steps * step - 1) > 1e-9) {
      throw new RangeError(`share step is ${step}, expected one over a whole number`);
    }
    this.#predictor = predictor;
  }

  /**
   * Shares on a GPU of a type, in the order of the workloads, which all run there.
   * @throws {RangeError} when there are more workloads than steps
   */
  best(type: number, workloads: readonly string[]): readonly number[] {
    const key = JSON.stringify([type, ...workloads]);
    let found = this.#known.get(key);
    if (found === undefined) {
      found = this.#search(type, workloads);
      this.#known.set(key, found);
    }
    return found;
  }

  #search(type: number, workloads: readonly string[]): readonly number[] {
    if (workloads.length > this.steps) {
      throw new RangeError(`${workloads.length} jobs cannot share ${this.steps} steps of a gpu`);
    }
    const profiles = workloads.map(
      (workload) => this.#predictor.profile(workload, type) as WorkloadProfile,
    );
    let best: readonly number[] = [];
    let least = Infinity;
    for (const steps of splits(workloads.length, this.steps)) {
      const joules = this.#energyJ(type, profiles, steps);
      if (joules >= least * (1 - NO_GAIN)) continue;
      least = joules;
      best = steps.map((count) => count / this.steps);
    }
    return best;
  }

  #energyJ(type: number, profiles: readonly WorkloadProfile[], steps: readonly number[]): number {
    let left = profiles.map((profile, i) => ({
      profile,
      share: (steps[i] as number) / this.steps,
      workS: 1,
    }));
    let energyJ = 0;
    while (left.length > 0) {
      const { powerW, stepS } = this.#predictor.evaluate(type, left);
      const speeds = left.map(({ profile }, i) => soloStepS(profile) / (stepS[i] as number));
      const nextS = Math.min(...left.map(({ workS }, i) => workS / (speeds[i] as number)));
      energyJ += powerW * nextS;
      left = left.flatMap((job, i) => {
        const workS = job.workS - nextS * (speeds[i] as number);
        return workS > DONE_S ? [{ ...job, workS }] : [];
      });
    }
    return energyJ;
  }
}

/**
 * Every way to give each of `n` at least one of at most `total` steps, lexicographically; the array is
 * used again for the next one.
 */
function* splits(n: number, total: number): Generator<readonly number[]> {
  const steps = new Array<number>(n).fill(1);
  let used = n;
  for (;;) {
    yield steps;
    let i = n - 1;
    while (i >= 0 && used === total) {
      used -= (steps[i] as number) - 1;
      steps[i] = 1;
      i -= 1;
    }
    if (i < 0) return;
    steps[i] = (steps[i] as number) + 1;
    used += 1;
  }
}
