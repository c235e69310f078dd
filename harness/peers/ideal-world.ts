import type {
  GpuType,
  ProfileSet,
  ProvenanceTable,
  WorkloadProfile,
} from '../../sim/gpu/profile.ts';
import type { JobSpec } from '../../sim/job.ts';
import { DEFAULT_SIMULATION_OPTIONS } from '../../sim/options.ts';
import type { SimulationConfig } from '../../sim/state.ts';

/** Name of the one GPU type, and of the one workload, of a world in which nothing costs anything. */
export const IDEAL = 'ideal';

const PROVENANCE: ProvenanceTable = {
  '*': { kind: 'assumed', source: 'the GPU of a simulator without physics' },
};

const IDEAL_GPU: GpuType = {
  name: IDEAL,
  memoryGib: 1,
  memoryBandwidthGBps: 1,
  smCount: 1,
  referenceClockMhz: 1000,
  clocksMhz: [1000],
  referenceMemoryClockMhz: 1000,
  powerLimitW: { min: 1, default: 1, max: 1 },
  idlePowerW: 0,
  contextPowerW: 0,
  contextClockW: 0,
  sleepPowerW: 0,
  wakeS: 0,
  voltage: { knee: 1, slope: 0 },
  mpsClientLimit: 48,
  clockTransitionS: 0,
  migSlices: [],
  provenance: PROVENANCE,
};

const IDEAL_PROFILE: WorkloadProfile = {
  workload: IDEAL,
  gpuType: IDEAL,
  time: { hostS: 0, memoryS: 0, coreS: 1, q: 1 },
  power: { memoryW: 0, coreW: 0 },
  capFraction: 1,
  memoryGib: 0,
  smDemand: 1,
  bandwidthDemand: 0,
  interference: { sensitivity: 0, aggressiveness: 0 },
  startS: 0,
  restartS: 0,
  checkpointS: 0,
  scaling: { withinNode: 1, acrossNodes: 1 },
  provenance: PROVENANCE,
  fitError: null,
};

/** Profiles of the ideal GPU: every job runs at speed 1 wherever it is placed, and draws no power. */
export const IDEAL_PROFILES: ProfileSet = {
  gpuTypes: [IDEAL_GPU],
  workloads: [
    {
      name: IDEAL,
      kind: 'training',
      batchSize: 1,
      description: 'a job of a simulator without physics',
      onGpu: { [IDEAL]: IDEAL_PROFILE },
    },
  ],
  pairs: [],
};

/** A job of a simulator without physics: GPUs for a time. */
export interface IdealJob {
  /** As its trace has it, unique or not. */
  readonly id: string;
  readonly submitS: number;
  readonly gpuCount: number;
  readonly durationS: number;
}

function specOf({ submitS, gpuCount, durationS }: IdealJob, index: number): JobSpec {
  return {
    id: String(index),
    submitS,
    workload: IDEAL,
    durationS,
    referenceGpu: IDEAL,
    gpuCount,
    minGpus: gpuCount,
    maxGpus: gpuCount,
    share: 1,
    memoryGib: null,
    gpuTypes: [],
    deadlineS: null,
    maxSlowdown: null,
    priority: null,
    user: null,
    virtualCluster: null,
  };
}

/** Equal nodes of ideal GPUs, and jobs for the engine to run on them. */
export interface NodeCounts {
  readonly nodes: number;
  readonly gpusPerNode: number;
}

/**
 * The configuration of a run of the engine in a world without physics. Jobs come in order of submission
 * and get their positions for ids.
 */
export function idealWorld(jobs: readonly IdealJob[], cluster: NodeCounts): SimulationConfig {
  const { nodes, gpusPerNode } = cluster;
  const name = `${nodes}x${gpusPerNode}`;
  return {
    jobs: jobs.map(specOf),
    cluster: { name, groups: [{ gpuType: IDEAL, nodes, gpusPerNode }] },
    profiles: IDEAL_PROFILES,
    options: DEFAULT_SIMULATION_OPTIONS,
    seed: 1,
  };
}
