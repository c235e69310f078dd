import type { Command } from 'commander';
import { EXIT } from '../harness/failure.ts';
import { threeDigits } from '../harness/metrics.ts';
import type { CaseOutcome } from '../harness/peers/check-case.ts';
import type { Peer } from '../harness/peers/peer.ts';
import { casesFolder, checkRecorded } from '../harness/peers/recorded-cases.ts';
import { PEERS } from '../harness/peers/registry.ts';
import { type CommonFlags, columns, commandWith, NO_SEED_HELP, present } from './common.ts';
import type { Io } from './io.ts';
import { named } from './unknown.ts';

interface PeersFlags extends CommonFlags {
  readonly cases?: string;
  readonly formats?: true;
}

function numberText(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toFixed(6)));
}

function differenceText({ worst, error }: CaseOutcome): string {
  if (error !== null) return 'failed';
  if (worst === 0) return '0';
  return worst === Infinity ? 'a row' : `${threeDigits(100 * worst)} %`;
}

function verdict({ equal, tolerance }: CaseOutcome): string {
  if (tolerance === null) return 'shown';
  if (tolerance === 0) return equal ? 'yes' : 'NO';
  return `${equal ? 'within' : 'NOT within'} ${100 * tolerance} %`;
}

function outcomeRow(outcome: CaseOutcome): readonly string[] {
  const { peer, name, rows, rowsDiffering, figures } = outcome;
  const first = figures.find(({ name: figure }) => /^avg/i.test(figure)) ?? figures[0];
  return [
    peer,
    name,
    rows === 0 ? '' : `${rows - rowsDiffering}/${rows}`,
    first?.name ?? '',
    first === undefined ? '' : numberText(first.ours),
    first === undefined ? '' : numberText(first.theirs),
    differenceText(outcome),
    verdict(outcome),
  ];
}

/** Cases whose result must be theirs and is not. */
function failedCases(outcomes: readonly CaseOutcome[]): readonly CaseOutcome[] {
  return outcomes.filter(({ equal, tolerance, error }) =>
    tolerance === null ? error !== null : !equal,
  );
}

function outcomesText(outcomes: readonly CaseOutcome[]): string {
  const head = ['peer', 'case', 'rows', 'figure', 'ours', 'theirs', 'difference', 'equal'];
  const failed = failedCases(outcomes);
  const errors = failed.filter(({ error }) => error !== null);
  const notes = new Set(outcomes.map(({ note }) => note).filter((note) => note !== ''));
  return [
    columns([head, ...outcomes.map(outcomeRow)]),
    ...errors.map(({ peer, name, error }) => `${peer}, ${name}: ${error}`),
    ...[...notes].map((note) => `note: ${note}`),
    `${outcomes.length} recorded cases, ${outcomes.length - failed.length} as they should be\n`,
  ].join('\n');
}

function peerText(peer: Peer): string {
  const rows = [
    ...peer.inputs.map(({ name, format }) => ['input', name, format]),
    ...peer.settings.map(({ name, description, default: usual }) => [
      'setting',
      name,
      `${description} (${String(usual)})`,
    ]),
    ...peer.policies.map(({ name, title }) => ['policy', name, title]),
  ];
  return `${peer.name}: ${peer.title}\n${peer.source}\n\n${columns(rows)}`;
}

/**
 * `heshare peers [NAME]`: replays the recorded cases of other simulators and compares; with `--formats`
 * what each reads instead. A case that must be equal and is not ends with exit code 1.
 */
export function addPeers(parent: Command, io: Io, exit: (code: number) => void): void {
  const command = commandWith(parent, 'peers [name]', {
    help: 'replay the recorded cases of other simulators, and compare',
    outHelp: 'also write the JSON document to a file in this folder',
    seedHelp: NO_SEED_HELP,
  });
  command
    .option('--cases <dir>', 'folder of recorded cases (default: peer-cases in HESHARE_DATA)')
    .option('--formats', 'policies, inputs and settings of each instead, for heshare run --peer')
    .action(async (name: string | undefined, flags: PeersFlags) => {
      const peers = name === undefined ? PEERS : [named('peer', PEERS, name)];
      if (flags.formats === true) {
        present(io, flags, 'peers', peers, () => peers.map(peerText).join('\n'));
        return;
      }
      const dataFolder = io.env.HESHARE_DATA ?? null;
      const folder = casesFolder(flags.cases ?? null, dataFolder);
      const outcomes = await checkRecorded(peers, folder, dataFolder);
      present(io, flags, 'peers', outcomes, () => outcomesText(outcomes));
      if (failedCases(outcomes).length > 0) exit(EXIT.fault);
    });
}
