import type { OptionValues } from '../policies/policy.ts';
import type { ClusterSpec } from '../sim/cluster/cluster.ts';
import type { SimulationOptions } from '../sim/options.ts';
import type { ShapeOptions } from '../traces/shape/index.ts';
import type { InputRecord } from './run-record.ts';

/** A way to give jobs their models; null leaves it to the trace's own column, or else the default. */
export interface ResolvedAssignment {
  readonly rule: string;
  readonly options: Readonly<Record<string, unknown>>;
}

interface AnyWorkload {
  readonly load: number | null;
  /** Jobs run with 1 GPU up to so many times their own gang; null leaves them as they are. */
  readonly elastic: number | null;
  readonly referenceGpu: string;
  readonly assign: ResolvedAssignment | null;
}

/** Jobs from a file. */
export interface TraceSource extends AnyWorkload {
  readonly kind: 'trace';
  readonly file: InputRecord;
  /** Files that it may be read together with: tables next to it, and files that its options name. */
  readonly companions: readonly InputRecord[];
  readonly format: string;
  readonly settings: Readonly<Record<string, string | number>>;
  readonly maxBadRows: number | null;
  /** All steps but those that depend on the cluster, which `load` says. */
  readonly shape: Omit<ShapeOptions, 'load'>;
}

/** Jobs from a generator. */
export interface SynthSource extends AnyWorkload {
  readonly kind: 'synth';
  readonly generator: string;
  /** Options of its own. */
  readonly settings: Readonly<Record<string, string | number>>;
  readonly jobs: number;
  readonly maxGpus: number | null;
  readonly maxDurationS: number | null;
  readonly ratePerS: number | null;
}

export type ResolvedWorkload = TraceSource | SynthSource;

/** A policy with all its options; `file` is the user's own file it comes from. */
export interface ResolvedPolicy {
  readonly label: string;
  readonly name: string;
  readonly file: InputRecord | null;
  readonly options: OptionValues;
  /** Standard deviation of the logarithm of the error on the speeds and powers that it is told. */
  readonly profileNoise: number;
}

/** An experiment with everything filled in: plain data, the same for the same input. */
export interface ResolvedExperiment {
  readonly name: string;
  readonly workload: ResolvedWorkload;
  readonly cluster: ClusterSpec;
  readonly policies: readonly ResolvedPolicy[];
  readonly seeds: readonly number[];
  readonly reference: string;
  readonly profileFiles: readonly InputRecord[];
  /** Whether shipped profiles count that rest on no measurement on their GPU type. */
  readonly allowExtrapolated: boolean;
  /** Hash of all profiles, shipped ones and the user's. */
  readonly profilesId: string;
  readonly simulation: SimulationOptions;
}

/** What one run is made from: the content behind its id. */
export interface RunConfig {
  /** Version of the program: another one may give other results. */
  readonly heshare: string;
  readonly workload: unknown;
  readonly cluster: ClusterSpec;
  readonly policy: {
    readonly name: string;
    readonly fileSha256: string | null;
    readonly options: OptionValues;
    readonly profileNoise: number;
  };
  readonly seed: number;
  readonly simulation: SimulationOptions;
  readonly profilesId: string;
}

/** A workload by the content of its files, not by where they lie. */
function workloadConfig(workload: ResolvedWorkload): unknown {
  if (workload.kind !== 'trace') return workload;
  const { file, companions, ...rest } = workload;
  const bySha = ({ sha256 }: InputRecord) => ({ sha256 });
  const config = { ...rest, file: bySha(file) };
  return companions.length === 0 ? config : { ...config, companions: companions.map(bySha) };
}

/** The configuration of one run. Files enter by content, not by where they lie. */
export function runConfig(
  experiment: ResolvedExperiment,
  policy: ResolvedPolicy,
  seed: number,
  heshare: string,
): RunConfig {
  const { workload, cluster, simulation, profilesId } = experiment;
  const { name, file, options, profileNoise } = policy;
  return {
    heshare,
    workload: workloadConfig(workload),
    cluster,
    policy: { name, fileSha256: file?.sha256 ?? null, options, profileNoise },
    seed,
    simulation,
    profilesId,
  };
}
