import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JobSpec } from '../../../sim/job.ts';
import { simulate } from '../../../sim/simulate.ts';
import { clusterOf, flatGpu, flatProfile, profileSet, worldOf } from '../../support/flat.ts';
import { job, policyOn, rowsById, run, schedule } from '../schedule.ts';

/**
 * Busy on the host or on the GPU for most of a step, and so few SMs that four do not meet: who shares a
 * GPU is not slowed. `greedy` is never on the host, `lonely` takes all memory.
 */
const few = { smDemand: 0.25 };
const profiles = profileSet(
  [flatGpu()],
  [
    flatProfile({ ...few, workload: 'host', time: { hostS: 0.8, memoryS: 0, coreS: 0.2, q: 1 } }),
    flatProfile({ ...few, workload: 'gpu', time: { hostS: 0.2, memoryS: 0, coreS: 0.8, q: 1 } }),
    flatProfile({ ...few, workload: 'greedy' }),
    flatProfile({ workload: 'lonely', memoryGib: 16 }),
  ],
);
const twoTypes = profileSet(
  [...profiles.gpuTypes, flatGpu({ name: 'other', memoryGib: 20 })],
  profiles.workloads.flatMap(({ onGpu }) =>
    Object.values(onGpu).flatMap((profile) => [profile, { ...profile, gpuType: 'other' }]),
  ),
);
const world = (jobs: readonly JobSpec[], gpusPerNode = 1, costs = {}) =>
  worldOf({ jobs, profiles, cluster: clusterOf({ gpusPerNode }), options: { costs } });
const one = (id: string, submitS: number, workload: string, durationS = 100, gpus = 1): JobSpec =>
  job(id, submitS, gpus, durationS, { workload });

