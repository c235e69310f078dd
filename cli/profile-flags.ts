import path from 'node:path';
import type { Command } from 'commander';
import { threeDigits } from '../harness/metrics.ts';
import { countTerms } from '../harness/profile-record.ts';
import { loadProfiles } from '../harness/profiles.ts';
import type { ProfileSet, ProvenanceTable } from '../sim/gpu/profile.ts';
import { type CommonFlags, repeatable } from './common.ts';

/** Options of the commands that show profiles. */
export interface ProfileFlags extends CommonFlags {
  readonly profiles?: readonly string[];
  readonly allowExtrapolated?: true;
}

/** Adds the options of the commands that show profiles. */
export function withProfileOptions(command: Command): Command {
  return command
    .option('--profiles <file>', 'profiles of your own, on top of those shipped', repeatable)
    .option('--allow-extrapolated', 'also profiles without a measurement on their GPU type');
}

/** The profiles that the options ask for. */
export function profilesFromFlags({ profiles = [], allowExtrapolated }: ProfileFlags): ProfileSet {
  const profileFiles = profiles.map((file) => ({ path: path.resolve(file), sha256: '' }));
  return loadProfiles({ profileFiles, allowExtrapolated: allowExtrapolated === true });
}

/** `6 fitted, 3 assumed`: where the numbers of a profile or GPU type come from. */
export function provenanceText(holder: { readonly provenance: ProvenanceTable }): string {
  const counts = Object.entries(countTerms(holder)).sort(([, a], [, b]) => b - a);
  return counts.map(([kind, count]) => `${count} ${kind}`).join(', ');
}

/** Where each number comes from and how far off it is where that was checked, a line a field. */
export function provenanceRows(provenance: ProvenanceTable): string[][] {
  return Object.entries(provenance).map(([field, { kind, source, error }]) => [
    field === '*' ? 'all else' : field,
    kind,
    error === undefined ? '-' : `${threeDigits(100 * error)} %`,
    source,
  ]);
}
