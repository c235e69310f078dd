import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { InputError } from '../sim/errors.ts';
import { contentId } from './canonical.ts';
import { type ComparedRun, type Comparison, compareRuns, type FailedRun } from './comparison.ts';
import { EXIT, type ExitCode, type Failure, type InputFault, worstExitCode } from './failure.ts';
import { runTasks } from './pool.ts';
import { packageVersion, programFingerprint } from './program.ts';
import { type ProgressTarget, startProgress } from './progress.ts';
import { type ResolvedExperiment, runConfig } from './resolved.ts';
import { isUnfinishedHere, readRun, removeUnfinished, runDirectoryName } from './run-directory.ts';
import type { RunRecord } from './run-record.ts';
import type { RunTask, TaskOutcome } from './task.ts';
import { loadWarnings, rejectionWarnings } from './warnings.ts';
import type { WorkloadRecord } from './workload.ts';

/** How an experiment is run; nothing here changes a result. */
export interface LaunchOptions {
  readonly out: string;
  /** Threads; 0 runs everything in this one. */
  readonly workers: number;
  /** Makes runs anew that exist already. */
  readonly force: boolean;
  readonly timeline: boolean;
  readonly signal: AbortSignal;
  readonly progress: ProgressTarget;
  /** Told of a run that failed as soon as it did. */
  readonly onFailure?: (label: string, seed: number, failure: Failure) => void;
  /** Told what is wrong with the load as soon as jobs are made; it is in the comparison as well. */
  readonly onWarning?: (warning: string) => void;
}

/** What became of an experiment. */
export interface ExperimentOutcome {
  /** Over the runs that are finished; null when none is. */
  readonly comparison: Comparison | null;
  /** Runs made now, found finished, and left out by an interruption. */
  readonly made: number;
  readonly reused: number;
  readonly left: number;
  readonly exitCode: ExitCode;
  /** `run.json` of a finished run, for what all runs have in common. */
  readonly example: RunRecord | null;
}

/** The runs of an experiment: seed by seed, so that threads share what a seed's jobs cost. */
export function planTasks(
  experiment: ResolvedExperiment,
  out: string,
  timeline: boolean,
): RunTask[] {
  const heshare = packageVersion();
  const program = programFingerprint();
  return experiment.seeds.flatMap((seed) =>
    experiment.policies.map((policy): RunTask => {
      const id = contentId(runConfig(experiment, policy, seed, heshare));
      const directory = runDirectoryName(policy.label, seed, id);
      return { experiment, policy, seed, id, out, directory, timeline, program, heshare };
    }),
  );
}

/** Identifies an experiment by the runs that it is made of. */
export function experimentId(experiment: ResolvedExperiment): string {
  return contentId(planTasks(experiment, '', false).map((task) => task.id));
}

function comparedRun(
  task: RunTask,
  record: RunRecord,
  summary: ComparedRun['summary'],
): ComparedRun {
  return { label: record.label, seed: task.seed, id: task.id, directory: task.directory, summary };
}

/** Finished runs on disk that may be taken as they are. */
function findFinished(
  tasks: readonly RunTask[],
): Map<RunTask, ComparedRun & { record: RunRecord }> {
  const found = new Map<RunTask, ComparedRun & { record: RunRecord }>();
  for (const task of tasks) {
    const stored = readRun(
      path.join(task.out, task.directory),
      task.id,
      task.program,
      task.timeline,
    );
    if (stored === null) continue;
    const { record, summary } = stored;
    found.set(task, { ...comparedRun(task, record, summary), record });
  }
  return found;
}

function cleanUp(out: string): void {
  removeUnfinished(out, readdirSync(out).filter(isUnfinishedHere));
}

function refuseWithoutJobs(fault: InputFault | null): void {
  if (fault === null) return;
  throw new InputError(fault.file, fault.line, fault.column, fault.detail);
}

