import type { ClusterSpec, NodeGroupSpec } from '../../sim/cluster/cluster.ts';
import type {
  GpuType,
  PairMeasurement,
  ProfileSet,
  ProvenanceTable,
  WorkloadProfile,
} from '../../sim/gpu/profile.ts';
import type { JobSpec } from '../../sim/job.ts';
import { DEFAULT_SIMULATION_OPTIONS, type SimulationOptions } from '../../sim/options.ts';
import type { SimulationConfig } from '../../sim/state.ts';

/**
 * A world of round numbers, so that expected values can be worked out by hand: a GPU idles at 20 W,
 * holds a context at 50 W and runs the workload `flat` at 300 W and one step a second, at a speed and
 * a dynamic power that are proportional to the clock. Nothing costs time but a change of clock.
 */

const ASSUMED: ProvenanceTable = { '*': { kind: 'assumed', source: 'round numbers of a test' } };

export function flatGpu(over: Partial<GpuType> = {}): GpuType {
  return {
    name: 'flat',
    memoryGib: 16,
    memoryBandwidthGBps: 1000,
    smCount: 100,
    referenceClockMhz: 1000,
    clocksMhz: [200, 500, 800, 1000, 1200],
    referenceMemoryClockMhz: 1000,
    powerLimitW: { min: 60, default: 1000, max: 1000 },
    idlePowerW: 20,
    contextPowerW: 50,
    contextClockW: 0,
    sleepPowerW: 5,
    wakeS: 60,
    voltage: { knee: 1, slope: 1 },
    mpsClientLimit: 48,
    clockTransitionS: 0.03,
    migSlices: [0.125, 0.25, 0.5, 1],
    provenance: ASSUMED,
    ...over,
  };
}

export function flatProfile(over: Partial<WorkloadProfile> = {}): WorkloadProfile {
  return {
    workload: 'flat',
    gpuType: 'flat',
    time: { hostS: 0, memoryS: 0, coreS: 1, q: 1 },
    power: { memoryW: 0, coreW: 250 },
    capFraction: 1,
    memoryGib: 1,
    smDemand: 1,
    bandwidthDemand: 0,
    interference: { sensitivity: 0, aggressiveness: 0 },
    startS: 0,
    restartS: 0,
    checkpointS: 0,
    scaling: { withinNode: 1, acrossNodes: 1 },
    provenance: ASSUMED,
    fitError: null,
    ...over,
  };
}

/** Groups profiles by the workload that they name. */
export function profileSet(
  gpuTypes: readonly GpuType[],
  profiles: readonly WorkloadProfile[],
  pairs: readonly PairMeasurement[] = [],
): ProfileSet {
  const names = [...new Set(profiles.map(({ workload }) => workload))];
  return {
    gpuTypes,
    workloads: names.map((name) => ({
      name,
      kind: 'training',
      batchSize: 1,
      description: 'a workload of a test',
      onGpu: Object.fromEntries(
        profiles.filter(({ workload }) => workload === name).map((p) => [p.gpuType, p]),
      ),
    })),
    pairs,
  };
}

/** One whole GPU for 100 s, from the first instant. */
export function flatJob(over: Partial<JobSpec> = {}): JobSpec {
  return {
    id: 'a',
    submitS: 0,
    workload: 'flat',
    durationS: 100,
    referenceGpu: 'flat',
    gpuCount: 1,
    minGpus: over.gpuCount ?? 1,
    maxGpus: over.gpuCount ?? 1,
    share: 1,
    memoryGib: null,
    gpuTypes: [],
    deadlineS: null,
    maxSlowdown: null,
    priority: null,
    user: null,
    virtualCluster: null,
    ...over,
  };
}

/** The default options with some replaced, and every invariant checked at every instant. */
export function testOptions(
  over: Partial<Omit<SimulationOptions, 'costs' | 'failures'>> & {
    readonly costs?: Partial<SimulationOptions['costs']>;
    readonly failures?: Partial<SimulationOptions['failures']>;
  } = {},
): SimulationOptions {
  const base = DEFAULT_SIMULATION_OPTIONS;
  return {
    ...base,
    paranoid: true,
    ...over,
    costs: { ...base.costs, ...over.costs },
    failures: { ...base.failures, ...over.failures },
  };
}

/** One node group after the other. */
export function clusterOf(...groups: readonly Partial<NodeGroupSpec>[]): ClusterSpec {
  return {
    name: 'test',
    groups: groups.map((group) => ({ gpuType: 'flat', gpusPerNode: 1, nodes: 1, ...group })),
  };
}

/** A configuration with one flat GPU, the flat workload and default costs, where nothing is given. */
export function worldOf(
  over: Partial<Omit<SimulationConfig, 'options'>> & {
    readonly options?: Parameters<typeof testOptions>[0];
  },
): SimulationConfig {
  return {
    jobs: [flatJob()],
    cluster: clusterOf({}),
    profiles: profileSet([flatGpu()], [flatProfile()]),
    seed: 1,
    ...over,
    options: testOptions(over.options),
  };
}
