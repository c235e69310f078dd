import assert from 'node:assert/strict';
import type { JobSpec } from '../../sim/job.ts';
import { clusterOf, flatGpu, flatProfile, profileSet, worldOf } from '../support/flat.ts';
import { job, rowsById, run } from './schedule.ts';

const pair = (a: string, b: string, speed: number) => ({
  gpuType: 'flat',
  workloads: [a, b] as const,
  speeds: [speed, speed] as const,
  source: 'made up',
});

/**
 * light beside light runs at full speed, beside flat both at 0.96, so its score is 0 (mean 0.98); flat
 * beside flat runs at half speed, so its score is 2 (mean 0.73).
 */
const profiles = profileSet(
  [flatGpu()],
  [flatProfile(), flatProfile({ workload: 'light' })],
  [pair('light', 'light', 1), pair('light', 'flat', 0.96)],
);

function world(gpusPerNode: number, jobs: readonly JobSpec[], nodes = 1) {
  return worldOf({ jobs, profiles, cluster: clusterOf({ gpusPerNode, nodes }) });
}

const light = { workload: 'light' };

describe('lucid', () => {
  it('packs a job beside a running one even where a GPU is free, which fifo does not', () => {
    // b joins a at 10; both run at 0.96. b is done after 48 / 0.96 = 50 s, a has 100 - 10 - 48 = 42 left.
    const jobs = [job('a', 0, 1, 100), job('b', 10, 1, 48, light)];
    const rows = rowsById(run(world(2, jobs), 'lucid'));
    assert.deepEqual([rows.b?.gpus, rows.b?.startS], [[0], 10]);
    assert.ok(Math.abs((rows.b?.endS ?? 0) - 60) < 1e-9);
    // The survivor has its whole speed again.
    assert.ok(Math.abs((rows.a?.endS ?? 0) - 102) < 1e-9);
    assert.deepEqual(rowsById(run(world(2, jobs), 'fifo')).b?.gpus, [1]);
  });

  it('goes by scores, by who is alone, and by the order of starting', () => {
    // b (score 2) cannot join a (2): the other GPU. c joins a, the first to start; d then joins b. e
    // finds nobody alone and waits for c, d: at 3 + 40 / 0.96.
    const jobs = [
      job('a', 0, 1, 100),
      job('b', 1, 1, 100),
      job('c', 2, 1, 40, light),
      job('d', 3, 1, 40, light),
      job('e', 4, 1, 50, light),
    ];
    const rows = rowsById(run(world(2, jobs), 'lucid'));
    assert.deepEqual(
      ['a', 'b', 'c', 'd', 'e'].map((id) => rows[id]?.gpus),
      [[0], [1], [0], [1], [0]],
    );
    assert.ok(Math.abs((rows.e?.startS ?? 0) - (2 + 40 / 0.96)) < 1e-9);
  });

  it('does not join a job that is less than half as long', () => {
    const join = (durationS: number) => {
      const jobs = [job('a', 0, 1, 50), job('b', 1, 1, durationS, light)];
      return rowsById(run(world(1, jobs), 'lucid')).b?.startS;
    };
    assert.deepEqual([join(100), join(101)], [1, 50]);
  });

  it('does not over-commit memory', () => {
    const join = (memoryGib: number) => {
      const jobs = [
        job('a', 0, 1, 50, { memoryGib: 8 }),
        job('b', 1, 1, 50, { ...light, memoryGib }),
      ];
      return rowsById(run(world(1, jobs), 'lucid')).b?.startS;
    };
    // Less than 16 GiB together, as released.
    assert.deepEqual([join(7.9), join(8)], [1, 50]);
  });

  it('lets gangs of one size share all their GPUs, if those are in one node', () => {
    const jobs = [
      job('a', 0, 2, 100, light),
      job('b', 1, 2, 100, light),
      job('c', 2, 1, 10, light),
    ];
    const rows = rowsById(run(world(2, jobs), 'lucid'));
    assert.deepEqual([rows.b?.gpus, rows.b?.startS], [[0, 1], 1]);
    // Another size finds nobody to join, and no GPU before b has left, too.
    assert.equal(rows.c?.startS, 101);
    // Nobody joins a gang over two nodes of one GPU: at 100 c, the shorter, goes first, then b.
    const spread = rowsById(run(world(1, jobs, 2), 'lucid'));
    assert.deepEqual([spread.c?.startS, spread.b?.startS], [100, 110]);
  });

  it('starts waiting jobs by expected duration x GPUs, skipping those that do not fit', () => {
    // At 10 two GPUs are free: c (20) before b (2 x 15 = 30), which then does not fit; d (40) does.
    const jobs = [job('a', 0, 2, 10), job('b', 1, 2, 15), job('c', 2, 1, 20), job('d', 3, 1, 40)];
    const rows = rowsById(run(world(2, jobs), 'lucid'));
    assert.deepEqual([rows.c?.startS, rows.d?.startS, rows.b?.startS], [10, 10, 50]);
  });

  it('waits for whole nodes with a gang larger than one', () => {
    // Free at 1: one GPU in the first node, two in the second; three need a whole node and one more.
    const jobs = [job('a', 0, 1, 20), job('b', 0, 1, 50), job('c', 1, 3, 10)];
    const rows = rowsById(run(world(2, jobs, 2), 'lucid'));
    assert.deepEqual([rows.b?.gpus, rows.c?.startS], [[1], 20]);
  });
});