describe('muri', () => {
  it('runs jobs of unlike stages on the same GPU when GPUs are short, where fifo does not', () => {
    // Opposite to each other the stages take 0.8 + 0.2, times 1.31: less than 2 x 1.015.
    const jobs = [one('a', 0, 'host'), one('b', 0, 'gpu')];
    for (const name of ['muri-s', 'muri-l']) {
      assert.deepEqual(schedule(run(world(jobs), name)), { a: [0, 100], b: [0, 100] });
    }
    assert.deepEqual(schedule(run(world(jobs), 'fifo')).b, [100, 200]);
    assert.deepEqual(schedule(run(world(jobs), 'srsf')).b, [100, 200]);
  });

  it('takes a group apart that would not pay off', () => {
    // Two that are always on the GPU: 2 x 1.31 against 2 x 1.015.
    const jobs = [one('a', 0, 'greedy'), one('b', 0, 'greedy')];
    assert.deepEqual(schedule(run(world(jobs), 'muri-s')), { a: [0, 100], b: [100, 200] });
  });

  it('pairs each job with an unlike one', () => {
    const jobs = [
      one('a', 0, 'host', 100),
      one('b', 0, 'host', 101),
      one('c', 0, 'gpu', 102),
      one('d', 0, 'gpu', 103),
    ];
    const rows = rowsById(run(world(jobs, 2), 'muri-s'));
    const places = ['a', 'b', 'c', 'd'].map((id) => rows[id]?.gpus[0]);
    assert.deepEqual(places, [0, 1, 0, 1]);
    assert.deepEqual([rows.c?.startS, rows.d?.startS], [0, 0]);
  });

  it('groups gangs of one size on the same GPUs', () => {
    const jobs = [one('a', 0, 'host', 100, 2), one('b', 0, 'gpu', 100, 2), one('c', 0, 'gpu', 100)];
    const rows = rowsById(run(world(jobs, 3), 'muri-s'));
    assert.deepEqual([rows.a?.gpus, rows.b?.gpus, rows.c?.gpus], [[1, 2], [1, 2], [0]]);
    assert.equal(rows.b?.startS, 0);
  });

  it('lets a job join at the next grouping, and those that run go on', () => {
    // Three stages of the GPU are 1.8 s at least, but 1.8 x 1.48 is less than 3 x 1.015.
    const jobs = [one('a', 0, 'host', 900), one('b', 0, 'gpu', 900), one('c', 1, 'gpu', 100)];
    const rows = rowsById(run(world(jobs), 'muri-s'));
    assert.deepEqual([rows.c?.startS, rows.a?.restarts, rows.b?.restarts], [360, 0, 0]);
    assert.equal(rowsById(run(world(jobs), 'muri-s', { intervalS: 0 })).c?.startS, 1);
    // Two at most: the shorter two of the three are grouped, so one of the others gives way.
    const pairs = run(world(jobs), 'muri-s', { intervalS: 0, packingNum: 2 });
    assert.equal(rowsById(pairs).c?.startS, 1);
    assert.equal(pairs.summary.preemptions, 1);
  });

  it('preempts a job for one with less to do, or with less had', () => {
    const jobs = [one('a', 0, 'lonely', 1000), one('b', 10, 'lonely', 50)];
    const costs = { start: 0, checkpoint: 2, restart: 3 };
    const given = world(jobs, 1, costs);
    // a: 10 s, checkpoint until 12; b until 62; a again from 65 with 990 s left.
    const short = schedule(run(given, 'muri-s', { intervalS: 0 }));
    assert.deepEqual(short, { a: [0, 1055], b: [12, 62] });
    // At intervals of 360 s: b starts when a has written its checkpoint.
    assert.deepEqual(schedule(run(given, 'muri-l')).b, [362, 412]);
    assert.deepEqual(schedule(run(given, 'fifo')).b, [1000, 1050]);
  });

  it('goes on with a job that has less to do', () => {
    const jobs = [one('a', 0, 'lonely', 100), one('b', 10, 'lonely', 500)];
    assert.deepEqual(schedule(run(world(jobs), 'muri-s', { intervalS: 0 })), {
      a: [0, 100],
      b: [100, 600],
    });
  });

  it('starts jobs alone on free GPUs between groupings, and ends groups that are not needed', () => {
    // x has a GPU to itself until 50; a and b share the other until then, c starts at 55 at once.
    const jobs = [one('x', 0, 'lonely', 50), one('a', 0, 'host', 500), one('b', 0, 'gpu', 500)];
    const rows = rowsById(run(world(jobs, 2), 'muri-s', { intervalS: 0 }));
    assert.deepEqual([rows.a?.gpus, rows.a?.preemptions], [[1], 0]);
    assert.deepEqual([rows.b?.gpus, rows.b?.preemptions], [[0], 1]);
    const late = [...jobs, one('c', 55, 'gpu', 10)];
    assert.equal(rowsById(run(world(late, 2), 'muri-s')).c?.startS, 55);
  });

  it('finishes all jobs, whatever happens', () => {
    const jobs = fc
      .array(
        fc.record({
          waitS: fc.integer({ min: 0, max: 30 }),
          gpuCount: fc.constantFrom(1, 1, 1, 2, 3, 6),
          durationS: fc.integer({ min: 0, max: 120 }),
          workload: fc.constantFrom('host', 'gpu', 'greedy', 'lonely'),
          memoryGib: fc.constantFrom(null, 5),
          gpuTypes: fc.constantFrom<string[]>([], [], ['flat'], ['other']),
        }),
        { minLength: 1, maxLength: 30 },
      )
      .map((drawn) => {
        let submitS = 0;
        return drawn.map(({ waitS, gpuCount, durationS, ...over }, i) => {
          submitS += waitS;
          return job(String(i), submitS, gpuCount, durationS, over);
        });
      });
    let shared = 0;
    fc.assert(
      fc.property(
        jobs,
        fc.constantFrom('muri-s', 'muri-l'),
        fc.constantFrom(0, 25),
        fc.constantFrom({}, { start: 3, restart: 5, checkpoint: 2 }),
        fc.boolean(),
        fc.nat(),
        (specs, name, intervalS, costs, fails, seed) => {
          const failures = fails
            ? { gpuMtbfS: 900, gpuRepairS: 20, nodeMtbfS: 2000, nodeRepairS: 60, clientMtbfS: 400 }
            : {};
          const given = worldOf({
            jobs: specs,
            profiles: twoTypes,
            seed,
            cluster: clusterOf({ gpusPerNode: 2 }, { gpuType: 'other', gpusPerNode: 3 }),
            options: { costs, failures, checkpointIntervalS: fails ? 15 : Infinity },
          });
          const observer = {
            gpuState: ({ residents }: { readonly residents: readonly string[] }) => {
              if (residents.length > 1) shared += 1;
            },
          };
          const policy = policyOn(given, name, { intervalS });
          const { done, rejected } = simulate(given, policy, observer).summary.jobs;
          assert.equal(done + rejected, specs.length);
        },
      ),
      { numRuns: 100 },
    );
    assert.ok(shared > 100, String(shared));
  });

  it('wants a whole number of jobs in a group', () => {
    assert.throws(
      () => policyOn(world([]), 'muri-l', { packingNum: 2.5 }),
      /policy 'muri-l': packingNum is 2.5, expected a whole number/,
    );
  });
});
