import fc from 'fast-check';
import type { GpuType, PairMeasurement, WorkloadProfile } from '../../sim/gpu/profile.ts';
import type { JobSpec } from '../../sim/job.ts';
import type { Cost } from '../../sim/options.ts';
import type { SimulationConfig } from '../../sim/state.ts';
import { clusterOf, flatGpu, flatJob, flatProfile, profileSet, testOptions } from './flat.ts';

/**
 * Small worlds of any kind: several GPU types and nodes, workloads with profiles on some of the types,
 * jobs with equal submission times, no work at all, gangs, shares, memories and deadlines that may or
 * may not be possible, costs, failures, and books that are read in between.
 */

const TYPES = ['a', 'b', 'c'] as const;
const WORKLOADS = ['p', 'q', 'r'] as const;

const part = fc.double({ min: 0, max: 0.5, noNaN: true });
const fraction = fc.double({ min: 0.05, max: 1, noNaN: true });
const watts = fc.integer({ min: 0, max: 300 });

function gpuType(name: string): fc.Arbitrary<GpuType> {
  return fc
    .record({
      memoryGib: fc.constantFrom(8, 16, 40),
      slow: fc.subarray([200, 400, 600, 800]),
      fast: fc.subarray([1100, 1300]),
      idlePowerW: fc.integer({ min: 0, max: 30 }),
      contextW: fc.integer({ min: 0, max: 40 }),
      contextPart: fc.constantFrom(0, 0, 0.5, 1),
      sleepPowerW: fc.integer({ min: 0, max: 10 }),
      wakeS: fc.constantFrom(0, 1, 30),
      capW: fc.integer({ min: 60, max: 500 }),
      knee: fc.double({ min: 0.2, max: 1.2, noNaN: true }),
      slope: fc.double({ min: 0, max: 2, noNaN: true }),
      mpsClientLimit: fc.constantFrom(1, 2, 3, 48),
      clockTransitionS: fc.constantFrom(0, 0.03, 5),
      migSlices: fc.constantFrom([], [0.25, 0.5], [0.125, 0.25, 0.5, 1]),
    })
    .map((t) =>
      flatGpu({
        name,
        memoryGib: t.memoryGib,
        clocksMhz: [...t.slow, 1000, ...t.fast],
        idlePowerW: t.idlePowerW,
        contextPowerW: t.idlePowerW + t.contextW,
        contextClockW: t.contextW * t.contextPart,
        sleepPowerW: t.sleepPowerW,
        wakeS: t.wakeS,
        powerLimitW: { min: 50, default: t.capW, max: 600 },
        voltage: { knee: t.knee, slope: t.slope },
        mpsClientLimit: t.mpsClientLimit,
        clockTransitionS: t.clockTransitionS,
        migSlices: t.migSlices,
      }),
    );
}

function profile(workload: string, type: string): fc.Arbitrary<WorkloadProfile> {
  return fc
    .record({
      hostS: part,
      memoryS: fc.double({ min: 0.05, max: 0.5, noNaN: true }),
      coreS: fraction,
      q: fc.constantFrom(1, 2, 3.5),
      memoryW: watts,
      coreW: watts,
      capFraction: fc.constantFrom(1, 1, 0.9, 0.6),
      memoryGib: fc.constantFrom(0, 0.5, 1, 2, 5, 12),
      smDemand: fraction,
      bandwidthDemand: fc.double({ min: 0, max: 1, noNaN: true }),
      sensitivity: part,
      aggressiveness: part,
      costsS: fc.tuple(
        fc.constantFrom(0, 0.5, 4),
        fc.constantFrom(0, 0.25, 3),
        fc.constantFrom(0, 1, 2),
      ),
      withinNode: fc.double({ min: 0.5, max: 1, noNaN: true }),
      acrossNodes: fc.double({ min: 0.5, max: 1, noNaN: true }),
    })
    .map((w) =>
      flatProfile({
        workload,
        gpuType: type,
        time: { hostS: w.hostS, memoryS: w.memoryS, coreS: w.coreS, q: w.q },
        power: { memoryW: w.memoryW, coreW: w.coreW },
        capFraction: w.capFraction,
        memoryGib: w.memoryGib,
        smDemand: w.smDemand,
        bandwidthDemand: w.bandwidthDemand,
        interference: { sensitivity: w.sensitivity, aggressiveness: w.aggressiveness },
        startS: w.costsS[0],
        restartS: w.costsS[1],
        checkpointS: w.costsS[2],
        scaling: { withinNode: w.withinNode, acrossNodes: w.acrossNodes },
      }),
    );
}

const pair: fc.Arbitrary<PairMeasurement> = fc.record({
  gpuType: fc.constantFrom(...TYPES),
  workloads: fc.tuple(fc.constantFrom(...WORKLOADS), fc.constantFrom(...WORKLOADS)),
  speeds: fc.tuple(fraction, fraction),
  source: fc.constant('made up'),
});

