import { existsSync } from 'node:fs';
import path from 'node:path';
import { resolveOptions } from '../../policies/options.ts';
import { InputError, nearest } from '../../sim/errors.ts';
import type { Peer, PeerInput, ReplayRequest } from './peer.ts';

/** What a replay is asked for, before it is checked. */
export interface RequestGiven {
  readonly policy: string;
  /** Inputs by name; those that are left out get their defaults. */
  readonly inputs: Readonly<Record<string, string>>;
  /** Settings and further inputs, as `--set NAME=VALUE` gives them. */
  readonly settings: Readonly<Record<string, number | string | boolean>>;
}

function unknownName(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === null ? `expected one of: ${known.join(', ')}` : `did you mean '${near}'?`;
}

/** What is taken for an input that is not given. */
function usualInput({ data, default: usual }: PeerInput, dataFolder: string | null) {
  if (data === undefined || dataFolder === null) return usual;
  const file = path.join(dataFolder, data);
  return existsSync(file) ? file : usual;
}

/**
 * Checks names and fills defaults in.
 * @param dataFolder of downloaded data; null for none
 * @throws {InputError} naming the option of the command line at fault
 */
export function replayRequest(
  peer: Peer,
  given: RequestGiven,
  dataFolder: string | null = null,
): ReplayRequest {
  const names = peer.policies.map((policy) => policy.name);
  if (!names.includes(given.policy)) {
    const hint = unknownName(given.policy, names);
    const detail = `peer '${peer.name}' has no policy '${given.policy}', ${hint}`;
    throw new InputError('--policy', null, null, detail);
  }
  const inputs: Record<string, string> = {};
  for (const input of peer.inputs) {
    const { name } = input;
    const value = given.inputs[name] ?? given.settings[name] ?? usualInput(input, dataFolder);
    if (value === undefined) {
      const flag = flagOf(name);
      throw new InputError(flag, null, null, `peer '${peer.name}' needs it: ${flag} FILE`);
    }
    inputs[name] = String(value);
  }
  for (const name of Object.keys(given.inputs)) {
    if (inputs[name] !== undefined) continue;
    const detail = `peer '${peer.name}' reads no '${name}'`;
    throw new InputError(flagOf(name), null, null, detail);
  }
  const settings = Object.fromEntries(
    Object.entries(given.settings).filter(([name]) => inputs[name] === undefined),
  );
  const known = [...peer.settings.map((setting) => setting.name), ...Object.keys(inputs)];
  const strange = Object.keys(settings).find((name) => !known.includes(name));
  if (strange !== undefined) {
    const hint = unknownName(strange, known);
    const detail = `peer '${peer.name}' has no setting '${strange}', ${hint}`;
    throw new InputError('--set', null, null, detail);
  }
  try {
    const resolved = resolveOptions({ name: peer.name, options: peer.settings }, settings, 'peer');
    return { policy: given.policy, inputs, settings: resolved };
  } catch (error) {
    throw new InputError('--set', null, null, (error as Error).message);
  }
}

/** The option of the command line that gives an input. */
export function flagOf(input: string): string {
  return input === 'trace' || input === 'cluster' ? `--${input}` : `--set ${input}=FILE`;
}

/** `NAME=VALUE` pairs as a mapping of texts. @throws {InputError} on a pair without a name */
export function settingsOf(pairs: readonly string[]): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const pair of pairs) {
    const equals = pair.indexOf('=');
    if (equals < 1)
      throw new InputError('--set', null, null, `expected key=value, found '${pair}'`);
    settings[pair.slice(0, equals)] = pair.slice(equals + 1);
  }
  return settings;
}
