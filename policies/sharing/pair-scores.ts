import { soloStepS } from '../../sim/gpu/evaluate.ts';
import type { GpuType, ProfileSet, WorkloadProfile } from '../../sim/gpu/profile.ts';
import type { Predictor } from '../predictor.ts';
import { type SharingScore, sharingScore } from './lucid-rule.ts';

/**
 * Sharing scores of workloads on GPU types, after the labels of Lucid's analyser (analyzer.py): the
 * mean speed of a workload beside each workload of the profile set with which it fits into memory, itself
 * among them, relative to running alone. Each score is worked out once, O(workloads).
 */
export class PairScores {
  readonly #predictor: Predictor;
  readonly #names: readonly string[];
  readonly #mode: 'mps' | 'time-slice';
  readonly #scores = new Map<string, SharingScore>();

  constructor(predictor: Predictor, profiles: ProfileSet, mode: 'mps' | 'time-slice') {
    this.#predictor = predictor;
    this.#names = profiles.workloads.map(({ name }) => name);
    this.#mode = mode;
  }

  score(workload: string, type: number): SharingScore {
    const key = `${type} ${workload}`;
    let score = this.#scores.get(key);
    if (score === undefined) {
      score = sharingScore(this.meanSpeed(workload, type));
      this.#scores.set(key, score);
    }
    return score;
  }

  /** Mean speed in company over the speed alone; 0 where the workload has no company that fits. */
  meanSpeed(workload: string, type: number): number {
    const profile = this.#predictor.profile(workload, type);
    if (profile === null) return 0;
    let sum = 0;
    let count = 0;
    for (const name of this.#names) {
      const other = this.#predictor.profile(name, type);
      if (other === null || !fitTogether(this.#predictor.types[type], profile, other)) continue;
      sum += this.#speed(type, profile, other);
      count += 1;
    }
    return count === 0 ? 0 : sum / count;
  }

  #speed(type: number, profile: WorkloadProfile, other: WorkloadProfile): number {
    const residents = [profile, other].map((one) => ({ profile: one, share: 1 }));
    const { stepS } = this.#predictor.evaluate(type, residents, { mode: this.#mode });
    return soloStepS(profile) / (stepS[0] as number);
  }
}

function fitTogether(type: GpuType | undefined, a: WorkloadProfile, b: WorkloadProfile): boolean {
  return type !== undefined && a.memoryGib + b.memoryGib <= type.memoryGib;
}