const job: fc.Arbitrary<Partial<JobSpec>> = fc
  .record({
    submitS: fc.oneof(
      fc.integer({ min: 0, max: 30 }),
      fc.nat(100_000).map((n) => n / 997),
    ),
    workload: fc.constantFrom('p', 'p', 'p', 'q', 'q', 'r', 'p', 'q', 'unheard'),
    durationS: fc.oneof(
      fc.constant(0),
      fc.integer({ min: 1, max: 60 }),
      fc.nat(60_000).map((n) => n / 991),
    ),
    referenceGpu: fc.constantFrom(...TYPES),
    gpuCount: fc.constantFrom(1, 1, 1, 1, 2, 2, 3, 4),
    fewer: fc.constantFrom(0, 0, 0, 1, 3),
    more: fc.constantFrom(0, 0, 0, 1, 4),
    share: fc.constantFrom(1, 1, 0.5, 0.25, 0.1),
    memoryGib: fc.constantFrom(null, null, null, null, null, 0, 2, 2, 7.5, 20),
    gpuTypes: fc.oneof(
      { weight: 5, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.subarray([...TYPES]) },
    ),
    deadlineS: fc.constantFrom(null, 50),
    maxSlowdown: fc.constantFrom(null, 1.5),
  })
  .map(({ fewer, more, ...spec }) => ({
    ...spec,
    minGpus: Math.max(1, spec.gpuCount - fewer),
    maxGpus: spec.gpuCount + more,
  }));

const cost = fc.constantFrom<Cost>('profile', 'profile', 0, 0.5, 3);
const mtbfS = fc.constantFrom(Infinity, Infinity, 40, 300);

const options = fc.record({
  costs: fc.record({ start: cost, restart: cost, checkpoint: cost, clockTransition: cost }),
  checkpointIntervalS: fc.constantFrom(Infinity, Infinity, 5, 17.3),
  fails: fc.boolean(),
  failures: fc.record({
    gpuMtbfS: mtbfS,
    gpuRepairS: fc.constantFrom(0, 10),
    nodeMtbfS: mtbfS,
    nodeRepairS: fc.constantFrom(1, 20),
    clientMtbfS: mtbfS,
    maxFailures: fc.integer({ min: 0, max: 4 }),
  }),
  switchingLoss: fc.constantFrom(0, 0.02, 0.5),
  contextHoldS: fc.constantFrom(0, 0, 7, Infinity),
  hostPowerW: fc.constantFrom(0, 100),
  measure: fc.constantFrom(null, null, { fromS: 10, toS: 60 }),
  pricePerKwh: fc.constantFrom(
    { startsS: [0], values: [0.1] },
    { startsS: [0, 13, 29], values: [0.1, 0.3, 0] },
  ),
});

interface WorldShape {
  /** Whether GPUs, nodes and clients fail in some of the worlds. */
  readonly failures: boolean;
}

/** Worlds that end under any policy that starts its jobs: a job that fails too often is given up. */
export function randomWorld({ failures }: WorldShape): fc.Arbitrary<SimulationConfig> {
  return fc
    .record({
      types: fc.tuple(...TYPES.map((name) => gpuType(name))),
      profiles: fc.tuple(
        ...WORKLOADS.flatMap((workload) => TYPES.map((type) => profile(workload, type))),
      ),
      profiled: fc.array(fc.constantFrom(true, true, true, false), { minLength: 9, maxLength: 9 }),
      pairs: fc.array(pair, { maxLength: 12, size: 'max' }),
      groups: fc.array(
        fc.record({
          gpuType: fc.constantFrom(...TYPES),
          gpusPerNode: fc.integer({ min: 1, max: 3 }),
          nodes: fc.integer({ min: 1, max: 2 }),
        }),
        { minLength: 1, maxLength: 4, size: 'max' },
      ),
      jobs: fc.array(job, { maxLength: 24, size: 'max' }),
      options,
      seed: fc.nat(),
    })
    .map((world) => {
      const { fails, failures: given, ...rest } = world.options;
      // The workload p has a profile everywhere, so that some jobs can run.
      const profiles = world.profiles.filter((p, i) => p.workload === 'p' || world.profiled[i]);
      const jobs = world.jobs
        .map((spec) => flatJob(spec))
        .sort((x, y) => x.submitS - y.submitS)
        .map((spec, i) => ({ ...spec, id: `job-${i}` }));
      return {
        jobs,
        cluster: clusterOf(...world.groups),
        profiles: profileSet(world.types, profiles, world.pairs),
        options: testOptions({ ...rest, ...(failures && fails && { failures: given }) }),
        seed: world.seed,
      };
    });
}
