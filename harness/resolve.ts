import path from 'node:path';
import { resolveOptions } from '../policies/options.ts';
import type { ClusterSpec } from '../sim/cluster/cluster.ts';
import type { ProfileSet } from '../sim/gpu/profile.ts';
import { DEFAULT_REFERENCE_GPU } from '../traces/assign/assign.ts';
import { AUTO_FORMAT, FORMATS, type ImportOptions, traceFiles } from '../traces/formats.ts';
import { generatorLaw } from '../traces/synth/index.ts';
import { resolveAssignment } from './assignment.ts';
import { checkCluster, clusterFromText, scaledCluster } from './clusters.ts';
import { DEFAULTS } from './defaults.ts';
import { fileSha256 } from './file-hash.ts';
import { located, oneOf, type Place } from './located.ts';
import { ALL_POLICIES, allPolicyNames, loadPolicyDefinition } from './policies.ts';
import { defaultLabel, isPolicyFile } from './policy-text.ts';
import { loadProfiles, profilesId } from './profiles.ts';
import type { ResolvedExperiment, ResolvedPolicy, ResolvedWorkload } from './resolved.ts';
import type { InputRecord } from './run-record.ts';
import { refuseMisplaced, shapeOf } from './shape-given.ts';
import { completeSimulation } from './simulation-schema.ts';
import { type ExperimentGiven, type PolicyGiven, SpecProblem, type WorkloadGiven } from './spec.ts';

/** What resolving needs besides the experiment. */
export interface ResolveContext {
  /** Folder that relative paths of the experiment start from. */
  readonly folder: string;
  /** First seed where the experiment says only how many. */
  readonly firstSeed?: number;
}

/** A file as seen from the working folder: what messages and records call it. */
async function inputRecord(folder: string, file: string): Promise<InputRecord> {
  const seen = path.relative('', path.resolve(folder, file));
  return { path: seen, sha256: await fileSha256(seen) };
}

/** A trace's files as seen from the working folder: its own, and those that it is read together with. */
async function traceRecords(
  folder: string,
  trace: string,
  options: ImportOptions,
): Promise<{ readonly file: InputRecord; readonly companions: readonly InputRecord[] }> {
  const files = await traceFiles(path.relative('', path.resolve(folder, trace)), options);
  const [file, ...companions] = files.map(({ path: seen, sha256 }) => ({ path: seen, sha256 }));
  if (file === undefined) throw new RangeError('a trace has a file');
  return { file, companions };
}

/** GPUs of the type that the cluster has most of. */
function largestType(cluster: ClusterSpec): number {
  const counts = new Map<string, number>();
  for (const { gpuType, gpusPerNode, nodes } of cluster.groups) {
    counts.set(gpuType, (counts.get(gpuType) ?? 0) + gpusPerNode * nodes);
  }
  return Math.max(...counts.values());
}

/** A limit as given, null for the word that lifts it, else the usual one. */
function limitOf(given: number | 'none' | undefined, usual: number): number | null {
  return given === 'none' ? null : (given ?? usual);
}

/** Durations are taken as run times on V100s, or on the first type of a cluster without any. */
function defaultReferenceGpu({ groups }: ClusterSpec): string {
  const types = groups.map(({ gpuType }) => gpuType);
  return types.includes(DEFAULT_REFERENCE_GPU) ? DEFAULT_REFERENCE_GPU : (types[0] ?? '');
}

async function resolveWorkload(
  given: WorkloadGiven,
  cluster: ClusterSpec,
  profiles: ProfileSet,
  folder: string,
): Promise<ResolvedWorkload> {
  refuseMisplaced(given);
  const referenceGpu = given.referenceGpu ?? defaultReferenceGpu(cluster);
  await located(['workload', 'referenceGpu'], () => {
    oneOf(
      'gpu type',
      referenceGpu,
      profiles.gpuTypes.map((type) => type.name),
    );
  });
  const assign = await resolveAssignment(given, profiles);
  if (given.trace !== undefined) {
    const format = given.format ?? AUTO_FORMAT;
    await located(['workload', 'format'], () => {
      oneOf('trace format', format, [...FORMATS.keys(), AUTO_FORMAT]);
    });
    const { settings = {} } = given;
    return {
      kind: 'trace',
      ...(await traceRecords(folder, given.trace, { format, settings })),
      format,
      settings,
      maxBadRows: given.maxBadRows ?? null,
      shape: shapeOf(given),
      load: given.load ?? null,
      elastic: given.elastic ?? null,
      referenceGpu,
      assign,
    };
  }
  const synth: NonNullable<WorkloadGiven['synth']> = given.synth ?? {
    generator: DEFAULTS.synth.generator,
  };
  const { ratePerS = null, settings = {} } = synth;
  const maxGpus = limitOf(synth.maxGpus, Math.min(DEFAULTS.synth.maxGpus, largestType(cluster)));
  await located(['workload', 'synth', 'settings'], () => {
    generatorLaw(synth.generator, settings, maxGpus ?? Number.POSITIVE_INFINITY);
  });
  return {
    kind: 'synth',
    generator: synth.generator,
    settings,
    jobs: given.jobs ?? DEFAULTS.jobs,
    maxGpus,
    maxDurationS: limitOf(synth.maxDurationS, DEFAULTS.synth.maxDurationS),
    ratePerS,
    load: given.load ?? (ratePerS === null ? DEFAULTS.load : null),
    elastic: given.elastic ?? null,
    referenceGpu,
    assign,
  };
}

