import assert from 'node:assert/strict';
import { LeastAttained } from '../../../policies/order/least-attained.ts';
import { clusterOf, worldOf } from '../../support/flat.ts';
import { job, rowsById, run, schedule } from '../schedule.ts';

describe('policies/order/least-attained', () => {
  it('lets jobs take turns at the ends of rounds, which fifo does not', () => {
    // What a has had counts from 10 on: b runs to 20, when both have had 10 and a, the earlier, goes on;
    // at 30 a has had 20, and b runs its other 10 s. a has 80 left at 40.
    const world = worldOf({ jobs: [job('a', 0, 1, 100), job('b', 5, 1, 20)] });
    assert.deepEqual(schedule(run(world, 'las', { roundS: 10 })), { a: [0, 120], b: [10, 40] });
    assert.deepEqual(schedule(run(world, 'fifo')), { a: [0, 100], b: [100, 120] });
  });

  it('weighs the time by the GPUs', () => {
    // At 30 a has had 60 GPU-seconds on two GPUs and b, which comes then, nothing.
    const jobs = [job('a', 0, 2, 100), job('b', 30, 1, 200)];
    const world = worldOf({ jobs, cluster: clusterOf({ gpusPerNode: 2 }) });
    const { a, b } = rowsById(run(world, 'las', { roundS: 10 }));
    assert.ok(a !== undefined && b !== undefined);
    assert.equal(b.startS, 30);
    // b has had as much at 90, when the earlier goes on: a for a round, b for two rounds of the same
    // service, and so on. a has 70 s left at 90, seven rounds that begin at 90, 120 .. 270; b has had
    // 60 + 6 x 20 s by then and runs its last 20 s from 280 on.
    assert.deepEqual([a.endS, b.endS], [280, 300]);
  });

  it('refuses a round of no length', () => {
    assert.throws(() => new LeastAttained(0), /a round is 0 s, expected above 0/);
  });
});
