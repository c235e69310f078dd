import {
  evaluateGpu,
  type OperatingPoint,
  type Resident,
  type SharingMode,
  soloStepS,
} from '../sim/gpu/evaluate.ts';
import type { GpuType, PairMeasurement, ProfileSet, WorkloadProfile } from '../sim/gpu/profile.ts';
import { relativeGangSpeed } from '../sim/gpu/scaling.ts';
import { stepTimeS } from '../sim/gpu/step-time.ts';
import type { JobView } from '../sim/job-view.ts';
import { DEFAULT_SIMULATION_OPTIONS } from '../sim/options.ts';
import { type RandomSource, standardNormal } from '../sim/random.ts';
import type { ProfileInformation } from './policy.ts';

/** Clock, cap and mode for a prediction; what is left out is the type's reference, default, `mps`. */
export interface PredictedSetting {
  readonly clockMhz?: number;
  readonly powerCapW?: number;
  readonly mode?: SharingMode;
}

/**
 * The physics as a policy may know it: the same `evaluateGpu`, on profiles that carry the policy's
 * noise. Types are numbered as in `view.cluster.types`.
 */
export interface Predictor {
  readonly types: readonly GpuType[];
  /** The profile of a workload on a type as the policy knows it, or null when it cannot run there. */
  profile(workload: string, type: number): WorkloadProfile | null;
  /**
   * Work that a job does per second with its own gang, alone on whole GPUs of a type at the reference
   * clock: its `durationS` (or `remainingS`) divided by this is its run time there.
   */
  speed(job: JobView, type: number): number;
  /**
   * The same with a gang of `gpus` on `nodes` nodes, by default the fewest that can hold it; for
   * `gpus = job.gpuCount` on those it is `speed`.
   */
  gangSpeed(job: JobView, type: number, gpus: number, nodes?: number): number;
  /** Speeds and watts of a GPU for a set of residents. */
  evaluate(
    type: number,
    residents: readonly Resident[],
    setting?: PredictedSetting,
  ): OperatingPoint;
}

/** What a predictor is made of. */
export interface PredictorSpec {
  readonly profiles: ProfileSet;
  /** Types of the cluster, in its order. */
  readonly types: readonly GpuType[];
  /** GPUs of the largest node of each type; without it a node holds any gang. */
  readonly gpusPerNode?: readonly number[];
  /**
   * What the policy declares. One of:
   * - *none*: every question is an error
   * - *solo*: jobs alone; company is predicted without memory contention and interference
   * - *pairs*: two residents as they are (measured pairs too), three or more as under *solo*
   * - *all*: everything
   */
  readonly information: ProfileInformation;
  /**
   * Standard deviation of the logarithm of the error on time and on power of each (workload, type);
   * 0 is exact.
   */
  readonly noise: number;
  /** Stream that the errors are drawn from. */
  readonly random: RandomSource;
  /** Part of the time lost when residents alternate, as the policy knows it. */
  readonly switchingLoss?: number;
}

/**
 * Makes the physics as a policy may know it. All errors are drawn at once, for every type of the
 * profile set: what a policy asks, and on which cluster, changes none of them.
 */
export function makePredictor(spec: PredictorSpec): Predictor {
  return new ProfilePredictor(spec);
}

class ProfilePredictor implements Predictor {
  readonly types: readonly GpuType[];
  readonly #information: ProfileInformation;
  /** By type and the two workloads, either way round. */
  readonly #pairs = new Map<string, PairMeasurement>();
  readonly #switchingLoss: number;
  readonly #gpusPerNode: readonly number[];
  /** By workload, then by the name of the GPU type. */
  readonly #known = new Map<string, ReadonlyMap<string, WorkloadProfile>>();
  /** A profile without what company does to it. */
  readonly #alone = new Map<WorkloadProfile, WorkloadProfile>();

