import assert from 'node:assert/strict';
import fc from 'fast-check';
import { policyNamed } from '../../policies/registry.ts';
import type { JobSpec } from '../../sim/job.ts';
import { clusterOf, flatGpu, flatProfile, profileSet, worldOf } from '../support/flat.ts';
import { job, rowsById, run } from './schedule.ts';

const POLICIES: readonly [name: string, options: Record<string, unknown>][] = [
  ['fifo', {}],
  ['fifo', { strict: true, types: 'fastest', clock: 0.5 }],
  ['fifo-fit', {}],
  ['easy', { durationNoise: 1, types: 'fastest' }],
  ['sjf', {}],
  ['sjf', { walk: 'fit-first', strict: true }],
  ['srtf', { types: 'fastest' }],
  ['srtf', { strict: true, durationNoise: 1 }],
  ['srsf', {}],
  ['smallest-first', {}],
  ['tiresias', { limits: '20,60', promoteKnob: 2 }],
  ['tiresias', { limits: '20,60', promoteKnob: 2, demotion: 'released' }],
  ['qssf', {}],
  ['las', { roundS: 7 }],
  ['tiresias-g', { limits: '20,60', quantum: 20 }],
  ['tiresias-g', { limits: '20,60', quantum: 20, samples: '5,20,40,80,160', promoteKnob: 1 }],
  ['tiresias-g', { limits: '20,60', quantum: 20, samples: '5,20,40,80,160', compat: true }],
  ['lucid', {}],
  ['lucid', { mode: 'time-slice', durationNoise: 1, types: 'fastest', clock: 0.5 }],
  ['horus', { cap: 2 }],
  ['horus', { cap: 3, mode: 'time-slice', utilisation: 'sm' }],
  ['gavel', { roundS: 10, resetS: 20 }],
  ['gavel', { roundS: 7, resetS: 0, newJobs: 'wait', spaceSharing: true }],
  ['gavel', { roundS: 10, resetS: 20, objective: 'max-min-agnostic' }],
  ['gavel', { roundS: 10, resetS: 20, objective: 'max-sum' }],
  ['gavel', { roundS: 10, resetS: 20, objective: 'makespan', durationNoise: 1 }],
  ['gavel', { roundS: 10, resetS: 20, objective: 'makespan', makespan: 'released' }],
  ['gavel', { roundS: 10, objective: 'energy-cost', fairShare: 1, spaceSharing: true }],
  ['themis', { roundS: 10, resetS: 20 }],
  ['themis', { roundS: 10, resetS: 20, durationNoise: 1, spaceSharing: true }],
  ['allox', {}],
  ['allox', { alpha: 0.3, durationNoise: 1, strict: true }],
  ['gandiva', { roundS: 10, resetS: 20 }],
  ['best-fit', {}],
  ['fgd', {}],
  ['dot-product', {}],
  ['gpu-packing', {}],
  ['gpu-clustering', {}],
  ['random-fit', {}],
  ['pwr', { powerWeight: 0.5 }],
  ['best-fit', { mode: 'time-slice' }],
  ['zeus', {}],
  ['zeus', { order: 'sjf', selector: 'max-slowdown' }],
  ['gpoeo', {}],
  ['odpp', {}],
  ['mf-gpoeo', { windowS: 1 }],
  ['deadline-dvfs', {}],
  ['delay', {}],
  ['edl', { sleepAfterS: 20 }],
  ['eaco', { sleepAfterS: 10, maxSlowdown: 2, maxPerGpu: 3 }],
  ['mps-equal', { maxPerGpu: 3 }],
  ['mps-equal', { maxPerGpu: 3, shares: 'adaptive', fill: 'spread' }],
  ['mps-free', { maxPerGpu: 3 }],
  ['mps-offline-opt', { maxPerGpu: 3, shareStep: 0.25 }],
  ['mps-offline-opt', { shareStep: 0.25, shares: 'adaptive', fill: 'spread' }],
  ['igniter', {}],
  ['igniter', { slo: 4, unit: 0.1, adjust: 'restart', types: 'fastest' }],
  ['gpulets', {}],
  ['gpulets', { slo: 5, shares: '10,30,50,100', latencyRatio: 1, strict: true }],
  ['gslice', {}],
  ['gslice', { slo: 3, startShare: 0.5, periodS: 7, rounds: 3 }],
  ['salus-pack', {}],
  ['salus-pack', { mode: 'time-slice', maxPerGpu: 3 }],
  ['salus-fair', {}],
  ['antman', {}],
  ['antman', { unclassed: 'opportunistic', strict: true }],
  ['tgs', { types: 'fastest' }],
  ['miso', {}],
  ['muri-s', { intervalS: 10 }],
  ['muri-s', { intervalS: 0, types: 'fastest', strict: true, durationNoise: 1 }],
  ['muri-l', { intervalS: 0, packingNum: 2 }],
  ['muri-l', {}],
  ['optimus', { intervalS: 5 }],
  ['optimus', { intervalS: 0, types: 'fastest', durationNoise: 1 }],
  ['sia', { roundS: 10, exactJobs: 3 }],
  ['sia', { roundS: 5, exactJobs: 0, penalty: 'same-type' }],
  ['elastic-flow', { intervalS: 5 }],
  ['elastic-flow', { intervalS: 10, slack: 2, marginS: 5, scaleUp: 'released' }],
  ['edf', {}],
  ['edf', { walk: 'preemptive', slack: 3 }],
  ['power-flow', { intervalS: 5 }],
  ['power-flow', { intervalS: 0, budget: 0.1, clockSteps: 2, types: 'fastest' }],
];

