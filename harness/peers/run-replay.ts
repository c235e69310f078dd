import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { contentId, readableJson } from '../canonical.ts';
import { fileSha256 } from '../file-hash.ts';
import { packageVersion } from '../program.ts';
import { replaceFile } from '../run-directory.ts';
import type { Peer, PeerRow, ReplayRequest, ReplayResult } from './peer.ts';

/** What a replay was made of, as it is kept beside its output. */
export interface ReplayRecord {
  readonly peer: string;
  readonly source: string;
  readonly policy: string;
  /** As given; of a file also what it held. */
  readonly inputs: Readonly<Record<string, { readonly given: string; readonly sha256?: string }>>;
  readonly settings: ReplayRequest['settings'];
  readonly heshare: string;
}

export interface FinishedReplay {
  readonly record: ReplayRecord;
  readonly result: ReplayResult;
}

/** Files that a replay leaves. */
export const REPLAY_FILES = ['jobs.csv', 'summary.json', 'run.json'] as const;

async function inputRecords(inputs: ReplayRequest['inputs']): Promise<ReplayRecord['inputs']> {
  const entries = await Promise.all(
    Object.entries(inputs).map(async ([name, given]) => {
      const isFile = statSync(given, { throwIfNoEntry: false })?.isFile() === true;
      const held = isFile ? { sha256: await fileSha256(given) } : {};
      return [name, { given, ...held }] as const;
    }),
  );
  return Object.fromEntries(entries);
}

/** Replays one input. @throws {InputError} on what is wrong with it */
export async function runReplay(peer: Peer, request: ReplayRequest): Promise<FinishedReplay> {
  const result = await peer.replay(request);
  const record = {
    peer: peer.name,
    source: peer.source,
    policy: request.policy,
    inputs: await inputRecords(request.inputs),
    settings: request.settings,
    heshare: packageVersion(),
  };
  return { record, result };
}

/** Name of the folder of a replay below those of runs: the same replay has the same. */
export function replayFolder({ record }: FinishedReplay): string {
  const { peer, policy, inputs, settings } = record;
  const held = Object.values(inputs).map(({ given, sha256 }) => sha256 ?? given);
  return `${peer}-${policy}-${contentId([peer, policy, held, settings])}`;
}

/** Rows as CSV, in the columns of the peer. */
export function rowsCsv(columns: readonly string[], rows: readonly PeerRow[]): string {
  const cells = rows.map((row) => columns.map((column) => row[column] ?? ''));
  return stringify([[...columns], ...cells]);
}

/** Writes the files of a replay into a folder, which may exist. */
export function writeReplay(out: string, peer: Peer, { record, result }: FinishedReplay): void {
  mkdirSync(out, { recursive: true });
  replaceFile(path.join(out, 'jobs.csv'), rowsCsv(peer.columns, result.jobs));
  replaceFile(path.join(out, 'summary.json'), readableJson(result.summary));
  replaceFile(path.join(out, 'run.json'), readableJson(record));
}
