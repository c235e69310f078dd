import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { randomStream } from '../../../sim/random.ts';
import type { Peer, PeerCase, PeerRow, ReplayRequest, ReplayResult } from '../peer.ts';
import { readTable } from '../table-file.ts';
import { capacityMilli, fill, RULES } from './fill.ts';
import { rankNodes, readNodes, readPods, readRankedNames } from './inputs.ts';
import { shuffled, tuned } from './tune.ts';

/** Names of recorded runs, with what they were made with. */
const RECORDED: readonly (readonly [file: string, policy: string])[] = [
  ['02-DotProd', 'DotProd'],
  ['03-GpuClustering', 'GpuClustering'],
  ['04-GpuPacking', 'GpuPacking'],
  ['05-BestFit', 'BestFit'],
  ['06-FGD', 'FGD'],
];

async function replay({ policy, inputs, settings }: ReplayRequest): Promise<ReplayResult> {
  const names = inputs.names ?? '';
  const seed = Number(settings.seed);
  const random = (purpose: string) => randomStream(seed, `peer/fgd/${purpose}`);
  let nodes = await readNodes(inputs.cluster as string);
  if (names !== '') nodes = rankNodes(nodes, await readRankedNames(names), names);
  else if (settings.shuffle === true) {
    nodes = shuffled(nodes, random('nodes')).map((node, rank) => ({
      ...node,
      name: `${String(rank).padStart(4, '0')}-${node.name}`,
    }));
  }
  let pods = await readPods(inputs.trace as string);
  const capacity = capacityMilli(nodes);
  const tune = Number(settings.tune);
  if (tune > 0) pods = tuned(pods, capacity, tune, random('tune'));
  if (settings.shuffle === true) pods = shuffled(pods, random('pods'));
  const popularity = Number(settings.popularity);
  const filled = fill(policy, nodes, { pods, popularity, random: random('score') });
  const placed = filled.placements.filter(({ node }) => node !== null).length;
  const used = nodes.flatMap((node) => node.gpuLeftMilli.filter((left) => left < 1000)).length;
  const left = nodes.flatMap((node) => node.gpuLeftMilli).reduce((sum, milli) => sum + milli, 0);
  return {
    jobs: filled.placements.map(({ pod, node, gpus }) => ({
      pod: pod.id,
      node,
      gpu_index: gpus.length === 0 ? null : gpus.join('-'),
    })),
    summary: {
      pods: pods.length,
      placed,
      gpuPercent: (100 * used * 1000) / capacity,
      gpuMilliPercent: (100 * (capacity - left)) / capacity,
      allocatedAt100Percent: 100 * filled.allocatedAt(1),
      allocatedAt130Percent: 100 * filled.allocatedAt(1.3),
    },
  };
}

/** The recorded placements that a folder holds. */
async function recorded(folder: string): Promise<readonly PeerCase[]> {
  const cases: PeerCase[] = [];
  for (const [file, policy] of RECORDED) {
    const placements = join(folder, `small.${file}.placement.csv`);
    if (!existsSync(placements)) continue;
    const rows = await readTable(
      placements,
      ['pod', 'node', 'gpu_index'],
      (row): PeerRow => ({
        pod: row.text('pod'),
        node: row.textOrNull('node'),
        gpu_index: row.textOrNull('gpu_index'),
      }),
    );
    const expected = rows.map(({ item }) => item);
    cases.push({
      peer: 'fgd',
      name: `small ${policy}`,
      policy,
      inputs: {
        trace: join(folder, 'small_pods.csv'),
        cluster: join(folder, 'small_nodes.csv'),
        names: placements,
      },
      settings: {},
      expected: {
        columns: ['pod', 'node', 'gpu_index'],
        rows: expected,
        summary: { placed: expected.filter(({ node }) => node !== null).length },
      },
      tolerance: 0,
      note: '',
    });
  }
  return cases;
}

/** The Kubernetes scheduler simulator of FGD (Weng et al., ATC 2023): pods arrive, none leaves. */
export const fgdPeer: Peer = {
  name: 'fgd',
  title: 'placement of parts of GPUs, FGD and the rules it is compared with',
  source: 'hkust-adsl/kubernetes-scheduler-simulator @8f3d641, Apache-2.0',
  policies: [
    { name: 'FGD', title: 'least growth of expected fragmentation', engine: 'fgd' },
    { name: 'BestFit', title: 'the node with least left, CPU and GPU alike', engine: 'best-fit' },
    { name: 'DotProd', title: 'least dot product of rest and request', engine: 'dot-product' },
    { name: 'GpuPacking', title: 'GPUs in use, then nodes in use', engine: 'gpu-packing' },
    { name: 'GpuClustering', title: 'like tasks together', engine: 'gpu-clustering' },
    { name: 'Random', title: 'any node that fits', engine: 'random-fit' },
  ].filter(({ name }) => name in RULES),
  inputs: [
    {
      name: 'trace',
      format:
        'openb pod list: name,cpu_milli,memory_mib,num_gpu,gpu_milli[,gpu_spec,...], one pod a row',
    },
    { name: 'cluster', format: 'openb node list: sn,cpu_milli,memory_mib,gpu,model' },
    {
      name: 'names',
      format:
        'a table with a column node of names with ranks (0007-openb-node-0001), which decide ties, like a recorded placement; without it names are as in the node list',
      default: '',
    },
  ],
  settings: [
    {
      name: 'tune',
      default: 0,
      min: 0,
      max: 10,
      description:
        'pods are left out or doubled at random until they ask for this part of the GPUs; 0 takes them as they are',
      source: 'workloadTuningConfig.ratio; published runs 1.3',
    },
    {
      name: 'shuffle',
      default: false,
      description: 'random order of pods, and of nodes for ties',
      source: 'shufflePod; published runs true',
    },
    {
      name: 'seed',
      default: 42,
      description:
        'seed of tuning, shuffling and the rule Random (not of the same generator as there)',
      source: 'published runs 42 to 51',
    },
    {
      name: 'popularity',
      default: 0.95,
      min: 0.01,
      max: 1,
      description: 'part of the pods that the typical tasks of FGD cover',
      source: 'typicalPodsConfig.podPopularityThreshold; published 0.95',
    },
  ],
  columns: ['pod', 'node', 'gpu_index'],
  replay,
  recorded,
};