  constructor(spec: PredictorSpec) {
    this.types = spec.types;
    this.#gpusPerNode = spec.gpusPerNode ?? spec.types.map(() => Number.MAX_SAFE_INTEGER);
    this.#information = spec.information;
    this.#switchingLoss = spec.switchingLoss ?? DEFAULT_SIMULATION_OPTIONS.switchingLoss;
    for (const pair of spec.profiles.pairs) {
      const key = pairKey(pair.gpuType, ...pair.workloads);
      if (!this.#pairs.has(key)) this.#pairs.set(key, pair);
    }
    for (const workload of spec.profiles.workloads) {
      const byType = new Map<string, WorkloadProfile>();
      for (const { name } of spec.profiles.gpuTypes) {
        const profile = workload.onGpu[name];
        if (profile === undefined) continue;
        const noisy = spec.noise > 0 ? withErrors(profile, spec.noise, spec.random) : profile;
        const alone = withoutCompany(noisy);
        this.#alone.set(noisy, alone);
        byType.set(name, spec.information === 'solo' ? alone : noisy);
      }
      this.#known.set(workload.name, byType);
    }
  }

  profile(workload: string, type: number): WorkloadProfile | null {
    this.#mustKnow();
    return this.#known.get(workload)?.get((this.types[type] as GpuType).name) ?? null;
  }

  speed(job: JobView, type: number): number {
    const here = this.profile(job.workload, type);
    const there = this.#known.get(job.workload)?.get(job.referenceGpu);
    if (here === null || there === undefined) {
      const missing = here === null ? (this.types[type] as GpuType).name : job.referenceGpu;
      throw new RangeError(`workload '${job.workload}' has no profile on gpu type '${missing}'`);
    }
    const referenceS = stepTimeS(there.time, there.smDemand, 1, 1, job.share);
    return referenceS / soloStepS(here);
  }

  gangSpeed(job: JobView, type: number, gpus: number, nodes?: number): number {
    const alone = this.speed(job, type);
    const { scaling } = this.profile(job.workload, type) as WorkloadProfile;
    const largest = this.#gpusPerNode[type] as number;
    const spread = nodes ?? Math.ceil(gpus / largest);
    return alone * relativeGangSpeed(scaling, job.gpuCount, gpus, spread, largest);
  }

  evaluate(
    typeIndex: number,
    residents: readonly Resident[],
    setting: PredictedSetting = {},
  ): OperatingPoint {
    this.#mustKnow();
    const type = this.types[typeIndex] as GpuType;
    const company = this.#information !== 'pairs' || residents.length <= 2;
    const known = company ? residents : residents.map((resident) => this.#asAlone(resident));
    const simulated = {
      mode: setting.mode ?? 'mps',
      clockX: (setting.clockMhz ?? type.referenceClockMhz) / type.referenceClockMhz,
      memoryX: 1,
      powerCapW: setting.powerCapW ?? type.powerLimitW.default,
      switchingLoss: this.#switchingLoss,
    };
    return evaluateGpu(type, known, simulated, this.#pairFor(type, residents));
  }

  #pairFor(type: GpuType, residents: readonly Resident[]): PairMeasurement | null {
    const [a, b] = residents;
    if (this.#information === 'solo' || residents.length !== 2 || !a || !b) return null;
    return this.#pairs.get(pairKey(type.name, a.profile.workload, b.profile.workload)) ?? null;
  }

  #asAlone(resident: Resident): Resident {
    const profile = this.#alone.get(resident.profile) ?? withoutCompany(resident.profile);
    return { profile, share: resident.share };
  }

  #mustKnow(): void {
    if (this.#information === 'none') {
      throw new RangeError("a policy that declares profile 'none' is told no speeds or powers");
    }
  }
}

function pairKey(gpuType: string, a: string, b: string): string {
  return JSON.stringify(a < b ? [gpuType, a, b] : [gpuType, b, a]);
}

/** Multiplicative lognormal errors (assumed), one on time and one on power. */
function withErrors(
  profile: WorkloadProfile,
  noise: number,
  random: RandomSource,
): WorkloadProfile {
  const time = Math.exp(noise * standardNormal(random));
  const power = Math.exp(noise * standardNormal(random));
  const { hostS, memoryS, coreS, q } = profile.time;
  return {
    ...profile,
    time: { hostS: hostS * time, memoryS: memoryS * time, coreS: coreS * time, q },
    power: { memoryW: profile.power.memoryW * power, coreW: profile.power.coreW * power },
  };
}

/** Neighbours do nothing to this job, nor it to them, besides sharing SMs. */
function withoutCompany(profile: WorkloadProfile): WorkloadProfile {
  return {
    ...profile,
    bandwidthDemand: 0,
    interference: { sensitivity: 0, aggressiveness: 0 },
  };
}
