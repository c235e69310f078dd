import type { Command } from 'commander';
import { loadExperimentFile } from '../harness/load.ts';
import { commandWith } from './common.ts';
import { asFlagError, runHelp } from './compare.ts';
import {
  type ExperimentFlags,
  experimentFromFlags,
  withExperimentOptions,
} from './experiment-flags.ts';
import type { Io } from './io.ts';
import { type LaunchFlags, launch, withLaunchOptions } from './launch.ts';

/** `heshare run FILE`: an experiment file, parts of which options may replace. */
export function addRun(parent: Command, io: Io, exit: (code: number) => void): void {
  const command = commandWith(
    parent,
    'run <file>',
    runHelp('run an experiment file (YAML); options replace what it says'),
  );
  withLaunchOptions(withExperimentOptions(command)).action(
    async (file: string, flags: ExperimentFlags & LaunchFlags) => {
      const context = flags.seed === undefined ? {} : { firstSeed: flags.seed };
      const { experiment, output } = await loadExperimentFile(
        file,
        experimentFromFlags(flags),
        context,
      ).catch((error: unknown) => {
        throw asFlagError(error);
      });
      exit(await launch(io, experiment, flags, output));
    },
  );
}
