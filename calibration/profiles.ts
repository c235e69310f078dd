import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { nearest } from '../sim/errors.ts';
import type {
  GpuType,
  PairMeasurement,
  ProfileSet,
  Workload,
  WorkloadProfile,
} from '../sim/gpu/profile.ts';
import { parsePairTable } from './pair-table.ts';
import { profileFileSchema } from './profile-schema.ts';
import { parseShipped } from './shipped-file.ts';
import { type ErrorAt, readYamlSource } from './yaml.ts';

export interface ShippedOptions {
  /** Also profiles that were carried over to a GPU type by rule, without any measurement there. */
  readonly allowExtrapolated?: boolean;
}

/** Profiles of a user's file, with all defaults filled in. */
export interface UserProfiles extends ProfileSet {
  readonly file: string;
  /** An error about a part of the file, with its line and column. */
  readonly errorAt: ErrorAt;
}

const SHIPPED_FOLDER = new URL('./profiles/', import.meta.url);

/**
 * The profiles that come with the program, sorted by name: GPU types (all), workloads with their
 * fitted profiles, measured pairs. Extrapolated profiles are left out unless asked for.
 */
export function loadShippedProfiles(options: ShippedOptions = {}): ProfileSet {
  const gpuTypes: GpuType[] = [];
  const workloads: Workload[] = [];
  const pairs: PairMeasurement[] = [];
  for (const folder of ['gpus', 'workloads', 'pairs']) {
    const path = fileURLToPath(new URL(`${folder}/`, SHIPPED_FOLDER));
    const files = readdirSync(path).filter((file) => file.endsWith('.json'));
    for (const file of files.sort()) {
      const text = readFileSync(`${path}${file}`, 'utf8');
      if (folder === 'pairs') {
        pairs.push(...parsePairTable(text));
        continue;
      }
      const content = parseShipped(text);
      gpuTypes.push(...content.gpus);
      workloads.push(...content.workloads);
    }
  }
  gpuTypes.sort(byName);
  workloads.sort(byName);
  if (options.allowExtrapolated === true) return { gpuTypes, workloads, pairs };
  return { gpuTypes, workloads: workloads.flatMap(withoutExtrapolated), pairs };
}

const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name < b.name ? -1 : 1;

/** True when the time or power model of a profile rests on no measurement on its GPU type. */
export function isExtrapolated(profile: WorkloadProfile): boolean {
  return ['*', 'time', 'power'].some((field) => profile.provenance[field]?.kind === 'extrapolated');
}

function withoutExtrapolated(workload: Workload): Workload[] {
  const kept = Object.entries(workload.onGpu).filter(([, profile]) => !isExtrapolated(profile));
  return kept.length === 0 ? [] : [{ ...workload, onGpu: Object.fromEntries(kept) }];
}

/**
 * Reads a user's profile file (YAML or JSON), checks it and fills in what was left out.
 *
 * @throws {InputError} with file, line, column, what was found and what was expected
 */
export function readProfilesFile(path: string): UserProfiles {
  const source = readYamlSource(path, profileFileSchema(path));
  const { gpus, workloads, pairs } = source.value;
  return { gpuTypes: gpus, workloads, pairs, file: path, errorAt: source.errorAt };
}

/**
 * A set of profiles with a user's added. A GPU type or a pair that is in both is the user's; of a
 * workload that is in both, the user's description and profiles win and the other GPU types remain.
 *
 * @throws {InputError} when the file names a GPU type or a workload that neither has
 */
export function mergeProfiles(base: ProfileSet, user: UserProfiles): ProfileSet {
  const gpuTypes = replaceByName(base.gpuTypes, user.gpuTypes, (_old, added) => added);
  const workloads = replaceByName(base.workloads, user.workloads, (old, added) => ({
    ...added,
    onGpu: { ...old.onGpu, ...added.onGpu },
  }));
  checkGpuTypes(user, new Set(gpuTypes.map(({ name }) => name)));
  checkPairs(user, gpuTypes, workloads);
  const given = new Set(user.pairs.map(pairKey));
  const kept = base.pairs.filter((pair) => !given.has(pairKey(pair)));
  return { gpuTypes, workloads, pairs: [...kept, ...user.pairs] };
}

function replaceByName<T extends { readonly name: string }>(
  base: readonly T[],
  added: readonly T[],
  merge: (old: T, added: T) => T,
): T[] {
  const byName = new Map(base.map((item) => [item.name, item]));
  for (const item of added) {
    const old = byName.get(item.name);
    byName.set(item.name, old === undefined ? item : merge(old, item));
  }
  return [...byName.values()];
}

function checkGpuTypes(user: UserProfiles, known: ReadonlySet<string>): void {
  user.workloads.forEach((workload, i) => {
    for (const gpuType of Object.keys(workload.onGpu)) {
      if (!known.has(gpuType)) {
        const detail = unknown('gpu type', gpuType, known);
        throw user.errorAt(['workloads', i, 'onGpu', gpuType], detail, true);
      }
    }
  });
}

function checkPairs(
  user: UserProfiles,
  gpuTypes: readonly GpuType[],
  workloads: readonly Workload[],
): void {
  const knownGpus = new Set(gpuTypes.map(({ name }) => name));
  const knownWorkloads = new Set(workloads.map(({ name }) => name));
  user.pairs.forEach((pair, i) => {
    if (!knownGpus.has(pair.gpuType)) {
      const detail = unknown('gpu type', pair.gpuType, knownGpus);
      throw user.errorAt(['pairs', i, 'gpuType'], detail);
    }
    pair.workloads.forEach((name, k) => {
      if (knownWorkloads.has(name)) return;
      throw user.errorAt(['pairs', i, 'workloads', k], unknown('workload', name, knownWorkloads));
    });
  });
}

function unknown(what: string, name: string, known: ReadonlySet<string>): string {
  const near = nearest(name, known);
  const hint =
    near === null ? `expected one of: ${[...known].sort().join(', ')}` : `did you mean '${near}'?`;
  return `unknown ${what} '${name}', ${hint}`;
}

/** The same for both orders of a pair. */
function pairKey(pair: PairMeasurement): string {
  return JSON.stringify([pair.gpuType, ...[...pair.workloads].sort()]);
}
