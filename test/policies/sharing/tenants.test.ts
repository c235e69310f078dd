import assert from 'node:assert/strict';
import fc from 'fast-check';
import { makePredictor } from '../../../policies/predictor.ts';
import { breaks, slowdowns, Tenants } from '../../../policies/sharing/tenants.ts';
import type { JobSpec } from '../../../sim/job.ts';
import { randomStream } from '../../../sim/random.ts';
import { clusterOf, flatGpu, flatProfile, profileSet, worldOf } from '../../support/flat.ts';
import { fakeJob } from '../fake-jobs.ts';
import { job, run } from '../schedule.ts';

describe('policies/sharing/tenants', () => {
  it('tells tenants by workload and objective, which is the stated bound or the option', () => {
    const tenants = new Tenants(2);
    const of = (over: Parameters<typeof fakeJob>[1]) => tenants.of(fakeJob(0, over));
    const plain = of({});
    assert.deepEqual(plain, { id: 0, workload: 'flat', objective: 2, isStated: false });
    assert.equal(of({ memoryGib: () => 7, user: 'somebody' }), plain);
    // The same objective, but its own.
    assert.deepEqual(of({ maxSlowdown: 2 }), { ...plain, id: 1, isStated: true });
    assert.equal(of({ workload: 'other' }).id, 2);
  });

  it('rounds objectives down, to whole percents up to 2', () => {
    const tenants = new Tenants(2);
    const rounded = [1, 1.1, 1.239, 1.999, 2.03, 4.1, 1e12].map(
      (maxSlowdown) => tenants.of(fakeJob(0, { maxSlowdown })).objective,
    );
    // Steps of 0.01 up to 2, 0.02 up to 4, 0.04 up to 8.
    const expected = [1, 1.1, 1.23, 1.99, 2.02, 4.08];
    expected.forEach((value, i) => {
      assert.ok(Math.abs((rounded[i] as number) - value) < 1e-12, String(value));
    });
    const largest = rounded.at(-1) as number;
    assert.ok(largest <= 1e12 && largest > 0.99e12);
  });

  it('measures slowdowns from the whole GPU alone', () => {
    const profiles = profileSet([flatGpu()], [flatProfile()]);
    const predictor = makePredictor({
      profiles,
      types: profiles.gpuTypes,
      information: 'all',
      noise: 0,
      random: randomStream(1, 'test'),
    });
    assert.deepEqual(slowdowns(predictor, 0, ['flat', 'flat'], [0.25, 0.5]), [4, 2]);
    assert.deepEqual([breaks(2, 2), breaks(2 + 1e-12, 2), breaks(2.001, 2)], [false, false, true]);
  });
});

const slow = { hostS: 0.2, memoryS: 0, coreS: 1.8, q: 1 };
const soft = {
  workload: 'soft',
  memoryGib: 5,
  interference: { sensitivity: 1, aggressiveness: 0.1 },
};
const loud = {
  workload: 'loud',
  bandwidthDemand: 0.7,
  interference: { sensitivity: 0.2, aggressiveness: 0.5 },
};
const part = {
  workload: 'part',
  smDemand: 0.3,
  time: { hostS: 0.6, memoryS: 0.2, coreS: 0.2, q: 2 },
};
const profiles = profileSet(
  [flatGpu({ mpsClientLimit: 3 }), flatGpu({ name: 'slow' })],
  [soft, loud, part].flatMap((over) => [
    flatProfile(over),
    flatProfile({ ...over, gpuType: 'slow', time: slow }),
  ]),
);
const cluster = clusterOf({ nodes: 2, gpusPerNode: 2 }, { gpuType: 'slow', gpusPerNode: 2 });

const jobs: fc.Arbitrary<JobSpec[]> = fc
  .array(
    fc.record({
      waitS: fc.integer({ min: 0, max: 30 }),
      gpuCount: fc.constantFrom(1, 1, 1, 1, 2, 4),
      durationS: fc.integer({ min: 0, max: 200 }),
      workload: fc.constantFrom('soft', 'loud', 'part'),
      maxSlowdown: fc.constantFrom(null, 1, 1.05, 1.3, 2, 3.7, 1e9),
      gpuTypes: fc.constantFrom<string[]>([], [], ['flat'], ['slow']),
    }),
    { minLength: 1, maxLength: 25 },
  )
  .map((drawn) => {
    let submitS = 0;
    return drawn.map(({ waitS, gpuCount, durationS, gpuTypes, ...over }, i) => {
      submitS += waitS;
      const onSlow = gpuTypes[0] === 'slow' && gpuCount > 2;
      return job(String(i), submitS, gpuCount, durationS, {
        ...over,
        gpuTypes: onSlow ? [] : gpuTypes,
      });
    });
  });

const POLICIES: readonly [name: string, options: Record<string, unknown>, keeps: boolean][] = [
  ['igniter', { slo: 2 }, true],
  ['igniter', { slo: 3, adjust: 'start-only' }, true],
  ['gpulets', { slo: 4 }, true],
  ['gpulets', { slo: 2, latencyRatio: 1, shares: '5,20,50,100' }, true],
  ['gslice', { slo: 3, periodS: 5 }, false],
];

describe('policies that keep objectives', () => {
  for (const [name, options, keeps] of POLICIES) {
    const given = Object.entries(options).map(([key, value]) => ` ${key}=${String(value)}`);
    it(`${name}${given.join('')} finishes jobs with any bounds, whatever happens`, () => {
      fc.assert(
        fc.property(jobs, fc.nat(), fc.boolean(), (specs, seed, fails) => {
          const failures = fails
            ? { gpuMtbfS: 900, gpuRepairS: 20, nodeMtbfS: 2000, nodeRepairS: 60, clientMtbfS: 400 }
            : {};
          const costs = { start: 3, restart: 5, checkpoint: 2 };
          const world = worldOf({
            jobs: specs,
            cluster,
            profiles,
            seed,
            options: { costs, failures, checkpointIntervalS: fails ? 15 : Infinity },
          });
          assert.equal(run(world, name, options).summary.jobs.done, specs.length);
        }),
        { numRuns: 40 },
      );
    });

    if (!keeps) continue;
    it(`${name}${given.join('')} breaks no bound where restarts cost nothing`, () => {
      fc.assert(
        fc.property(jobs, (specs) => {
          const costs = { start: 0, restart: 0, checkpoint: 0 };
          const world = worldOf({ jobs: specs, cluster, profiles, options: { costs } });
          assert.equal(run(world, name, options).summary.sloViolations, 0);
        }),
        { numRuns: 60 },
      );
    });
  }
});
