import assert from 'node:assert/strict';
import { clusterOf, flatGpu, flatProfile, profileSet, worldOf } from '../../support/flat.ts';
import { job, rowsById, run, schedule } from '../schedule.ts';

const two = clusterOf({ nodes: 1, gpusPerNode: 2 });
const elastic = { maxGpus: 2 };

describe('elastic-flow', () => {
  it('turns a job away whose deadline cannot be met, where fifo lets it wait', () => {
    // a and b need a GPU each until 100 s. c would need one from 10 s on; d has until 210 s.
    const jobs = [
      job('a', 0, 1, 100, { ...elastic, deadlineS: 100 }),
      job('b', 0, 1, 100, { ...elastic, deadlineS: 100 }),
      job('c', 10, 1, 50, { ...elastic, deadlineS: 60 }),
      job('d', 10, 1, 50, { ...elastic, deadlineS: 200 }),
    ];
    const world = worldOf({ jobs, cluster: two });
    const result = run(world, 'elastic-flow', { intervalS: 0 });
    const rows = rowsById(result);
    assert.deepEqual(result.summary.jobs.rejectedByReason, {
      'policy: its deadline cannot be met': 1,
    });
    assert.equal(rows.c?.state, 'rejected');
    // d gets both GPUs at 100 s: 25 s.
    assert.deepEqual(schedule(result).d, [100, 125]);
    assert.deepEqual(schedule(run(world, 'fifo')).c, [100, 150]);
  });

  it('takes GPUs from a job without a deadline for one that has one', () => {
    const jobs = [job('a', 0, 1, 100), job('b', 10, 1, 20, { deadlineS: 30 })];
    const world = worldOf({ jobs });
    assert.deepEqual(schedule(run(world, 'elastic-flow', { intervalS: 0 })), {
      a: [0, 120],
      b: [10, 30],
    });
    assert.deepEqual(schedule(run(world, 'fifo')), { a: [0, 100], b: [100, 120] });
  });

  it('gives a job its share when it must have it, and before only what is free', () => {
    const found = (deadlineS: number) => {
      const jobs = [job('a', 0, 1, 1000), job('b', 0, 1, 80, { ...elastic, deadlineS })];
      return schedule(run(worldOf({ jobs, cluster: two }), 'elastic-flow', { intervalS: 0 }));
    };
    // One GPU is enough for b.
    assert.deepEqual(found(100), { a: [0, 1000], b: [0, 80] });
    // By 50 s b must have both GPUs from 10 s on at the latest, and has one until then; so at 10 s it can
    // wait until 15 s, then until 17 s, 18 s and 19 s (whole seconds), when it has 61 s left: 30.5 s on
    // both. a has done 19 s by then, and goes on at 49.5 s.
    assert.deepEqual(found(50), { a: [0, 49.5 + 981], b: [0, 49.5] });
  });

  it('grows the gang that loses least by it', () => {
    // A second GPU makes a twice as fast, and takes no more GPU time; it makes b 1.6 times as fast.
    const scaling = { withinNode: 0.8, acrossNodes: 1 };
    const profiles = profileSet(
      [flatGpu()],
      [flatProfile(), flatProfile({ workload: 'sub', scaling })],
    );
    const jobs = [
      job('b', 0, 1, 80, { maxGpus: 2, workload: 'sub' }),
      job('a', 0, 1, 80, { maxGpus: 2 }),
    ];
    const cluster = clusterOf({ nodes: 1, gpusPerNode: 3 });
    const ends = (scaleUp: string) => {
      const world = worldOf({ jobs, cluster, profiles });
      return schedule(run(world, 'elastic-flow', { intervalS: 0, scaleUp }));
    };
    // The third GPU: a runs at 2 until 40 s; then b has 40 s of work left and runs at 1.6.
    assert.deepEqual(ends('least'), { a: [0, 40], b: [0, 65] });
    // As released it goes to b: 1.6 until 50 s, when a has 30 s left and takes 15 s.
    assert.deepEqual(ends('released'), { a: [0, 65], b: [0, 50] });
  });

  it('gives jobs that state no deadline one by their durations when asked', () => {
    const jobs = [job('a', 0, 1, 100), job('b', 0, 1, 100), job('c', 0, 1, 10)];
    const world = worldOf({ jobs });
    const found = run(world, 'elastic-flow', { intervalS: 0, slack: 2 });
    // a and b have until 200 s and c until 20 s: with c, b would be late. b must start at once, a at 100 s.
    const { b, a, c } = schedule(found);
    assert.deepEqual(
      [b, a],
      [
        [0, 100],
        [100, 200],
      ],
    );
    assert.ok(Number.isNaN(c?.[0]));
  });
});

describe('edf', () => {
  const jobs = [
    job('a', 0, 1, 10, { deadlineS: 100 }),
    job('b', 1, 1, 10, { deadlineS: 100 }),
    job('c', 2, 1, 10, { deadlineS: 20 }),
  ];

  it('goes by deadlines, not by submissions', () => {
    const world = worldOf({ jobs });
    assert.deepEqual(schedule(run(world, 'edf')), { a: [0, 10], b: [20, 30], c: [10, 20] });
    assert.deepEqual(schedule(run(world, 'fifo')), { a: [0, 10], b: [10, 20], c: [20, 30] });
  });

  it('takes the GPU from a job with a later deadline when it may preempt', () => {
    // c takes over at 2 s; a goes on at 12 s with 8 s left.
    const world = worldOf({ jobs });
    assert.deepEqual(schedule(run(world, 'edf', { walk: 'preemptive' })), {
      a: [0, 20],
      b: [20, 30],
      c: [2, 12],
    });
  });

  it('gives jobs that state none a deadline by their durations', () => {
    const world = worldOf({ jobs: [job('a', 0, 1, 1), job('b', 0, 1, 50), job('c', 0, 1, 10)] });
    assert.deepEqual(schedule(run(world, 'edf')), { a: [0, 1], b: [11, 61], c: [1, 11] });
  });
});
