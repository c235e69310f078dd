/** A job beside the one that was measured, on the same GPU. */
export interface CoRunner {
  readonly workload: string;
  readonly batch: number | null;
  /** MPS share in (0, 1]; null when no limit was set. */
  readonly share: number | null;
}

/**
 * One measured point in the one form that all data sets are brought into (docs/measurements.md).
 * What a set does not say is null, never a default. At least one of time, throughput and power is there.
 */
export interface Measurement {
  readonly gpuType: string;
  /** Model as the set names it, without the batch size. */
  readonly workload: string;
  readonly batch: number | null;
  /** Locked core clock and memory clock. */
  readonly coreMhz: number | null;
  readonly memoryMhz: number | null;
  readonly powerCapW: number | null;
  /** SM share (MPS percentage, MIG slice) in (0, 1]; null when none was set. */
  readonly share: number | null;
  /** How the GPU was shared when `coRunners` is not empty or `share` is set. */
  readonly sharing: 'alone' | 'mps' | 'mig' | 'co-located';
  readonly coRunners: readonly CoRunner[];
  /** Seconds of a step; sets that are normalised give the ratio to their reference point. */
  readonly stepS: number | null;
  /** Steps, images or samples a second, in the set's unit; see `normalised`. */
  readonly throughput: number | null;
  /** True when times or throughputs are ratios to a reference point of the same workload. */
  readonly normalised: boolean;
  /** Speed beside the co-runners over speed alone, where the set gives it. */
  readonly relativeSpeed: number | null;
  readonly powerW: number | null;
  /** Core clock read while it ran. */
  readonly achievedMhz: number | null;
  /** GPU utilisation, memory utilisation and L2 demand as fractions, memory in GiB. */
  readonly utilisation: number | null;
  readonly bandwidth: number | null;
  readonly l2: number | null;
  readonly memoryGib: number | null;
  /** GPUs of a gang, and whether they were in several nodes; absent for a job on one GPU. */
  readonly gpus?: number;
  readonly acrossNodes?: boolean;
  /** Name of the set, and where in it the point stands. */
  readonly source: string;
  readonly row: string;
}

/** Rows that were left out or kept with a doubt, by reason; nothing is left out without a count. */
export interface MeasurementReport {
  readonly files: readonly string[];
  readonly rowsRead: number;
  readonly kept: number;
  readonly dropped: Readonly<Record<string, number>>;
  readonly flagged: Readonly<Record<string, number>>;
  /** Options in force, with their defaults filled in. */
  readonly options: Readonly<Record<string, string | number | boolean>>;
  readonly assumed: readonly string[];
}

export interface MeasurementTable {
  readonly rows: readonly Measurement[];
  readonly report: MeasurementReport;
}
