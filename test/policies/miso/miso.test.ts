import assert from 'node:assert/strict';
import fc from 'fast-check';
import { JoinableGpus } from '../../../policies/miso/joinable.ts';
import type { JobSpec } from '../../../sim/job.ts';
import { simulate } from '../../../sim/simulate.ts';
import { close } from '../../support/close.ts';
import { clusterOf, flatGpu, flatProfile, profileSet, worldOf } from '../../support/flat.ts';
import { job, policyOn, rowsById, run, schedule } from '../schedule.ts';

/** A GPU of seven slices with 2 GiB each, and one that cannot be partitioned. */
const sliced = flatGpu({ memoryGib: 14, migSlices: [1 / 7, 2 / 7, 3 / 7, 4 / 7, 1] });
const whole = flatGpu({ name: 'whole', migSlices: [] });
const profiles = profileSet(
  [sliced, whole],
  [
    flatProfile(),
    flatProfile({ gpuType: 'whole' }),
    // Four sevenths of the SMs are all that it can use.
    flatProfile({ workload: 'four', smDemand: 4 / 7 }),
    flatProfile({ workload: 'four', gpuType: 'whole', smDemand: 4 / 7 }),
    flatProfile({ workload: 'large', memoryGib: 8 }),
    flatProfile({ workload: 'middle', memoryGib: 4 }),
    flatProfile({ workload: 'huge', memoryGib: 9 }),
  ],
);
const world = (jobs: readonly JobSpec[], gpusPerNode = 1, costs = {}) =>
  worldOf({ jobs, profiles, cluster: clusterOf({ gpusPerNode }), options: { costs } });

function ends(times: Record<string, [number, number]>, expected: Record<string, number>): void {
  for (const [id, endS] of Object.entries(expected)) close(times[id]?.[1] ?? NaN, endS, 1e-9, id);
}

