import type { JobPriority, JobSpec } from '../sim/job.ts';
import type { InputFile, QualityReport } from './report.ts';

/**
 * A job as a trace file states it, in neutral words and units, before a model is assigned to it.
 * What the file does not say is null: nothing is filled in.
 */
export interface TraceJob {
  readonly id: string;
  /** Seconds on the trace's own clock; see the importer for where its zero lies. */
  readonly submitS: number;
  readonly durationS: number;
  /** GPU type the duration was measured on; null when the trace does not say. */
  readonly referenceGpu: string | null;
  readonly gpuCount: number;
  /** Part of each GPU asked for, in (0, 1]. */
  readonly share: number;
  readonly memoryGib: number | null;
  /** GPU types it may run on, as the trace names them; empty for any. */
  readonly gpuTypes: readonly string[];
  /** Model or workload name as the file has it. */
  readonly model: string | null;
  readonly deadlineS: number | null;
  readonly maxSlowdown: number | null;
  /** Time from submission to start that the trace recorded. */
  readonly queuedS: number | null;
  /** Run time that its user asked for (time limit). */
  readonly requestedS: number | null;
  readonly priority: JobPriority | null;
  readonly user: string | null;
  readonly virtualCluster: string | null;
  /** Final state as the file has it. */
  readonly status: string | null;
  /** Row of the file that it came from; 1 is the first after the header. */
  readonly row: number;
}

/** A trace after import or generation, sorted by (submitS, row): jobs without a workload yet. */
export interface ImportedTrace {
  readonly name: string;
  /** Name of the importer or generator. */
  readonly format: string;
  /** How the format was recognised; null when it was given. */
  readonly recognisedBy: string | null;
  readonly jobs: readonly TraceJob[];
  readonly report: QualityReport;
}

/** How each job got its workload name: enough to do it again. */
export interface AssignmentRecord {
  readonly rule: string;
  readonly seed: number | string;
  /** GPU type that durations refer to where the trace does not say. */
  readonly referenceGpu: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** Jobs per workload name, sorted by name. */
  readonly counts: Readonly<Record<string, number>>;
  readonly assumed: readonly string[];
}

/** Where a workload came from. */
export interface Provenance {
  readonly source: 'file' | 'generator';
  readonly format: string;
  readonly recognisedBy: string | null;
  readonly input: InputFile | null;
  readonly assignment: AssignmentRecord;
}

/** The jobs a simulation runs, with the account of how they were made. */
export interface TraceWorkload {
  readonly name: string;
  /** Sorted by submission. */
  readonly jobs: readonly JobSpec[];
  readonly report: QualityReport;
  readonly provenance: Provenance;
}
