import type { Command } from 'commander';
import { loadExperimentFile } from '../harness/load.ts';
import { InputError } from '../sim/errors.ts';
import { commandWith } from './common.ts';
import { runHelp } from './compare.ts';
import { asFlagError, experimentFromFlags, withExperimentOptions } from './experiment-flags.ts';
import type { Io } from './io.ts';
import { launch, withLaunchOptions } from './launch.ts';
import { type PeerFlags, runPeer, withPeerOptions } from './run-peer.ts';

/**
 * `heshare run FILE`: an experiment file, parts of which options may replace; `heshare run --peer NAME`:
 * a replay of another simulator.
 */
export function addRun(parent: Command, io: Io, exit: (code: number) => void): void {
  const command = commandWith(
    parent,
    'run [file]',
    runHelp(
      'run an experiment file (YAML); options replace what it says; with --peer, replay another simulator',
    ),
  );
  withPeerOptions(withLaunchOptions(withExperimentOptions(command))).action(
    async (file: string | undefined, { peer, set, ...flags }: PeerFlags) => {
      if (peer !== undefined) {
        if (file !== undefined) {
          throw new InputError(file, null, null, 'is an experiment; --peer reads --trace instead');
        }
        await runPeer(io, peer, { ...flags, ...(set === undefined ? {} : { set }) });
        return;
      }
      if (file === undefined) {
        const detail = 'needs an experiment file, or --peer NAME with --trace and --policy';
        throw new InputError('run', null, null, detail);
      }
      if (set !== undefined) throw new InputError('--set', null, null, 'goes with --peer only');
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
