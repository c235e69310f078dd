import type { Command } from 'commander';
import { resolveExperiment } from '../harness/resolve.ts';
import { type CommandHelp, commandWith } from './common.ts';
import {
  asFlagError,
  type ExperimentFlags,
  experimentFromFlags,
  withExperimentOptions,
} from './experiment-flags.ts';
import type { Io } from './io.ts';
import { type LaunchFlags, launch, withLaunchOptions } from './launch.ts';

/** The help of a command that runs experiments. */
export function runHelp(help: string): CommandHelp {
  const outHelp = 'folder for the runs and the comparison (default: below runs/)';
  return { help, outHelp, seedHelp: 'first seed, where --seeds is a number (default: 1)' };
}

/** `heshare compare`: policies and seeds on one workload and cluster. */
export function addCompare(parent: Command, io: Io, exit: (code: number) => void): void {
  const command = commandWith(
    parent,
    'compare',
    runHelp('compare policies on one workload and cluster; needs no file and no network'),
  );
  withLaunchOptions(withExperimentOptions(command)).action(
    async (flags: ExperimentFlags & LaunchFlags) => {
      const given = { name: 'compare', ...experimentFromFlags(flags) };
      const experiment = await resolveExperiment(given, {
        folder: process.cwd(),
        ...(flags.seed === undefined ? {} : { firstSeed: flags.seed }),
      }).catch((error: unknown) => {
        throw asFlagError(error);
      });
      exit(await launch(io, experiment, flags, null));
    },
  );
}
