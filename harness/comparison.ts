import { stringify } from 'csv-stringify/sync';
import type { Summary } from '../sim/result.ts';
import { METRICS } from './metrics.ts';
import { CONFIDENCE, type Estimate, estimate, relativeChange } from './statistics.ts';

/** A finished run, as far as a comparison looks at it. */
export interface ComparedRun {
  readonly label: string;
  readonly seed: number;
  readonly id: string;
  /** Folder of the run, below the folder of the comparison. */
  readonly directory: string;
  readonly summary: Summary;
}

/** A run that did not finish. */
export interface FailedRun {
  readonly label: string;
  readonly seed: number;
  readonly id: string;
  readonly error: string;
}

/** One figure of one policy: over the seeds, and against the reference policy seed by seed. */
export interface ComparedFigure extends Estimate {
  /** Relative change; null for the reference itself and where no change can be stated. */
  readonly change: Estimate | null;
}

/** A policy's line in a comparison. */
export interface ComparedPolicy {
  readonly label: string;
  readonly seeds: readonly number[];
  /** By the names of {@link METRICS}. */
  readonly figures: Readonly<Record<string, ComparedFigure>>;
}

/** Jobs of all runs of a comparison together. */
export interface JobTotals {
  readonly submitted: number;
  readonly done: number;
  readonly failed: number;
  readonly rejected: number;
  readonly rejectedByReason: Readonly<Record<string, number>>;
}

/** Content of `comparison.json`: the same for the same runs, whenever and however they were made. */
export interface Comparison {
  readonly experiment: string;
  /** What the program is, said in every result: not the authors' own code. */
  readonly nature: 'reconstruction';
  readonly reference: string;
  readonly confidence: number;
  readonly policies: readonly ComparedPolicy[];
  readonly jobs: JobTotals;
  /** Largest of all runs. */
  readonly conservationError: number;
  readonly runs: readonly ComparedRun[];
  readonly failures: readonly FailedRun[];
  /** What a reader should know before believing a figure. */
  readonly warnings: readonly string[];
}

function total(runs: readonly ComparedRun[]): JobTotals {
  const sum = (of: (jobs: Summary['jobs']) => number) =>
    runs.reduce((all, run) => all + of(run.summary.jobs), 0);
  const rejectedByReason: Record<string, number> = {};
  for (const run of runs) {
    for (const [reason, count] of Object.entries(run.summary.jobs.rejectedByReason)) {
      rejectedByReason[reason] = (rejectedByReason[reason] ?? 0) + count;
    }
  }
  return {
    submitted: sum((jobs) => jobs.submitted),
    done: sum((jobs) => jobs.done),
    failed: sum((jobs) => jobs.failed),
    rejected: sum((jobs) => jobs.rejected),
    rejectedByReason,
  };
}

function comparePolicy(
  label: string,
  runs: readonly ComparedRun[],
  reference: readonly ComparedRun[] | null,
): ComparedPolicy {
  const referenceOf = new Map(reference?.map((run) => [run.seed, run]));
  const paired = runs.filter((run) => referenceOf.has(run.seed));
  const figures: Record<string, ComparedFigure> = {};
  for (const { name, of } of METRICS) {
    const change = relativeChange(
      paired.map((run) => of(run.summary)),
      paired.map((run) => of((referenceOf.get(run.seed) as ComparedRun).summary)),
    );
    figures[name] = { ...estimate(runs.map((run) => of(run.summary))), change };
  }
  return { label, seeds: runs.map((run) => run.seed), figures };
}

/**
 * Compares the finished runs of an experiment. Changes are paired by seed: a seed that is missing
 * for either side is left out of the change.
 */
export function compareRuns(
  experiment: string,
  reference: string,
  runs: readonly ComparedRun[],
  failures: readonly FailedRun[],
  warnings: readonly string[] = [],
): Comparison {
  const labels = [...new Set(runs.map((run) => run.label))];
  const runsOf = (label: string) => runs.filter((run) => run.label === label);
  return {
    experiment,
    nature: 'reconstruction',
    reference,
    confidence: CONFIDENCE,
    policies: labels.map((label) =>
      comparePolicy(label, runsOf(label), label === reference ? null : runsOf(reference)),
    ),
    jobs: total(runs),
    conservationError: runs.reduce((max, run) => Math.max(max, run.summary.conservationError), 0),
    runs,
    failures,
    warnings,
  };
}

/** `comparison.csv`: one line per policy and figure; empty cells where there is no interval. */
export function comparisonCsv(comparison: Comparison): string {
  const header = [
    'policy',
    'metric',
    'seeds',
    'mean',
    'halfWidth',
    'change',
    'changeHalfWidth',
    'reference',
  ];
  const rows = comparison.policies.flatMap(({ label, figures }) =>
    Object.entries(figures).map(([metric, { n, mean, halfWidth, change }]) => [
      label,
      metric,
      String(n),
      String(mean),
      halfWidth === null ? '' : String(halfWidth),
      change === null ? '' : String(change.mean),
      change?.halfWidth == null ? '' : String(change.halfWidth),
      comparison.reference,
    ]),
  );
  return stringify([header, ...rows]);
}
