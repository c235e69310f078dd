import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JobSpec } from '../../sim/job.ts';
import { close } from '../support/close.ts';
import { clusterOf, flatGpu, flatProfile, profileSet, worldOf } from '../support/flat.ts';
import { job, rowsById, run, schedule } from './schedule.ts';

/** Always busy, on half of the SMs, on seven tenths, on all of them with much or little memory. */
const profiles = profileSet(
  [flatGpu()],
  [
    flatProfile(),
    flatProfile({ workload: 'half', smDemand: 0.5 }),
    flatProfile({ workload: 'most', smDemand: 0.7 }),
    flatProfile({ workload: 'large', smDemand: 0.5, memoryGib: 16 }),
  ],
);

const guaranteed = (id: string, submitS: number, gpus: number, workload = 'half'): JobSpec =>
  job(id, submitS, gpus, 100, { workload, priority: 'guaranteed' });
const opportunistic = (id: string, submitS: number, gpus: number, workload = 'flat'): JobSpec =>
  job(id, submitS, gpus, 100, { workload, priority: 'opportunistic' });

const world = (jobs: readonly JobSpec[], gpusPerNode = 1, costs = {}) =>
  worldOf({ jobs, profiles, cluster: clusterOf({ gpusPerNode }), options: { costs } });

describe('antman', () => {
  it('lets an opportunistic job take what a guaranteed one leaves, where fifo lets it wait', () => {
    // o has half of the SMs from 10 to 100, 45 s of work, and all from then on: 55 more.
    const jobs = [guaranteed('g', 0, 1), opportunistic('o', 10, 1)];
    const result = run(world(jobs), 'antman');
    assert.deepEqual(schedule(result), { g: [0, 100], o: [10, 155] });
    assert.equal(result.summary.restarts, 1);
    assert.deepEqual(schedule(run(world(jobs), 'fifo')).o, [100, 200]);
  });

  it('restarts an opportunistic job with its residual when a guaranteed one comes', () => {
    // o: 10 s alone; checkpoint until 12, restart until 15, 47.5 s of work until 110 beside g;
    // checkpoint until 112, restart until 115, 42.5 s left.
    const jobs = [opportunistic('o', 0, 1), guaranteed('g', 10, 1)];
    const costs = { start: 0, checkpoint: 2, restart: 3 };
    assert.deepEqual(schedule(run(world(jobs, 1, costs), 'antman')), {
      o: [0, 157.5],
      g: [10, 110],
    });
  });

  it('gives guaranteed jobs free GPUs before those of opportunistic ones', () => {
    const jobs = [opportunistic('o', 0, 1), guaranteed('g', 1, 1), guaranteed('h', 2, 1)];
    const rows = rowsById(run(world(jobs, 2), 'antman'));
    assert.deepEqual([rows.o?.gpus, rows.g?.gpus, rows.h?.gpus], [[0], [1], [0]]);
  });

  it('starts guaranteed jobs before opportunistic ones that came earlier', () => {
    const first = job('a', 0, 1, 50, { workload: 'large', priority: 'guaranteed' });
    const jobs = [first, opportunistic('o', 1, 1, 'large'), guaranteed('g', 2, 1, 'large')];
    const times = schedule(run(world(jobs), 'antman'));
    assert.deepEqual(
      [times.g, times.o],
      [
        [50, 150],
        [150, 250],
      ],
    );
  });

  it('keeps opportunistic jobs off GPUs that are used more than 0.8', () => {
    const jobs = [guaranteed('g', 0, 1, 'flat'), opportunistic('o', 10, 1)];
    assert.deepEqual(schedule(run(world(jobs), 'antman')).o, [100, 200]);
    // Nothing is left for it, so it has one hundredth, and takes as much: g asks for 1 of 1.01.
    const times = schedule(run(world(jobs), 'antman', { maxUtilisation: 1 }));
    assert.equal(times.o?.[0], 10);
    close(times.g?.[1] ?? NaN, 10 + 90 * 1.01);
  });

  it('takes the least used GPU, and a gang takes all or none', () => {
    const jobs = [
      guaranteed('g', 0, 1, 'most'),
      guaranteed('h', 0, 1, 'half'),
      opportunistic('o', 1, 1, 'half'),
      opportunistic('p', 2, 2),
    ];
    const rows = rowsById(run(world(jobs, 2), 'antman'));
    assert.deepEqual(rows.o?.gpus, [1]);
    // p waits for the second GPU: two jobs are on it until h ends at 100.
    assert.deepEqual([rows.p?.startS, rows.p?.gpus], [100, [0, 1]]);
  });

  it('runs a gang at the speed of its worst residual', () => {
    // p has 1 on a free GPU and 0.5 beside g: half speed until 100, then full.
    const jobs = [guaranteed('g', 0, 1), opportunistic('p', 0, 2)];
    const rows = rowsById(run(world(jobs, 2), 'antman'));
    assert.deepEqual([rows.p?.gpus, rows.p?.endS], [[1, 0], 150]);
  });

  it('shares a GPU between two opportunistic jobs, and no more', () => {
    const jobs = ['o', 'p', 'q'].map((id) => opportunistic(id, 0, 1, 'half'));
    assert.deepEqual(schedule(run(world(jobs), 'antman')), {
      o: [0, 100],
      p: [0, 100],
      q: [100, 200],
    });
  });

  it('takes jobs without a class as it is told, or draws', () => {
    const jobs = [
      job('a', 0, 1, 100, { workload: 'half' }),
      job('b', 0, 1, 100, { workload: 'half' }),
    ];
    const startOf = (options: Record<string, unknown>) =>
      schedule(run(world(jobs), 'antman', options)).b?.[0];
    assert.equal(startOf({ unclassed: 'guaranteed' }), 100);
    assert.equal(startOf({ unclassed: 'opportunistic' }), 0);
    assert.equal(startOf({ unclassed: 'random', opportunisticPart: 0 }), 100);
    assert.equal(startOf({ unclassed: 'random', opportunisticPart: 1 }), 0);
  });
});

/** Hostile workloads of both classes. */
const mixed: fc.Arbitrary<JobSpec[]> = fc
  .array(
    fc.record({
      waitS: fc.integer({ min: 0, max: 30 }),
      gpus: fc.constantFrom(1, 1, 2, 3),
      durationS: fc.integer({ min: 0, max: 90 }),
      workload: fc.constantFrom('flat', 'half', 'most', 'large'),
      priority: fc.constantFrom('guaranteed' as const, 'opportunistic' as const, null),
    }),
    { minLength: 1, maxLength: 25 },
  )
  .map((drawn) => {
    let submitS = 0;
    return drawn.map(({ waitS, gpus, durationS, workload, priority }, i) => {
      submitS += waitS;
      return job(String(i), submitS, gpus, durationS, { workload, priority });
    });
  });

describe('antman and tgs', () => {
  for (const name of ['antman', 'tgs']) {
    it(`${name} finishes all jobs of both classes, whatever happens`, () => {
      fc.assert(
        fc.property(mixed, fc.boolean(), fc.nat(), (jobs, fails, seed) => {
          const failures = fails ? { gpuMtbfS: 900, gpuRepairS: 20, clientMtbfS: 300 } : {};
          const costs = { start: 3, restart: 5, checkpoint: 2 };
          const given = worldOf({
            jobs,
            profiles,
            seed,
            cluster: clusterOf({ nodes: 2, gpusPerNode: 2 }),
            options: { costs, failures, checkpointIntervalS: fails ? 15 : Infinity },
          });
          assert.equal(run(given, name).summary.jobs.done, jobs.length);
        }),
        { numRuns: 60 },
      );
    });
  }
});
