import type { GangScaling } from './scaling.ts';

/**
 * What the simulator knows of GPU types and of workloads on them: plain data, all fields required.
 * Files in which users leave fields out are completed by `calibration/profiles` before they get here.
 */

/** Where a number comes from. `source` names the data set, table or rule. */
export interface Provenance {
  readonly kind:
    | 'measured'
    | 'fitted'
    | 'datasheet'
    | 'transferred'
    | 'extrapolated'
    | 'assumed'
    | 'user';
  readonly source: string;
  /** Mean absolute relative error of the quantity that the number gives, where it was checked. */
  readonly error?: number | undefined;
}

/** Provenance by field name; a field that is absent has the provenance of `'*'`. */
export type ProvenanceTable = Readonly<Record<string, Provenance>>;

/**
 * Voltage over core clock, relative to the flat part: `V(x) = 1` up to the knee `x <= knee`, then
 * `1 + slope * (x - knee)`, with x = core clock / reference core clock.
 */
export interface VoltageCurve {
  readonly knee: number;
  readonly slope: number;
}

export interface GpuType {
  readonly name: string;
  readonly memoryGib: number;
  /** Peak memory bandwidth; documentation only, demands are fractions of it. */
  readonly memoryBandwidthGBps: number;
  readonly smCount: number;
  /** Clock at which step times and dynamic powers of profiles are stated (x = 1). */
  readonly referenceClockMhz: number;
  /** Core clocks that can be locked, ascending; the reference clock is among them. */
  readonly clocksMhz: readonly number[];
  readonly referenceMemoryClockMhz: number;
  readonly powerLimitW: { readonly min: number; readonly default: number; readonly max: number };
  /** Idle level without any context (P8). */
  readonly idlePowerW: number;
  /** Level with a context resident and nothing running, at the reference clock. */
  readonly contextPowerW: number;
  /** The part of `contextPowerW` that follows the clock as V(x)^2 x; the rest is constant. */
  readonly contextClockW: number;
  /** Drawn while the node is asleep, per GPU. */
  readonly sleepPowerW: number;
  /** Time a sleeping node takes to come back; it draws idle power meanwhile. */
  readonly wakeS: number;
  readonly voltage: VoltageCurve;
  /** Largest number of MPS clients: 48 from Volta on, 16 before. */
  readonly mpsClientLimit: number;
  /** Time until a locked clock takes effect. */
  readonly clockTransitionS: number;
  /** Legal MIG slice sizes as fractions of the GPU; empty where MIG does not exist. */
  readonly migSlices: readonly number[];
  readonly provenance: ProvenanceTable;
}

/**
 * Step time over clock, memory clock and SM share (DESIGN section 4, calibration C1 c and C6):
 * `T = host + ((kappa * memory / xm)^q + (core / (x * s))^q)^(1/q)` in seconds, with
 * `s = min(1, share / smDemand)`. q = 1 is the additive form of Mei, Wang and Chu.
 */
export interface StepTimeModel {
  readonly hostS: number;
  readonly memoryS: number;
  readonly coreS: number;
  readonly q: number;
}

/**
 * Solo dynamic power above `P_context`: `memoryW * xm + coreW * V(x)^2 * x` (calibration C3 a).
 */
export interface DynamicPowerModel {
  readonly memoryW: number;
  readonly coreW: number;
}

/**
 * Residual interference: a job's GPU time grows by the factor
 * `1 + sensitivity * sum over others of aggressiveness`.
 */
export interface InterferenceModel {
  readonly sensitivity: number;
  readonly aggressiveness: number;
}

/**
 * Mean absolute percentage errors of the fit behind a profile, and the points it rests on; null where
 * nothing of the kind was fitted.
 */
export interface FitError {
  readonly timeMape: number | null;
  readonly powerMape: number | null;
  readonly points: number;
}

export interface WorkloadProfile {
  readonly workload: string;
  readonly gpuType: string;
  readonly time: StepTimeModel;
  readonly power: DynamicPowerModel;
  /**
   * A power cap acts on peaks: where it binds, the average power is this part of it (calibration C5,
   * eta), in (0, 1]; below 1 for jobs that draw power in bursts.
   */
  readonly capFraction: number;
  readonly memoryGib: number;
  /** Fraction of the SMs beyond which a larger share gains nothing, in (0, 1]. */
  readonly smDemand: number;
  /** Fraction of the memory bandwidth used when running alone at reference clocks, in [0, 1]. */
  readonly bandwidthDemand: number;
  readonly interference: InterferenceModel;
  /** First start; start after a preemption or a change of share; writing a checkpoint. */
  readonly startS: number;
  readonly restartS: number;
  readonly checkpointS: number;
  /**
   * Throughput kept at each doubling of the GPUs in a node, and of the nodes ({@link GangScaling}). A
   * trace's duration holds for the job's own gang: for that, only `acrossNodes` acts, where it lies on
   * more nodes than it needs. A gang of another size runs at the ratio of the speedups.
   */
  readonly scaling: GangScaling;
  readonly provenance: ProvenanceTable;
  readonly fitError: FitError | null;
}

/** A workload is a model with its batch size: what the trace's job runs. */
export interface Workload {
  readonly name: string;
  readonly kind: 'training' | 'inference';
  readonly batchSize: number;
  readonly description: string;
  /** Profiles by GPU type name; the workload cannot run on a type that is absent. */
  readonly onGpu: Readonly<Record<string, WorkloadProfile>>;
}

/** Measured co-location speeds of a pair, each relative to running alone; they win over the model. */
export interface PairMeasurement {
  readonly gpuType: string;
  readonly workloads: readonly [string, string];
  readonly speeds: readonly [number, number];
  readonly source: string;
}

export interface ProfileSet {
  readonly gpuTypes: readonly GpuType[];
  readonly workloads: readonly Workload[];
  readonly pairs: readonly PairMeasurement[];
}

/** Looks a GPU type up by name. @throws {RangeError} naming the known types */
export function gpuTypeNamed(profiles: ProfileSet, name: string): GpuType {
  const found = profiles.gpuTypes.find((type) => type.name === name);
  if (found === undefined) {
    const known = profiles.gpuTypes.map((type) => type.name).join(', ');
    throw new RangeError(`unknown gpu type '${name}', expected one of: ${known}`);
  }
  return found;
}

/** Looks a workload up by name. @throws {RangeError} naming the known workloads */
export function workloadNamed(profiles: ProfileSet, name: string): Workload {
  const found = profiles.workloads.find((workload) => workload.name === name);
  if (found === undefined) {
    const known = profiles.workloads.map((workload) => workload.name).join(', ');
    throw new RangeError(`unknown workload '${name}', expected one of: ${known}`);
  }
  return found;
}
