import { existsSync } from 'node:fs';
import path from 'node:path';
import { InputError } from '../../sim/errors.ts';
import { type CaseOutcome, checkCase } from './check-case.ts';
import type { Peer } from './peer.ts';

/** Folder of recorded cases below that of downloaded data. */
const CASES_FOLDER = 'peer-cases';

/**
 * Where recorded cases are: the folder that is given, else that of the downloaded data.
 * @throws {InputError} when neither is given, or there is no such folder
 */
export function casesFolder(given: string | null, dataFolder: string | null): string {
  if (given === null && dataFolder === null) {
    const detail = 'no recorded cases: give their folder with --cases, or set HESHARE_DATA';
    throw new InputError('peers', null, null, detail);
  }
  const folder = given ?? path.join(dataFolder ?? '', CASES_FOLDER);
  if (existsSync(folder)) return folder;
  throw new InputError(folder, null, null, 'no such folder of recorded cases');
}

/** Replays the cases that a folder holds, peer by peer; a peer without a folder of its own has none. */
export async function checkRecorded(
  peers: readonly Peer[],
  folder: string,
  dataFolder: string | null,
): Promise<readonly CaseOutcome[]> {
  const outcomes: CaseOutcome[] = [];
  for (const peer of peers) {
    for (const recorded of await peer.recorded(path.join(folder, peer.name))) {
      outcomes.push(await checkCase(peer, recorded, dataFolder));
    }
  }
  return outcomes;
}
