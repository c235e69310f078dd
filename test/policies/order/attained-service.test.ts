import assert from 'node:assert/strict';
import { AttainedService } from '../../../policies/order/attained-service.ts';
import type { JobSpec } from '../../../sim/job.ts';
import { clusterOf, worldOf } from '../../support/flat.ts';
import { job, rowsById, run, schedule } from '../schedule.ts';

function world(gpusPerNode: number, jobs: readonly JobSpec[], costs = {}) {
  return worldOf({ jobs, cluster: clusterOf({ gpusPerNode }), options: { costs } });
}

describe('policies/order/attained-service', () => {
  const limits = { queues: 2, limits: '100' };

  it('lets a job fall at the very instant at which it reaches the limit', () => {
    // 100 GPU-seconds are reached at 100 on one GPU and at 50 on two.
    const one = [job('a', 0, 1, 300), job('b', 30, 1, 20)];
    assert.deepEqual(schedule(run(world(1, one), 'tiresias', limits)).b, [100, 120]);
    const two = [job('a', 0, 2, 300), job('b', 30, 2, 20)];
    assert.deepEqual(schedule(run(world(2, two), 'tiresias', limits)).b, [50, 70]);
    const time = { ...limits, service: 'time' };
    assert.deepEqual(schedule(run(world(2, two), 'tiresias', time)).b, [100, 120]);
  });

  it('counts the time that a job runs, not the time that it starts', () => {
    const jobs = [job('a', 0, 1, 300), job('b', 30, 1, 20)];
    const costs = { start: 25, restart: 0, checkpoint: 0 };
    // a runs from 25 and falls at 125; b starts for 25 s and runs 20 s.
    assert.deepEqual(schedule(run(world(1, jobs, costs), 'tiresias', limits)).b, [125, 170]);
  });

  it('knows that a job fell while nobody waited', () => {
    // a fell at 100; b, which comes at 150, preempts it at once.
    const jobs = [job('a', 0, 1, 300), job('b', 150, 1, 20)];
    assert.deepEqual(schedule(run(world(1, jobs), 'tiresias', limits)).b, [150, 170]);
  });

  it('is first come first served within a queue, running jobs first', () => {
    const jobs = [job('a', 0, 1, 90), job('b', 10, 1, 90), job('c', 20, 1, 90)];
    const expected = { a: [0, 90], b: [90, 180], c: [180, 270] };
    assert.deepEqual(schedule(run(world(1, jobs), 'tiresias', limits)), expected);
  });

  it('puts a job that falls behind those that fell before', () => {
    // a falls at 100, b runs 100 .. 200 and falls behind a, which then runs to its end.
    const jobs = [job('a', 0, 1, 150), job('b', 10, 1, 150)];
    assert.deepEqual(schedule(run(world(1, jobs), 'tiresias', limits)), {
      a: [0, 250],
      b: [100, 300],
    });
  });

  it('promotes a job that has waited too long, when told', () => {
    // a falls at 100 and waits; with a knob of 1 it rises at 200, behind e, which runs 370 .. 460, and
    // before f. Without the knob it waits for f, too.
    const jobs = [0, 1, 2, 3, 4].map((i) =>
      job('abcde'[i] as string, 10 * i, 1, i === 0 ? 150 : 90),
    );
    const late = job('f', 300, 1, 90);
    const all = [...jobs, late];
    assert.equal(rowsById(run(world(1, all), 'tiresias', limits)).a?.endS, 600);
    const promoted = rowsById(run(world(1, all), 'tiresias', { ...limits, promoteKnob: 1 }));
    assert.equal(promoted.a?.endS, 510);
    assert.equal(promoted.f?.startS, 510);
  });

  it('refuses limits that do not ascend', () => {
    for (const bad of [[0], [5, 5], [7, 3], [Number.NaN]]) {
      const options = { service: 'time', promoteKnob: 0, demotion: 'exact' } as const;
      assert.throws(() => new AttainedService({ ...options, limits: bad }), /expected to ascend/);
    }
    assert.throws(
      () => run(world(1, []), 'tiresias', { queues: 4, limits: '1,2' }),
      /queues is 4, expected a whole number of at most limits \+ 1/,
    );
  });
});
