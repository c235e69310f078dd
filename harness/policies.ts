import { policyFromModule } from '../policies/plugin.ts';
import type { PolicyDefinition } from '../policies/policy.ts';
import { makePredictor } from '../policies/predictor.ts';
import { POLICIES, policyNamed } from '../policies/registry.ts';
import { type GpuType, gpuTypeNamed, type ProfileSet } from '../sim/gpu/profile.ts';
import { randomStream } from '../sim/random.ts';
import type { DecisionMaker } from '../sim/view.ts';
import type { ResolvedExperiment, ResolvedPolicy } from './resolved.ts';
import type { PolicyRecord } from './run-record.ts';
import { importUserModule } from './user-module.ts';

/** Word that stands for all registered policies. */
export const ALL_POLICIES = 'all';

/** Names of all registered policies, in the order of the registry. */
export function allPolicyNames(): string[] {
  return POLICIES.map((policy) => policy.name);
}

/** A registered policy, or the one that a user's file exports, ready to be created. */
export async function loadPolicyDefinition(
  name: string,
  file: string | null,
): Promise<PolicyDefinition> {
  const definition =
    file === null ? policyNamed(name) : policyFromModule(await importUserModule(file), file);
  await definition.prepare?.();
  return definition;
}

/** GPU types of a cluster, numbered as the simulator numbers them. */
function clusterTypes(experiment: ResolvedExperiment, profiles: ProfileSet): GpuType[] {
  const names = new Set(experiment.cluster.groups.map((group) => group.gpuType));
  return [...names].map((name) => gpuTypeNamed(profiles, name));
}

/** GPUs of the largest node of each of these types. */
function largestNodes(experiment: ResolvedExperiment, types: readonly GpuType[]): number[] {
  const { groups } = experiment.cluster;
  return types.map(({ name }) =>
    Math.max(...groups.filter((g) => g.gpuType === name).map((g) => g.gpusPerNode)),
  );
}

/** A policy that is ready for one run, with nothing left over from another. */
export function createPolicy(
  definition: PolicyDefinition,
  policy: ResolvedPolicy,
  seed: number,
  experiment: ResolvedExperiment,
  profiles: ProfileSet,
): DecisionMaker {
  const types = clusterTypes(experiment, profiles);
  const predictor = makePredictor({
    profiles,
    types,
    gpusPerNode: largestNodes(experiment, types),
    information: definition.profile,
    noise: policy.profileNoise,
    random: randomStream(seed, `predictor/${definition.name}`),
    switchingLoss: experiment.simulation.switchingLoss,
  });
  return definition.create(policy.options, {
    cluster: experiment.cluster,
    profiles,
    predictor,
    random: randomStream(seed, `policy/${definition.name}`),
    tariff: experiment.simulation,
  });
}

/** What a policy is and is told, for `run.json`. */
export function policyRecord(
  definition: PolicyDefinition,
  policy: ResolvedPolicy,
  ready: DecisionMaker,
): PolicyRecord {
  const { name, title, source, faithfulness, profile } = definition;
  const { duration, durationNoise } = ready.information;
  const { profileNoise } = policy;
  const information = { duration, durationNoise, profile, profileNoise };
  return { name, title, source, faithfulness, information };
}