describe('miso', () => {
  const two = [job('a', 0, 1, 100), job('b', 10, 1, 30)];

  it('slices a GPU for a second job, where fifo lets it wait', () => {
    // Two slices of 3/7 are the only partition for two: b takes 70 s; a has done 10 + 30, and goes on alone.
    const times = schedule(run(world(two), 'miso', { profileS: 0 }));
    ends(times, { a: 140, b: 80 });
    assert.equal(times.b?.[0], 10);
    assert.deepEqual(schedule(run(world(two), 'fifo')).b, [100, 130]);
  });

  it('lets both run under MPS before, to be profiled', () => {
    // Half speed from 10 to 40, 15 s of work each; b has 15 left at 3/7, 35 s; a 100 - 10 - 15 - 15.
    ends(schedule(run(world(two), 'miso')), { a: 135, b: 75 });
  });

  it('pays for every checkpoint and restart', () => {
    // a runs from 1; checkpoint until 12, MPS with a from 15 and b from 13, so b does 2 + 15 and a 9 + 15
    // until 45, thirty seconds after both run. Checkpoints until 47, on slices from 50: b has 13 s left,
    // 30.33 s, and a does as much. Then checkpoint, whole GPU, 63 s left.
    const costs = { start: 1, checkpoint: 2, restart: 3 };
    const result = run(
      world([job('a', 0, 1, 100), job('b', 10, 1, 30)], 1, { ...costs, start: 1 }),
      'miso',
    );
    const bS = 50 + (13 * 7) / 3;
    const start = rowsById(result).b?.startS ?? NaN;
    // b starts for the first time when a has written its checkpoint.
    assert.equal(start, 12);
    ends(schedule(result), { b: bS, a: bS + 5 + 63 });
  });

  it('finds the partition of the paper, or that of the released search', () => {
    // Beside two that can use all, one that can use 4/7. Slices 2, 1 and 4 give 3/7 + 1 of the speeds
    // alone, slices 3, 2 and 2 5/7 + 1/2; slowdowns are 3.5 + 7 + 1 or 2.33 + 3.5 + 2.
    const jobs = [
      job('a', 0, 1, 1e3),
      job('b', 0, 1, 1e3),
      job('c', 1, 1, 10, { workload: 'four' }),
    ];
    const endOf = (options: Record<string, unknown>) =>
      schedule(run(world(jobs), 'miso', { profileS: 0, ...options })).c?.[1] ?? NaN;
    close(endOf({}), 11);
    close(endOf({ objective: 'mean-slowdown' }), 21);
  });

  it('takes a free GPU, then the one with the fewest jobs whose slices hold the job', () => {
    const jobs = [
      job('a', 0, 1, 1000),
      job('b', 1, 1, 1000),
      job('c', 2, 1, 1000),
      job('d', 3, 1, 1000),
      job('e', 4, 1, 100, { workload: 'huge' }),
    ];
    const rows = rowsById(run(world(jobs, 2), 'miso', { profileS: 0 }));
    const places = ['a', 'b', 'c', 'd'].map((id) => rows[id]?.gpus[0]);
    assert.deepEqual(places, [0, 1, 0, 1]);
    // No slice but the whole GPU has 9 GiB.
    assert.ok((rows.e?.startS ?? 0) > 1000);
  });

  it('leaves a slice idle where no partition has as many as jobs', () => {
    // 8 and 4 GiB need slices of 4 and 2; the only two slices of a partition are 3 and 3. So 4, 2 and an
    // idle 1: a does 10 + 40, b 20 in 70 s; a is alone then with 50 s left.
    const jobs = [
      job('a', 0, 1, 100, { workload: 'large' }),
      job('b', 10, 1, 20, { workload: 'middle' }),
    ];
    ends(schedule(run(world(jobs), 'miso', { profileS: 0 })), { b: 80, a: 130 });
  });

  it('lets no job join while a GPU is being partitioned', () => {
    const jobs = [...two, job('c', 11, 1, 10)];
    const result = run(world(jobs), 'miso');
    // c waits for the end of profiling at 40.
    assert.equal(rowsById(result).c?.startS, 40);
  });

  it('gives gangs, and jobs on other GPUs, whole ones', () => {
    const jobs = [job('a', 0, 2, 50), job('b', 1, 1, 10)];
    assert.deepEqual(schedule(run(world(jobs, 2), 'miso')), { a: [0, 50], b: [50, 60] });
    const other = worldOf({
      profiles,
      jobs: two.map((one) => ({ ...one, gpuTypes: ['whole'] })),
      cluster: clusterOf({ gpuType: 'whole' }),
    });
    assert.deepEqual(schedule(run(other, 'miso')).b, [100, 130]);
  });

  it('takes slices as the profile of the GPU type rounds them', () => {
    const migSlices = [0.142857, 0.285714, 0.428571, 0.571429, 1];
    const rounded = profileSet([{ ...sliced, migSlices }], [flatProfile()]);
    const given = worldOf({ jobs: two, profiles: rounded });
    close(schedule(run(given, 'miso', { profileS: 0 })).b?.[1] ?? NaN, 80, 1e-5);
  });

  it('puts a job on its slice and no more than seven on a GPU', () => {
    const jobs = Array.from({ length: 9 }, (_, i) => job(String(i), i, 1, 1000));
    const given = world(jobs);
    let most = 0;
    simulate(given, policyOn(given, 'miso', { profileS: 0 }), {
      gpuState: ({ shares }) => {
        most = Math.max(most, shares.length);
        if (shares.length > 1) assert.ok(shares.reduce((sum, share) => sum + share, 0) <= 1 + 1e-9);
      },
    });
    assert.equal(most, 7);
  });

  it('finishes all jobs, whatever happens', () => {
    const jobs = fc
      .array(
        fc.record({
          waitS: fc.integer({ min: 0, max: 40 }),
          gpus: fc.constantFrom(1, 1, 1, 1, 2, 4),
          durationS: fc.integer({ min: 0, max: 120 }),
          workload: fc.constantFrom('flat', 'flat', 'four'),
          memoryGib: fc.constantFrom(0.5, 2, 3, 6, 14),
        }),
        { minLength: 1, maxLength: 25 },
      )
      .map((drawn) => {
        let submitS = 0;
        return drawn.map(({ waitS, gpus, durationS, ...over }, i) => {
          submitS += waitS;
          return job(String(i), submitS, gpus, durationS, over);
        });
      });
    fc.assert(
      fc.property(
        jobs,
        fc.constantFrom({}, { start: 3, restart: 5, checkpoint: 2 }),
        fc.constantFrom(0, 30),
        fc.boolean(),
        fc.nat(),
        (specs, costs, profileS, fails, seed) => {
          const failures = fails
            ? { gpuMtbfS: 900, gpuRepairS: 20, nodeMtbfS: 2000, nodeRepairS: 60, clientMtbfS: 400 }
            : {};
          const given = worldOf({
            jobs: specs,
            profiles,
            seed,
            cluster: clusterOf({ nodes: 2, gpusPerNode: 2 }, { gpuType: 'whole', nodes: 1 }),
            options: { costs, failures, checkpointIntervalS: fails ? 15 : Infinity },
          });
          const { jobs: count } = run(given, 'miso', { profileS }).summary;
          assert.equal(count.done, specs.length);
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('the index of GPUs that can be joined', () => {
  it('prefers fewer jobs, then the lower number, among those with the slice', () => {
    const gpus = new JoinableGpus(8);
    gpus.set(5, 2, 4);
    gpus.set(3, 1, 2);
    gpus.set(4, 1, 1);
    assert.deepEqual([gpus.fewest(1), gpus.fewest(3), gpus.fewest(7)], [3, 5, -1]);
    gpus.set(2, 1, 3);
    assert.equal(gpus.fewest(1), 2);
    gpus.set(2, 1, 0);
    assert.deepEqual([gpus.fewest(1), gpus.jobsOn(5), gpus.jobsOn(2)], [3, 2, Infinity]);
  });
});
