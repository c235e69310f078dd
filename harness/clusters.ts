import type { ClusterSpec, NodeGroupSpec } from '../sim/cluster/cluster.ts';
import { nearest } from '../sim/errors.ts';

/** Clusters that can be asked for by name. */
export const CLUSTER_PRESETS: readonly (ClusterSpec & { readonly description: string })[] = [
  {
    name: 'small',
    description: 'eight nodes of four GPUs, three generations: the default',
    groups: [
      { gpuType: 'V100', gpusPerNode: 4, nodes: 4 },
      { gpuType: 'P100', gpusPerNode: 4, nodes: 2 },
      { gpuType: 'A40', gpusPerNode: 4, nodes: 2 },
    ],
  },
  {
    name: 'mixed512',
    description: '512 GPUs of three generations in nodes of eight',
    groups: [
      { gpuType: 'V100', gpusPerNode: 8, nodes: 32 },
      { gpuType: 'P100', gpusPerNode: 8, nodes: 16 },
      { gpuType: 'A40', gpusPerNode: 8, nodes: 16 },
    ],
  },
  {
    name: 'philly-like',
    description:
      'the machine list of the Philly trace: 321 nodes of two GPUs and 231 of eight; it does not name its GPU types, P100 and V100 stand for them',
    groups: [
      { gpuType: 'P100', gpusPerNode: 2, nodes: 321 },
      { gpuType: 'V100', gpusPerNode: 8, nodes: 231 },
    ],
  },
];

/** What is wrong with a cluster, for a caller that knows where it was written. */
export class ClusterProblem extends Error {
  override readonly name = 'ClusterProblem';
}

function parseGroup(text: string): NodeGroupSpec {
  const match = /^\s*(\d+)\s*x\s*(\d+)\s*:\s*(\S+)\s*$/i.exec(text);
  if (match === null) {
    throw new ClusterProblem(
      `'${text.trim()}' is no cluster: expected a preset (${presetNames().join(', ')}) or nodes x gpus : type, like 16x8:V100,16x8:P100`,
    );
  }
  const [, nodes, gpusPerNode, gpuType] = match as unknown as [string, string, string, string];
  return { gpuType, gpusPerNode: Number(gpusPerNode), nodes: Number(nodes) };
}

/** Names of the presets. */
export function presetNames(): string[] {
  return CLUSTER_PRESETS.map((preset) => preset.name);
}

/**
 * A cluster from a word: the name of a preset, or groups `NODESxGPUS:TYPE` joined by commas.
 * @throws {ClusterProblem} when it is neither
 */
export function clusterFromText(text: string): ClusterSpec {
  const preset = CLUSTER_PRESETS.find(({ name }) => name === text.trim());
  if (preset !== undefined) return { name: preset.name, groups: preset.groups };
  if (!text.includes(':')) {
    const near = nearest(text, presetNames());
    if (near !== null) {
      throw new ClusterProblem(`unknown cluster '${text}', did you mean '${near}'?`);
    }
  }
  return { name: text.trim(), groups: text.split(',').map(parseGroup) };
}

/**
 * Checks counts and type names.
 * @throws {ClusterProblem} naming the first group that is wrong
 */
export function checkCluster(cluster: ClusterSpec, gpuTypes: readonly string[]): void {
  if (cluster.groups.length === 0) throw new ClusterProblem('the cluster has no nodes');
  for (const { gpuType, gpusPerNode, nodes } of cluster.groups) {
    if (!gpuTypes.includes(gpuType)) {
      const near = nearest(gpuType, gpuTypes);
      const hint = near === null ? `known are ${gpuTypes.join(', ')}` : `did you mean '${near}'?`;
      throw new ClusterProblem(`unknown gpu type '${gpuType}', ${hint}`);
    }
    for (const [name, count] of [
      ['nodes', nodes],
      ['gpus per node', gpusPerNode],
    ] as const) {
      if (!Number.isSafeInteger(count) || count < 1) {
        throw new ClusterProblem(
          `${name} of ${gpuType} is ${count}, expected a whole number of at least 1`,
        );
      }
    }
  }
}

/** GPUs of a cluster. */
export function gpuCount(cluster: ClusterSpec): number {
  return cluster.groups.reduce((sum, { gpusPerNode, nodes }) => sum + gpusPerNode * nodes, 0);
}

/**
 * A cluster with every group's nodes times a factor, rounded, at least one: the mix of GPU types stays as
 * far as whole nodes allow. Its name says the factor.
 */
export function scaledCluster({ name, groups }: ClusterSpec, factor: number): ClusterSpec {
  return {
    name: `${name} x ${factor}`,
    groups: groups.map((group) => ({
      ...group,
      nodes: Math.max(1, Math.round(group.nodes * factor)),
    })),
  };
}