async function resolvePolicy(
  given: PolicyGiven,
  place: Place,
  folder: string,
): Promise<ResolvedPolicy> {
  const file = isPolicyFile(given.name) ? await inputRecord(folder, given.name) : null;
  const definition = await located([...place, 'name'], () =>
    loadPolicyDefinition(given.name, file?.path ?? null),
  );
  const options = await located([...place, 'options'], () =>
    resolveOptions(definition, given.options),
  );
  const { label = defaultLabel(given), profileNoise = 0 } = given;
  return { label, name: definition.name, file, options, profileNoise };
}

function resolveSeeds(given: ExperimentGiven['seeds'], firstSeed: number): number[] {
  const seeds = given ?? DEFAULTS.seeds;
  if (typeof seeds === 'number') return Array.from({ length: seeds }, (_, i) => firstSeed + i);
  const repeated = seeds.find((seed, i) => seeds.indexOf(seed) !== i);
  if (repeated !== undefined) throw new SpecProblem(['seeds'], `seed ${repeated} is listed twice`);
  return [...seeds];
}

function usualPolicies(): readonly PolicyGiven[] {
  return DEFAULTS.policies.map((name) => ({ name, options: {} }));
}

/** The word for all registered policies stands for each of them. */
function expandAll(policy: PolicyGiven): readonly PolicyGiven[] {
  if (policy.name !== ALL_POLICIES) return [policy];
  return allPolicyNames().map((name) => ({ ...policy, name }));
}

function refuseRepeatedLabels(policies: readonly ResolvedPolicy[]): void {
  for (const [i, { label }] of policies.entries()) {
    if (policies.findIndex((other) => other.label === label) < i) {
      throw new SpecProblem(
        ['policies', i],
        `two policies are called '${label}', give one a label of its own`,
      );
    }
  }
}

/**
 * Fills everything in and checks every name. The result is plain data and the same for the same
 * input; nothing of the machine or the time enters.
 * @throws {SpecProblem} on what is wrong in the experiment itself
 * @throws {InputError} on what is wrong in a file that it names
 */
export async function resolveExperiment(
  given: ExperimentGiven,
  { folder, firstSeed = 1 }: ResolveContext,
): Promise<ResolvedExperiment> {
  const profileFiles = await Promise.all(
    (given.profiles ?? []).map((file) => inputRecord(folder, file)),
  );
  const { allowExtrapolated = false } = given;
  const profiles = loadProfiles({ profileFiles, allowExtrapolated });
  const { name: clusterName, groups } = given.cluster ?? clusterFromText(DEFAULTS.cluster);
  const whole = { name: clusterName, groups };
  await located(['cluster'], () => {
    checkCluster(
      whole,
      profiles.gpuTypes.map((type) => type.name),
    );
  });
  const { clusterScale } = given;
  const cluster = clusterScale === undefined ? whole : scaledCluster(whole, clusterScale);
  const workload = await resolveWorkload(given.workload ?? {}, cluster, profiles, folder);
  const asked = (given.policies ?? usualPolicies()).flatMap(expandAll);
  const policies: ResolvedPolicy[] = [];
  for (const [i, policy] of asked.entries()) {
    policies.push(await resolvePolicy(policy, ['policies', i], folder));
  }
  refuseRepeatedLabels(policies);
  const labels = policies.map((policy) => policy.label);
  const [first] = given.policies ?? [];
  const usual = first === undefined || first.name === ALL_POLICIES ? DEFAULTS.reference : labels[0];
  const reference = given.reference ?? usual ?? '';
  await located(['reference'], () => {
    oneOf('reference policy', reference, labels);
  });
  return {
    name: given.name ?? 'experiment',
    workload,
    cluster,
    policies,
    seeds: resolveSeeds(given.seeds, firstSeed),
    reference,
    profileFiles,
    allowExtrapolated,
    profilesId: profilesId({ profileFiles, allowExtrapolated }),
    simulation: completeSimulation(given.simulation ?? {}),
  };
}
