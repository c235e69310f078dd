import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { Command } from 'commander';
import { readableJson } from '../harness/canonical.ts';
import { gpuCount } from '../harness/clusters.ts';
import { COMPARISON_FILES, writeComparison } from '../harness/comparison-files.ts';
import { DEFAULTS } from '../harness/defaults.ts';
import {
  type ExperimentOutcome,
  experimentId,
  type LaunchOptions,
  runExperiment,
} from '../harness/experiment.ts';
import { EXIT, type ExitCode } from '../harness/failure.ts';
import type { ResolvedExperiment } from '../harness/resolved.ts';
import { comparisonTable } from '../harness/table.ts';
import type { WorkloadRecord } from '../harness/workload.ts';
import { type CommonFlags, wholeNumber } from './common.ts';
import { type Io, mayColour } from './io.ts';

/** Options that say how an experiment is run; they change no result. */
export interface LaunchFlags extends CommonFlags {
  readonly workers?: number;
  readonly timeline?: true;
  readonly force?: true;
}

/** Adds the options that say how an experiment is run. */
export function withLaunchOptions(command: Command): Command {
  return command
    .option('--workers <n>', 'threads; 0 runs all in one (default: all cores)', wholeNumber(0))
    .option('--timeline', 'also keep what every GPU did, in gpus.csv')
    .option('--force', 'make runs anew that exist already');
}

function workloadLine(experiment: ResolvedExperiment, { example }: ExperimentOutcome): string {
  const record = example?.workload as WorkloadRecord | undefined;
  if (record === undefined) return '';
  const load = record.offeredLoad === null ? '' : `, offered load ${record.offeredLoad.toFixed(2)}`;
  const { cluster } = experiment;
  return `${record.name}: ${record.jobs} jobs a seed${load} on ${cluster.name} (${gpuCount(cluster)} GPUs)\n\n`;
}

function report(io: Io, experiment: ResolvedExperiment, outcome: ExperimentOutcome, out: string) {
  const { comparison, reused } = outcome;
  if (comparison === null) return;
  const shown = path.relative('', out) || '.';
  const again = reused > 0 ? `; ${reused} runs were there already (--force makes them anew)` : '';
  io.stdout.write(
    workloadLine(experiment, outcome) +
      comparisonTable(comparison, { colours: mayColour(io, io.stdout) }) +
      `a reconstruction of published policies, not their authors' code; experiment '${experiment.name}'\n` +
      `files: ${shown}/ (${COMPARISON_FILES.join(', ')}, a folder per run)${again}\n`,
  );
}

/** Experiments that differ do not share a folder; the same one again finds what it has done. */
function defaultOutput(experiment: ResolvedExperiment): string {
  return path.join(DEFAULTS.output, `${experiment.name}-${experimentId(experiment)}`);
}

/** Says of each failure what it is, and of one that is like another only which run it hit. */
function failureReporter(io: Io): NonNullable<LaunchOptions['onFailure']> {
  const said = new Set<string>();
  return (label, seed, { message, stack, exitCode }) => {
    const again = said.has(message);
    said.add(message);
    io.stderr.write(`heshare: ${label}, seed ${seed}: ${again ? 'the same' : message}\n`);
    if (!again && exitCode === EXIT.fault && stack !== null) io.stderr.write(`${stack}\n`);
  };
}

/**
 * Runs an experiment, prints its table or document, and leaves its files in the output folder.
 * @returns the exit code
 */
export async function launch(
  io: Io,
  experiment: ResolvedExperiment,
  flags: LaunchFlags,
  output: string | null,
): Promise<ExitCode> {
  const out = path.resolve(flags.out ?? output ?? defaultOutput(experiment));
  const quiet = flags.quiet === true;
  // Each is said once, before any figure is read; --quiet does not hide them.
  const said = new Set<string>();
  const warn = (warning: string) => {
    if (!said.has(warning)) io.stderr.write(`heshare: warning: ${warning}\n`);
    said.add(warning);
  };
  const outcome = await io.interruptible((signal) =>
    runExperiment(experiment, {
      out,
      workers: flags.workers ?? availableParallelism(),
      force: flags.force === true,
      timeline: flags.timeline === true,
      signal,
      progress: { stream: io.stderr, quiet },
      onFailure: failureReporter(io),
      onWarning: warn,
    }),
  );
  const { comparison, exitCode, left } = outcome;
  for (const warning of comparison?.warnings ?? []) warn(warning);
  if (comparison !== null) await writeComparison(out, comparison);
  if (flags.json === true) {
    if (comparison !== null) {
      io.stdout.write(readableJson({ ...comparison, directory: path.relative('', out) }));
    }
  } else if (!quiet) report(io, experiment, outcome, out);
  if (exitCode === EXIT.interrupted) {
    const kept = outcome.made + outcome.reused;
    io.stderr.write(
      `heshare: interrupted; ${kept} finished runs are kept, ${left} are left: run the same command to go on\n`,
    );
  }
  return exitCode;
}
