import assert from 'node:assert/strict';
import fc from 'fast-check';
import { policyNamed } from '../../../policies/registry.ts';
import type { JobSpec } from '../../../sim/job.ts';
import { clusterOf, flatGpu, flatProfile, profileSet, worldOf } from '../../support/flat.ts';
import { job, run } from '../schedule.ts';

const POLICIES: readonly [name: string, options: Record<string, unknown>, reason?: string][] = [
  ['optimus', {}],
  ['optimus', { intervalS: 0, types: 'fastest' }],
  ['sia', { roundS: 7, exactJobs: 3 }],
  ['sia', { roundS: 30, exactJobs: 0, penalty: 'same-type', fairness: -2 }],
  ['elastic-flow', { intervalS: 0 }, 'its deadline cannot be met'],
  ['elastic-flow', { intervalS: 9, slack: 1.2 }, 'its deadline cannot be met'],
  ['power-flow', { intervalS: 0, budget: 0.05 }],
  ['power-flow', { intervalS: 20, budget: 1, types: 'fastest' }],
];

const slow = { hostS: 0, memoryS: 0, coreS: 2, q: 1 };
const scaling = { withinNode: 0.9, acrossNodes: 0.6 };
const profiles = profileSet(
  [flatGpu(), flatGpu({ name: 'slow' })],
  [
    flatProfile({ scaling }),
    flatProfile({ gpuType: 'slow', time: slow }),
    flatProfile({ workload: 'large', memoryGib: 9, scaling }),
  ],
);
const cluster = clusterOf(
  { nodes: 2, gpusPerNode: 4 },
  { gpuType: 'slow', nodes: 2, gpusPerNode: 3 },
);

/** Rigid and elastic gangs, also larger than a type, with deadlines that may be impossible. */
const jobs: fc.Arbitrary<JobSpec[]> = fc
  .array(
    fc.record({
      waitS: fc.constantFrom(0, 0, 1, 13, 40),
      gpuCount: fc.constantFrom(1, 1, 2, 3, 4, 6, 9, 12),
      fewer: fc.nat(12),
      more: fc.constantFrom(0, 1, 5, 100),
      durationS: fc.constantFrom(0, 0.5, 10, 60, 200),
      deadlineS: fc.constantFrom(null, null, 0, 30, 500),
      workload: fc.constantFrom('flat', 'flat', 'large', 'unheard'),
      gpuTypes: fc.constantFrom<string[]>([], [], ['flat'], ['slow']),
    }),
    { minLength: 1, maxLength: 25 },
  )
  .map((drawn) => {
    let submitS = 0;
    return drawn.map(({ waitS, gpuCount, fewer, more, durationS, ...over }, i) => {
      submitS += waitS;
      const minGpus = Math.max(1, gpuCount - fewer);
      const limits = { minGpus, maxGpus: gpuCount + more };
      return job(String(i), submitS, gpuCount, durationS, { ...over, ...limits });
    });
  });

const options = fc.record({
  costs: fc.constantFrom(
    { start: 0, restart: 0, checkpoint: 0, clockTransition: 0 },
    { start: 2, restart: 6, checkpoint: 11, clockTransition: 1 },
  ),
  checkpointIntervalS: fc.constantFrom(Infinity, 20),
  failures: fc.constantFrom(
    {},
    { gpuMtbfS: 500, gpuRepairS: 60, nodeMtbfS: 900, nodeRepairS: 90, maxFailures: 5 },
    { clientMtbfS: 150, maxFailures: 8 },
  ),
});

describe('elastic policies', () => {
  before(async () => {
    for (const [name] of POLICIES) await policyNamed(name).prepare?.();
  });

  for (const [name, given, reason] of POLICIES) {
    const text = Object.entries(given).map(([key, value]) => ` ${key}=${String(value)}`);
    it(`${name}${text.join('')} ends or turns away all jobs, rigid and elastic`, () => {
      fc.assert(
        fc.property(jobs, options, fc.nat(), (specs, simulated, seed) => {
          const world = worldOf({ jobs: specs, cluster, profiles, seed, options: simulated });
          const { jobs: count } = run(world, name, given).summary;
          assert.equal(count.done + count.failed + count.rejected, specs.length);
          const own = Object.keys(count.rejectedByReason).filter((code) => /^policy/.test(code));
          assert.deepEqual(
            own.filter((code) => code !== `policy: ${reason}`),
            [],
          );
        }),
        { numRuns: 60 },
      );
    });
  }
});
