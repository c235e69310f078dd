import { type Cluster, MAX_TYPES } from './cluster/cluster.ts';
import {
  evaluateGpu,
  type GpuSetting,
  type OperatingPoint,
  type Resident,
  soloStepS,
} from './gpu/evaluate.ts';
import type {
  GpuType,
  PairMeasurement,
  ProfileSet,
  Workload,
  WorkloadProfile,
} from './gpu/profile.ts';
import { stepTimeS } from './gpu/step-time.ts';
import type { JobSpec } from './job.ts';

/**
 * The profiles of one run, numbered: workloads in the order in which the jobs first name them, types
 * as in the cluster. Operating points are kept, so a combination is computed once.
 */
export class Physics {
  readonly #cluster: Cluster;
  readonly #profiles: ProfileSet;
  readonly #workloadIndex = new Map<string, number>();
  readonly #workloads: Workload[] = [];
  /** By workload and type. */
  readonly #table: (WorkloadProfile | null)[][] = [];
  readonly #soloStep: Float64Array[] = [];
  readonly #shareIds = new Map<number, number>();
  readonly #points = new Map<string, OperatingPoint>();
  readonly #soloPoints: (OperatingPoint | undefined)[] = [];

  constructor(cluster: Cluster, profiles: ProfileSet) {
    this.#cluster = cluster;
    this.#profiles = profiles;
  }

  /** Number of a workload; null when no profile set knows it. */
  workloadIndex(name: string): number | null {
    const known = this.#workloadIndex.get(name);
    if (known !== undefined) return known;
    const workload = this.#profiles.workloads.find((candidate) => candidate.name === name);
    if (workload === undefined) return null;
    const index = this.#workloads.push(workload) - 1;
    this.#workloadIndex.set(name, index);
    const row = this.#cluster.types.map((type) => workload.onGpu[type.name] ?? null);
    this.#table.push(row);
    this.#soloStep.push(Float64Array.from(row, (profile) => (profile ? soloStepS(profile) : NaN)));
    return index;
  }

  workloadName(index: number): string {
    return (this.#workloads[index] as Workload).name;
  }

  /** Profile on a type of the cluster, or null. */
  profile(workload: number, type: number): WorkloadProfile | null {
    return this.#table[workload]?.[type] ?? null;
  }

  /** Step alone on the whole GPU at the reference clock. */
  soloStepS(workload: number, type: number): number {
    return (this.#soloStep[workload] as Float64Array)[type] as number;
  }

  /** Step time on the job's reference GPU with its own share, or null without a profile there. */
  referenceStepS(workload: number, spec: JobSpec): number | null {
    const profile = this.#workloads[workload]?.onGpu[spec.referenceGpu];
    if (profile === undefined) return null;
    return stepTimeS(profile.time, profile.smDemand, 1, 1, spec.share);
  }

  /** The operating point of one resident with the whole GPU at reference clock and default cap. */
  soloPoint(typeIndex: number, workload: number): OperatingPoint {
    const key = workload * MAX_TYPES + typeIndex;
    let point = this.#soloPoints[key];
    if (point === undefined) {
      point = this.#compute(typeIndex, [workload], [1], {
        mode: 'exclusive',
        clockX: 1,
        memoryX: 1,
        powerCapW: (this.#cluster.types[typeIndex] as GpuType).powerLimitW.default,
        switchingLoss: 0,
      });
      this.#soloPoints[key] = point;
    }
    return point;
  }

  /**
   * The operating point for residents given as (workload, share) pairs in any order; arrays of the
   * result are in the order in which the residents were given.
   */
  point(
    typeIndex: number,
    workloads: readonly number[],
    shares: readonly number[],
    setting: GpuSetting,
  ): OperatingPoint {
    let key = `${typeIndex}|${setting.mode}|${setting.clockX}|${setting.powerCapW}`;
    for (let i = 0; i < workloads.length; i += 1) {
      key += `|${workloads[i]},${this.#shareId(shares[i] as number)}`;
    }
    let point = this.#points.get(key);
    if (point === undefined) {
      point = this.#compute(typeIndex, workloads, shares, setting);
      this.#points.set(key, point);
    }
    return point;
  }

  #shareId(share: number): number {
    let id = this.#shareIds.get(share);
    if (id === undefined) {
      id = this.#shareIds.size;
      this.#shareIds.set(share, id);
    }
    return id;
  }

  #compute(
    typeIndex: number,
    workloads: readonly number[],
    shares: readonly number[],
    setting: GpuSetting,
  ): OperatingPoint {
    const type = this.#cluster.types[typeIndex] as GpuType;
    const residents: Resident[] = workloads.map((workload, i) => ({
      profile: this.profile(workload, typeIndex) as WorkloadProfile,
      share: shares[i] as number,
    }));
    return evaluateGpu(type, residents, setting, this.#pairFor(type, workloads));
  }

  #pairFor(type: GpuType, workloads: readonly number[]): PairMeasurement | null {
    if (workloads.length !== 2) return null;
    const [a, b] = workloads.map((workload) => this.workloadName(workload)) as [string, string];
    return pairMeasured(this.#profiles.pairs, type.name, a, b);
  }
}

/** The measurement of a pair on a type, whichever way round, or null. */
export function pairMeasured(
  pairs: readonly PairMeasurement[],
  gpuType: string,
  a: string,
  b: string,
): PairMeasurement | null {
  for (const pair of pairs) {
    if (pair.gpuType !== gpuType) continue;
    const [first, second] = pair.workloads;
    if ((first === a && second === b) || (first === b && second === a)) return pair;
  }
  return null;
}