/**
 * Runs every policy with every seed, keeps each run as it finishes, and compares what is finished.
 * The same experiment gives the same comparison whatever the number of workers.
 * @throws {InputError} when the jobs cannot be made, so that no run could
 */
export async function runExperiment(
  experiment: ResolvedExperiment,
  options: LaunchOptions,
): Promise<ExperimentOutcome> {
  mkdirSync(options.out, { recursive: true });
  const tasks = planTasks(experiment, options.out, options.timeline);
  const finished = options.force ? new Map<RunTask, never>() : findFinished(tasks);
  const open = tasks.filter((task) => !finished.has(task));
  const impossible = new AbortController();
  const found: { noJobs: InputFault | null } = { noJobs: null };
  const warned = { early: false };
  const outcomes = await runTasks(open, {
    workers: options.workers,
    signal: AbortSignal.any([options.signal, impossible.signal]),
    progress: startProgress(options.progress, experiment.name),
    onOutcome: (task, outcome) => {
      if (outcome.ok) return;
      if (outcome.noJobs === null) {
        options.onFailure?.(task.policy.label, task.seed, outcome.failure);
        return;
      }
      found.noJobs ??= outcome.noJobs;
      impossible.abort();
    },
    onJobs: (task, load) => {
      // All policies of a seed have the same jobs; the first seed speaks for all.
      if (warned.early || task.seed !== experiment.seeds[0]) return;
      warned.early = true;
      for (const line of loadWarnings(load, experiment.workload.load)) options.onWarning?.(line);
    },
  });
  if (options.signal.aborted || found.noJobs !== null) cleanUp(options.out);
  refuseWithoutJobs(found.noJobs);
  return sumUp(
    experiment,
    tasks,
    finished,
    new Map(open.map((task, i) => [task, outcomes[i] ?? null])),
  );
}

function sumUp(
  experiment: ResolvedExperiment,
  tasks: readonly RunTask[],
  finished: ReadonlyMap<RunTask, ComparedRun & { readonly record: RunRecord }>,
  outcomes: ReadonlyMap<RunTask, TaskOutcome | null>,
): ExperimentOutcome {
  const runs: ComparedRun[] = [];
  const failed: FailedRun[] = [];
  const records: RunRecord[] = [];
  const failures: Failure[] = [];
  let left = 0;
  // In the order of the policies, then of the seeds, whatever order the runs ended in.
  const order = (task: RunTask) => experiment.policies.indexOf(task.policy);
  for (const task of tasks.toSorted((a, b) => order(a) - order(b) || a.seed - b.seed)) {
    const known = finished.get(task);
    const outcome = outcomes.get(task) ?? null;
    if (known !== undefined) {
      const { record, ...run } = known;
      runs.push(run);
      records.push(record);
    } else if (outcome === null) {
      left += 1;
    } else if (outcome.ok) {
      runs.push(comparedRun(task, outcome.record, outcome.summary));
      records.push(outcome.record);
    } else {
      failures.push(outcome.failure);
      const { label } = task.policy;
      failed.push({ label, seed: task.seed, id: task.id, error: outcome.failure.message });
    }
  }
  const { name, reference } = experiment;
  const first = records.find((record) => record.seed === experiment.seeds[0]) ?? records[0];
  const made = first?.workload as WorkloadRecord | undefined;
  const warnings = [
    ...(made === undefined ? [] : loadWarnings(made.load, experiment.workload.load)),
    ...rejectionWarnings(
      runs.map(({ summary }, i) => ({
        jobs: summary.jobs,
        firstRejected: records[i]?.firstRejected ?? null,
      })),
      experiment,
    ),
  ];
  const comparison =
    runs.length === 0 ? null : compareRuns(name, reference, runs, failed, warnings);
  return {
    comparison,
    made: runs.length - finished.size,
    reused: finished.size,
    left,
    exitCode: left > 0 ? EXIT.interrupted : worstExitCode(failures),
    example: records[0] ?? null,
  };
}
