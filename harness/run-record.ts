import type { Summary } from '../sim/result.ts';

/** A file that a run read, with the hash of its content. */
export interface InputRecord {
  readonly path: string;
  readonly sha256: string;
}

/** What a policy is and is told. */
export interface PolicyRecord {
  readonly name: string;
  readonly title: string;
  readonly source: string;
  readonly faithfulness: string;
  readonly information: {
    readonly duration: string;
    readonly durationNoise: number;
    readonly profile: string;
    readonly profileNoise: number;
  };
}

/** A job that could never run, with the whole reason. */
export interface RejectedJob {
  readonly job: string;
  readonly reason: string;
}

/** Terms of the profiles that a run could use, counted by where their numbers come from. */
export interface ProfileRecord {
  /** Pairs of workload and GPU type. */
  readonly profiles: number;
  readonly workloadTerms: Readonly<Record<string, number>>;
  readonly gpuTypeTerms: Readonly<Record<string, number>>;
}

/** Content of `run.json`: everything that makes the run what it is. */
export interface RunRecord {
  /** Hash of `config`. */
  readonly id: string;
  readonly experiment: string;
  readonly label: string;
  readonly seed: number;
  /** What the program is: not the authors' own code. */
  readonly nature: 'reconstruction';
  readonly versions: { readonly heshare: string; readonly node: string };
  /** Hash of the program's own files: a run made by other code is not taken for this one. */
  readonly program: string;
  readonly config: unknown;
  readonly inputs: readonly InputRecord[];
  readonly policy: PolicyRecord;
  /** How the jobs were made: the data-quality report and the assignment of models. */
  readonly workload: unknown;
  readonly profiles: ProfileRecord;
  /** The first job that was rejected, for example; null when none was. */
  readonly firstRejected: RejectedJob | null;
}

/** Content of `timing.json`: what depends on the machine. */
export interface TimingRecord {
  readonly wallS: number;
  /** CPU time of the thread; null where the system does not tell. */
  readonly cpuS: number | null;
  readonly decisionMs: { readonly count: number; readonly mean: number; readonly p99: number };
}

/** What is read back of a finished run. */
export interface StoredRun {
  readonly record: RunRecord;
  readonly summary: Summary;
}
