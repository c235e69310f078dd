import path from 'node:path';
import type { Command } from 'commander';
import { readableJson } from '../harness/canonical.ts';
import { DEFAULTS } from '../harness/defaults.ts';
import { PEERS } from '../harness/peers/registry.ts';
import { replayRequest, settingsOf } from '../harness/peers/request.ts';
import { REPLAY_FILES, replayFolder, runReplay, writeReplay } from '../harness/peers/run-replay.ts';
import { InputError } from '../sim/errors.ts';
import { columns, repeatable } from './common.ts';
import type { ExperimentFlags } from './experiment-flags.ts';
import type { Io } from './io.ts';
import type { LaunchFlags } from './launch.ts';
import { named } from './unknown.ts';

/** Options of a replay, among those of an experiment. */
export interface PeerFlags extends ExperimentFlags, LaunchFlags {
  readonly peer?: string;
  readonly set?: readonly string[];
}

/** Options of an experiment that a replay takes as well. */
const SHARED: readonly string[] = [
  'trace',
  'cluster',
  'policy',
  'peer',
  'set',
  'out',
  'json',
  'quiet',
  'seed',
  'workers',
];

/** Adds the options of a replay. */
export function withPeerOptions(command: Command): Command {
  return command
    .option(
      '--peer <name>',
      'replay another simulator on input in its own format, see heshare peers --formats',
    )
    .option(
      '--set <key=value>',
      'setting or further input of the peer, like pairs=FILE',
      repeatable,
    );
}

/** The one policy of a replay. @throws {InputError} when none or several are given */
function policyOf(peer: string, policies: readonly string[] = []): string {
  const [policy, second] = policies;
  if (policy !== undefined && second === undefined) return policy;
  const found = policy === undefined ? 'none' : policies.join(', ');
  const detail = `a replay of '${peer}' needs one policy, found ${found}; see heshare peers ${peer} --formats`;
  throw new InputError('--policy', null, null, detail);
}

function refuseOptionsOfExperiments(flags: PeerFlags): void {
  const strange = Object.keys(flags).find((name) => !SHARED.includes(name));
  if (strange === undefined) return;
  const flag = `--${strange.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  throw new InputError(flag, null, null, 'does not go with --peer');
}

/**
 * `heshare run --peer NAME`: any input in the format of a peer through its replay; leaves jobs.csv and
 * summary.json in the terms of the peer.
 */
export async function runPeer(io: Io, name: string, flags: PeerFlags): Promise<void> {
  const peer = named('peer', PEERS, name);
  refuseOptionsOfExperiments(flags);
  const { trace, cluster, set = [] } = flags;
  const given = {
    policy: policyOf(name, flags.policy),
    inputs: {
      ...(trace === undefined ? {} : { trace }),
      ...(cluster === undefined ? {} : { cluster }),
    },
    settings: settingsOf(set),
  };
  const request = replayRequest(peer, given, io.env.HESHARE_DATA ?? null);
  const finished = await runReplay(peer, request);
  const out = flags.out ?? path.join(DEFAULTS.output, replayFolder(finished));
  writeReplay(out, peer, finished);
  const { record, result } = finished;
  if (flags.json === true) {
    io.stdout.write(readableJson({ ...record, summary: result.summary, directory: out }));
  } else if (flags.quiet !== true) {
    const rows = Object.entries(result.summary).map(([figure, value]) => [figure, String(value)]);
    io.stdout.write(
      `${peer.title}, ${request.policy}: ${result.jobs.length} rows\n${columns(rows)}` +
        `files: ${out}/ (${REPLAY_FILES.join(', ')})\n`,
    );
  }
}
