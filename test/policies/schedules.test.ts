import assert from 'node:assert/strict';
import type { JobSpec } from '../../sim/job.ts';
import type { SimulationConfig } from '../../sim/simulate.ts';
import { clusterOf, flatGpu, flatProfile, profileSet, worldOf } from '../support/flat.ts';
import { job, rowsById, run, schedule } from './schedule.ts';

/** Flat GPUs in one node, nothing costs time. */
function node(gpusPerNode: number, jobs: readonly JobSpec[]): SimulationConfig {
  return worldOf({ jobs, cluster: clusterOf({ gpusPerNode }) });
}

describe('policies', () => {
  // Two GPUs; a takes one until 100, b wants both, c wants one for 50 s.
  const blocked = node(2, [job('a', 0, 1, 100), job('b', 1, 2, 10), job('c', 2, 1, 50)]);

  it('fifo lets the first job that does not fit block those behind it', () => {
    assert.deepEqual(schedule(run(blocked, 'fifo')), { a: [0, 100], b: [100, 110], c: [110, 160] });
  });

  it('fifo-fit skips the job that does not fit', () => {
    assert.deepEqual(schedule(run(blocked, 'fifo-fit')), {
      a: [0, 100],
      b: [100, 110],
      c: [2, 52],
    });
  });

  it('easy starts a later job that ends before the head can start', () => {
    // Shadow time of b is 100, c would end at 52.
    assert.deepEqual(schedule(run(blocked, 'easy')), { a: [0, 100], b: [100, 110], c: [2, 52] });
  });

  it('easy does not start a later job that would delay the head, as fifo-fit does', () => {
    // c would end at 152, after the shadow time 100, and the head leaves no GPU to spare.
    const world = node(2, [job('a', 0, 1, 100), job('b', 1, 2, 10), job('c', 2, 1, 150)]);
    assert.deepEqual(schedule(run(world, 'easy')).c, [110, 260]);
    assert.deepEqual(schedule(run(world, 'fifo-fit')).b, [152, 162]);
  });

  it('easy starts a long job on GPUs that the head will not need, as many as those are', () => {
    // At 100 four GPUs are free and the head needs three: one is extra. c takes it, d must wait.
    const world = node(4, [
      job('a', 0, 2, 100),
      job('b', 1, 3, 10),
      job('c', 2, 1, 500),
      job('d', 3, 1, 500),
    ]);
    assert.deepEqual(schedule(run(world, 'easy')), {
      a: [0, 100],
      b: [100, 110],
      c: [2, 502],
      d: [110, 610],
    });
  });

  it('easy keeps its reservation on the type that has room first, and none on the others', () => {
    // The fast type (twice as fast) is free at 50, the slow one at 400: the head is reserved for on
    // the fast one. d would end at 3 + 200 / 2 on it, too late; on the slow one it starts at once.
    const fast = flatGpu({ name: 'fast' });
    const profiles = profileSet(
      [flatGpu(), fast],
      [
        flatProfile(),
        flatProfile({ gpuType: 'fast', time: { hostS: 0, memoryS: 0, coreS: 0.5, q: 1 } }),
      ],
    );
    const jobs = [
      job('a', 0, 1, 100, { gpuTypes: ['fast'] }),
      job('b', 0, 1, 400, { gpuTypes: ['flat'] }),
      job('c', 2, 2, 10),
      job('d', 3, 1, 200),
      job('e', 4, 1, 80, { gpuTypes: ['fast'] }),
    ];
    const cluster = clusterOf({ gpusPerNode: 2 }, { gpuType: 'fast', gpusPerNode: 2 });
    const rows = rowsById(run(worldOf({ jobs, cluster, profiles }), 'easy'));
    assert.deepEqual([rows.c?.startS, rows.c?.gpuTypes], [50, ['fast']]);
    assert.deepEqual([rows.d?.startS, rows.d?.gpuTypes], [3, ['flat']]);
    // e ends at 4 + 40 on the fast type, in time for the head.
    assert.deepEqual([rows.e?.startS, rows.e?.endS], [4, 44]);
  });

  it('sjf starts the shortest job that waits, with head-of-line blocking or without', () => {
    // At 10 both GPUs are free; order is d (5), c (20), b (30); b takes both.
    const jobs = [job('a', 0, 2, 10), job('b', 1, 1, 30), job('c', 2, 2, 20), job('d', 3, 1, 5)];
    const expected = { a: [0, 10], b: [35, 65], c: [15, 35], d: [10, 15] };
    assert.deepEqual(schedule(run(node(2, jobs), 'sjf')), expected);
    // Without blocking, b starts beside d and c waits for both GPUs.
    const skipping = { a: [0, 10], b: [10, 40], c: [40, 60], d: [10, 15] };
    assert.deepEqual(schedule(run(node(2, jobs), 'sjf', { walk: 'fit-first' })), skipping);
  });

  it('srtf preempts the job with the longest remaining time', () => {
    // b is shorter than what is left of a at 10 (90 s); c at 20 is longer than the rest of b (20 s).
    const jobs = [job('a', 0, 1, 100), job('b', 10, 1, 30), job('c', 20, 1, 25)];
    const rows = rowsById(run(node(1, jobs), 'srtf'));
    assert.deepEqual([rows.b?.startS, rows.b?.endS], [10, 40]);
    assert.deepEqual([rows.c?.startS, rows.c?.endS], [40, 65]);
    assert.deepEqual([rows.a?.startS, rows.a?.endS, rows.a?.preemptions], [0, 155, 1]);
  });

  it('srtf pays for checkpoint and restart, and the winner waits for the checkpoint', () => {
    // a starts until 2, runs to 10, writes its checkpoint until 15; b then starts until 17, runs to
    // 27; a restarts until 30 and has 92 s left.
    const jobs = [job('a', 0, 1, 100), job('b', 10, 1, 10)];
    const costs = { start: 2, restart: 3, checkpoint: 5 };
    const world = worldOf({ jobs, options: { costs } });
    assert.deepEqual(schedule(run(world, 'srtf')), { a: [0, 122], b: [15, 27] });
  });

  it('srtf keeps every job that it goes on with on its GPUs', () => {
    const jobs = [job('a', 0, 1, 100), job('b', 0, 1, 90), job('c', 10, 1, 20)];
    const rows = rowsById(run(node(2, jobs), 'srtf'));
    assert.deepEqual([rows.b?.preemptions, rows.b?.gpus], [0, [0]]);
    assert.deepEqual([rows.a?.preemptions, rows.c?.gpus], [1, [1]]);
  });

  it('srtf moves a job to another type rather than let it wait', () => {
    // c fits on the first type only, where a runs; a is longer, and the other type is free.
    const profiles = profileSet(
      [flatGpu(), flatGpu({ name: 'other' })],
      [flatProfile(), flatProfile({ gpuType: 'other' })],
    );
    const jobs = [job('a', 0, 1, 100), job('c', 10, 1, 20, { gpuTypes: ['flat'] })];
    const cluster = clusterOf({}, { gpuType: 'other' });
    const rows = rowsById(run(worldOf({ jobs, cluster, profiles }), 'srtf'));
    assert.deepEqual([rows.c?.startS, rows.c?.endS], [10, 30]);
    assert.deepEqual([rows.a?.endS, rows.a?.gpuTypes, rows.a?.preemptions], [100, ['other'], 1]);
  });

  it('srsf weighs the remaining time by the GPUs, where srtf does not', () => {
    // a has 4 x 50 GPU-seconds, b 1 x 100: srtf goes on with a, srsf prefers b.
    const jobs = [job('a', 0, 4, 50), job('b', 10, 1, 100)];
    assert.deepEqual(schedule(run(node(4, jobs), 'srtf')).b, [50, 150]);
    assert.deepEqual(schedule(run(node(4, jobs), 'srsf')), { a: [0, 150], b: [10, 110] });
  });

  it('smallest-first preempts a larger gang for a smaller one, however long', () => {
    const jobs = [job('a', 0, 2, 50), job('b', 10, 1, 1000)];
    assert.deepEqual(schedule(run(node(2, jobs), 'smallest-first')), {
      a: [0, 1050],
      b: [10, 1010],
    });
  });

  it('tiresias lets a job run to its limit and then prefers those that have had less', () => {
    // a reaches 3250 GPU-seconds on two GPUs at 1625 and gives way to b; fifo would not.
    const jobs = [job('a', 0, 2, 5000), job('b', 100, 2, 100)];
    assert.deepEqual(schedule(run(node(2, jobs), 'tiresias')), { a: [0, 5100], b: [1625, 1725] });
    assert.deepEqual(schedule(run(node(2, jobs), 'fifo')).b, [5000, 5100]);
  });

  it('spreads a gang over nodes, and waits for a whole node when that is strict', () => {
    const jobs = [job('a', 0, 1, 100), job('b', 0, 1, 50), job('c', 10, 2, 10)];
    const world = worldOf({ jobs, cluster: clusterOf({ nodes: 2, gpusPerNode: 2 }) });
    // Best fit puts b beside a; two nodes of three GPUs leave no node whole for a gang of four.
    assert.deepEqual(schedule(run(world, 'fifo')).c, [10, 20]);
    const gang = [job('a', 0, 2, 100), job('b', 0, 2, 50), job('c', 10, 2, 10)];
    const wide = worldOf({ jobs: gang, cluster: clusterOf({ nodes: 2, gpusPerNode: 3 }) });
    assert.deepEqual(rowsById(run(wide, 'fifo')).c?.gpus, [2, 5]);
    assert.equal(rowsById(run(wide, 'fifo', { strict: true })).c?.startS, 50);
  });

  it('takes the first type of the cluster, or the fastest when told', () => {
    const profiles = profileSet(
      [flatGpu(), flatGpu({ name: 'fast' })],
      [
        flatProfile(),
        flatProfile({ gpuType: 'fast', time: { hostS: 0, memoryS: 0, coreS: 0.5, q: 1 } }),
      ],
    );
    const world = worldOf({ profiles, cluster: clusterOf({}, { gpuType: 'fast' }) });
    assert.deepEqual(schedule(run(world, 'fifo')), { a: [0, 100] });
    assert.deepEqual(schedule(run(world, 'fifo', { types: 'fastest' })), { a: [0, 50] });
  });

  it('runs a gang over several types when no type is large enough', () => {
    const profiles = profileSet(
      [flatGpu(), flatGpu({ name: 'other' })],
      [flatProfile(), flatProfile({ gpuType: 'other' })],
    );
    const cluster = clusterOf({ gpusPerNode: 2 }, { gpuType: 'other' });
    for (const name of ['fifo', 'fifo-fit', 'easy', 'srtf', 'tiresias']) {
      const jobs = [job('a', 0, 3, 100), job('b', 10, 1, 50)];
      const rows = rowsById(run(worldOf({ jobs, cluster, profiles }), name));
      assert.deepEqual(rows.a?.gpus, [0, 1, 2], name);
    }
  });

  it('runs at a fixed clock when told', () => {
    // 0.8 of the reference clock: 100 s of work take 125 s, but for the 30 ms at the old clock.
    const rows = rowsById(run(worldOf({}), 'fifo', { clock: 0.85 }));
    assert.ok(Math.abs((rows.a?.endS ?? 0) - (0.03 + (100 - 0.03) / 0.8)) < 1e-9);
  });
});
