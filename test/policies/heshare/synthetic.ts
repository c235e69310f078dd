import type { ClusterSpec } from '../../../sim/cluster/cluster.ts';
import type { GpuType, ProfileSet, Workload, WorkloadProfile } from '../../../sim/gpu/profile.ts';
import type { JobSpec } from '../../../sim/job.ts';
import { randomStream } from '../../../sim/random.ts';

/** A GPU type with nothing remarkable but what is given. */
export function gpuType(name: string, given: Partial<GpuType> = {}): GpuType {
  return {
    name,
    memoryGib: 16,
    memoryBandwidthGBps: 900,
    smCount: 80,
    referenceClockMhz: 1500,
    clocksMhz: [600, 750, 900, 1050, 1200, 1350, 1500],
    referenceMemoryClockMhz: 877,
    powerLimitW: { min: 100, default: 300, max: 300 },
    idlePowerW: 25,
    contextPowerW: 50,
    contextClockW: 0,
    sleepPowerW: 5,
    wakeS: 60,
    voltage: { knee: 0.7, slope: 0.5 },
    mpsClientLimit: 48,
    clockTransitionS: 0.03,
    migSlices: [],
    provenance: { '*': { kind: 'assumed', source: 'test' } },
    ...given,
  };
}

/** A profile with nothing remarkable but what is given. */
export function profile(
  workload: string,
  type: string,
  given: Partial<WorkloadProfile> = {},
): WorkloadProfile {
  return {
    workload,
    gpuType: type,
    time: { hostS: 0.01, memoryS: 0.03, coreS: 0.06, q: 2 },
    power: { memoryW: 30, coreW: 120 },
    capFraction: 1,
    memoryGib: 4,
    smDemand: 1,
    bandwidthDemand: 0.3,
    interference: { sensitivity: 0.1, aggressiveness: 0.5 },
    startS: 10,
    restartS: 20,
    checkpointS: 5,
    scaling: { withinNode: 1, acrossNodes: 0.9 },
    provenance: { '*': { kind: 'assumed', source: 'test' } },
    fitError: null,
    ...given,
  };
}

export function workload(name: string, profiles: readonly WorkloadProfile[]): Workload {
  return {
    name,
    kind: 'training',
    batchSize: 32,
    description: name,
    onGpu: Object.fromEntries(profiles.map((known) => [known.gpuType, known])),
  };
}

export function profileSet(
  gpuTypes: readonly GpuType[],
  profiles: readonly WorkloadProfile[],
): ProfileSet {
  const names = [...new Set(profiles.map((known) => known.workload))];
  return {
    gpuTypes,
    workloads: names.map((name) =>
      workload(
        name,
        profiles.filter((known) => known.workload === name),
      ),
    ),
    pairs: [],
  };
}

/** A job with nothing remarkable but what is given. */
export function jobSpec(id: string, given: Partial<JobSpec> = {}): JobSpec {
  return {
    id,
    submitS: 0,
    workload: 'w',
    durationS: 1000,
    referenceGpu: 'g',
    gpuCount: 1,
    minGpus: given.gpuCount ?? 1,
    maxGpus: given.gpuCount ?? 1,
    share: 1,
    memoryGib: null,
    gpuTypes: [],
    deadlineS: null,
    maxSlowdown: null,
    priority: null,
    user: null,
    virtualCluster: null,
    ...given,
  };
}

/** Light: much host time, few SMs. Heavy: all of the GPU. Memory: bound by memory bandwidth. */
export const LIGHT: Partial<WorkloadProfile> = {
  time: { hostS: 0.05, memoryS: 0.01, coreS: 0.02, q: 2 },
  power: { memoryW: 10, coreW: 30 },
  smDemand: 0.4,
  bandwidthDemand: 0.1,
};
export const HEAVY: Partial<WorkloadProfile> = {
  time: { hostS: 0.002, memoryS: 0.02, coreS: 0.1, q: 2 },
  power: { memoryW: 40, coreW: 180 },
  bandwidthDemand: 0.2,
};
export const MEMORY_BOUND: Partial<WorkloadProfile> = {
  time: { hostS: 0.002, memoryS: 0.1, coreS: 0.02, q: 2 },
  power: { memoryW: 80, coreW: 80 },
  bandwidthDemand: 0.85,
};

/** A mixed cluster with twelve workloads and random jobs; `everything` adds what jobs may ask for. */
export function mixedWorld(
  count: number,
  seed: number,
  { everything = false, load = 0.8 }: { everything?: boolean; load?: number } = {},
): { profiles: ProfileSet; cluster: ClusterSpec; jobs: JobSpec[] } {
  const random = randomStream(seed, 'mixed-world');
  const between = (low: number, high: number): number => low + (high - low) * random();
  const types = [
    gpuType('g'),
    gpuType('small', { idlePowerW: 10, contextPowerW: 25, memoryGib: 12 }),
    gpuType('big', { idlePowerW: 45, contextPowerW: 75, memoryGib: 40 }),
  ];
  const slower = { g: 1, small: 2.2, big: 0.6 };
  const hungrier = { g: 1, small: 0.3, big: 1.3 };
  const profiles: WorkloadProfile[] = [];
  for (let i = 0; i < 12; i += 1) {
    const coreS = between(0.01, 0.1);
    const memoryS = between(0.01, 0.1);
    const hostS = between(0, 0.05);
    const watts = between(60, 160);
    const memoryGib = between(1, 7);
    const smDemand = random() < 0.5 ? between(0.2, 0.7) : 1;
    for (const name of ['g', 'small', 'big'] as const) {
      const k = slower[name] * between(0.9, 1.1);
      profiles.push(
        profile(`w${i}`, name, {
          time: { hostS, memoryS: memoryS * k, coreS: coreS * k, q: 2 },
          power: { memoryW: 0.25 * watts * hungrier[name], coreW: watts * hungrier[name] },
          memoryGib,
          smDemand,
          bandwidthDemand: between(0.1, 0.8),
        }),
      );
    }
  }
  const cluster: ClusterSpec = {
    name: 'mixed',
    groups: [
      { gpuType: 'g', gpusPerNode: 4, nodes: 2 },
      { gpuType: 'small', gpusPerNode: 4, nodes: 1 },
      { gpuType: 'big', gpusPerNode: 4, nodes: 1 },
    ],
  };
  const gangs = [1, 1, 1, 1, 1, 2, 4];
  const meanGang = gangs.reduce((sum, gang) => sum + gang, 0) / gangs.length;
  const jobs: JobSpec[] = [];
  let submitS = 0;
  for (let i = 0; i < count; i += 1) {
    submitS += (-Math.log(1 - random()) * 1000 * meanGang) / (16 * load);
    const gpuCount = gangs[Math.floor(random() * gangs.length)] as number;
    const durationS = -Math.log(1 - random()) * 1000;
    jobs.push(
      jobSpec(`j${i}`, {
        submitS,
        workload: `w${Math.floor(random() * 12)}`,
        durationS,
        gpuCount,
        share: everything && gpuCount === 1 && random() < 0.3 ? 0.5 : 1,
        memoryGib: everything && random() < 0.2 ? between(1, 12) : null,
        gpuTypes: everything && random() < 0.2 ? ['g', 'big'] : [],
        deadlineS: everything && random() < 0.2 ? durationS * between(0.8, 6) : null,
        maxSlowdown: everything && random() < 0.2 ? between(1, 1.6) : null,
      }),
    );
  }
  return { profiles: profileSet(types, profiles), cluster, jobs };
}