/** What policies are told beside profiles of jobs alone. */
const MORE_PROFILES: Readonly<Record<string, readonly string[]>> = {
  gavel: ['pairs'],
  themis: ['pairs'],
  gandiva: ['pairs'],
  lucid: ['pairs'],
  tgs: ['pairs'],
  eaco: ['pairs'],
  'mps-offline-opt': ['all'],
  igniter: ['all'],
  gpulets: ['pairs'],
  gslice: ['all'],
};

/** Policies that solve a linear program each round, so that a run takes a thousand times longer. */
const SOLVING = new Set(['gavel', 'themis', 'gandiva', 'allox', 'sia']);

const slow = { hostS: 0, memoryS: 0, coreS: 2, q: 1 };
const profiles = profileSet(
  [flatGpu(), flatGpu({ name: 'slow' })],
  [
    flatProfile(),
    flatProfile({ gpuType: 'slow', time: slow }),
    flatProfile({ workload: 'large', memoryGib: 9 }),
    flatProfile({ workload: 'large', gpuType: 'slow', memoryGib: 7, time: slow }),
  ],
);
const cluster = clusterOf(
  { nodes: 2, gpusPerNode: 2 },
  { gpuType: 'slow', nodes: 2, gpusPerNode: 3 },
);

const jobs: fc.Arbitrary<JobSpec[]> = fc
  .array(
    fc.record({
      waitS: fc.integer({ min: 0, max: 30 }),
      gpuCount: fc.constantFrom(1, 1, 1, 2, 3, 5, 8),
      durationS: fc.integer({ min: 0, max: 90 }),
      workload: fc.constantFrom('flat', 'large'),
      share: fc.constantFrom(0.2, 0.5, 1, 1),
      gpuTypes: fc.constantFrom<string[]>([], [], ['flat'], ['slow']),
    }),
    { minLength: 1, maxLength: 30 },
  )
  .map((drawn) => {
    let submitS = 0;
    return drawn.map(({ waitS, gpuCount, durationS, workload, share, gpuTypes }, i) => {
      submitS += waitS;
      const part = gpuCount === 1 ? share : 1;
      return job(String(i), submitS, gpuCount, durationS, { workload, gpuTypes, share: part });
    });
  });

const costs = fc.constantFrom(
  { start: 0, restart: 0, checkpoint: 0 },
  { start: 3, restart: 5, checkpoint: 2 },
);

describe('every policy', () => {
  before(async () => {
    for (const [name] of POLICIES) await policyNamed(name).prepare?.();
  });

  for (const [name, options] of POLICIES) {
    const given = Object.entries(options).map(([key, value]) => ` ${key}=${String(value)}`);
    it(`${name}${given.join('')} finishes all jobs, whatever happens`, () => {
      fc.assert(
        fc.property(jobs, costs, fc.boolean(), fc.nat(), (specs, cost, fails, seed) => {
          const failures = fails
            ? { gpuMtbfS: 900, gpuRepairS: 20, nodeMtbfS: 2000, nodeRepairS: 60, clientMtbfS: 400 }
            : {};
          const checkpointIntervalS = fails ? 15 : Number.POSITIVE_INFINITY;
          const world = worldOf({
            jobs: specs,
            cluster,
            profiles,
            seed,
            options: { costs: cost, failures, checkpointIntervalS },
          });
          const { jobs: count } = run(world, name, options).summary;
          assert.equal(count.done + count.rejected, specs.length);
        }),
        { numRuns: SOLVING.has(name) ? 4 : 40 },
      );
    });

    it(`${name}${given.join('')} decides the same again`, () => {
      const [specs] = fc.sample(jobs, { numRuns: 1, seed: 7 }) as [JobSpec[]];
      const world = worldOf({ jobs: specs, cluster, profiles });
      assert.deepEqual(rowsById(run(world, name, options)), rowsById(run(world, name, options)));
    });
  }

  it('tells a policy no more than it declares', () => {
    for (const [name] of POLICIES) {
      const { duration, profile } = policyNamed(name);
      const more = MORE_PROFILES[name] ?? [];
      assert.ok(['none', 'oracle'].includes(duration), name);
      assert.ok(['none', 'solo', ...more].includes(profile), name);
    }
  });
});
