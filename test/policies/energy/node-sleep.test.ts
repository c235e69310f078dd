import assert from 'node:assert/strict';
import { withNodeSleep } from '../../../policies/energy/index.ts';
import { simulate } from '../../../sim/simulate.ts';
import { close } from '../../support/close.ts';
import { clusterOf, flatGpu, flatProfile, profileSet, worldOf } from '../../support/flat.ts';
import { job, policyOn, rowsById, run } from '../schedule.ts';

const two = clusterOf({ nodes: 2, gpusPerNode: 1 });
const options = { costs: { clockTransition: 0 } };

describe('a policy with sleeping nodes', () => {
  const sleepy = (world: Parameters<typeof simulate>[0], afterS: number) =>
    simulate(world, withNodeSleep(policyOn(world, 'fifo-fit'), { afterS }));

  it('switches an empty node off after its time, and wakes it for who waits', () => {
    // Node 1 goes off at 10 s. b waits for it from 20 s to 80 s (60 s to wake), before a ends.
    const jobs = [job('a', 0, 1, 200), job('b', 20, 1, 10)];
    const world = worldOf({ jobs, cluster: two });
    const result = sleepy(world, 10);
    assert.equal(rowsById(result).b?.startS, 80);
    // a: 200 s at 300 W. Node 1: 10 s idle, 10 s asleep, 60 s waking (idle power), 10 s at 300 W,
    // 10 s idle and 100 s asleep.
    const node1 = 10 * 20 + 10 * 5 + 60 * 20 + 10 * 300 + 10 * 20 + 100 * 5;
    close(result.summary.energyJ.total, 200 * 300 + node1);
  });

  it('never switches one off when the time is infinite', () => {
    const world = worldOf({ jobs: [job('a', 0, 1, 200)], cluster: two });
    close(sleepy(world, Infinity).summary.energyJ.total, 200 * 300 + 200 * 20);
  });
});

describe('edl', () => {
  const rowsOf = (deadlineS: number) => {
    const jobs = [job('a', 0, 1, 100), job('b', 50, 1, 100, { deadlineS })];
    const world = worldOf({ jobs, cluster: two, options });
    return rowsById(run(world, 'edl', { sleepAfterS: 10 }));
  };

  it('lets a job wait for a GPU that is on, where fifo takes another', () => {
    // Energy a step is 50 / x + 250 V^2 J, least at x = 1. Due at 250 s, b may wait until
    // 250 - 0.9 x 100 - 60 = 100 s for a node that is on, and a is done then.
    assert.deepEqual([rowsOf(200).b?.startS, rowsOf(200).b?.endS], [100, 200]);
    const jobs = [job('a', 0, 1, 100), job('b', 50, 1, 100)];
    assert.equal(rowsById(run(worldOf({ jobs, cluster: two }), 'fifo')).b?.startS, 50);
  });

  it('runs a job faster when its deadline asks for it', () => {
    // Due at 190 s it has 90 s from 100 s on: x = 1 takes 100 s, x = 1.2 takes 83.3 s.
    close(rowsOf(140).b?.endS ?? NaN, 100 + 100 / 1.2);
  });
});

describe('eaco', () => {
  /** Busy for 0.4 of its time, so that two fill 0.8 of a GPU. */
  const light = profileSet(
    [flatGpu()],
    [flatProfile({ time: { hostS: 0.6, memoryS: 0, coreS: 0.4, q: 1 } })],
  );
  const startsOf = (maxSlowdown: number, count = 2, more: Record<string, unknown> = {}) => {
    const jobs = Array.from({ length: count }, (_, i) => job(String(i), 0, 1, 100));
    const world = worldOf({ jobs, profiles: light, cluster: clusterOf({}) });
    const rows = rowsById(run(world, 'eaco', { maxSlowdown, ...more }));
    return jobs.map(({ id }) => rows[id]?.startS);
  };

  it('puts two jobs on one GPU where fifo makes the second wait', () => {
    assert.deepEqual(startsOf(3), [0, 0]);
    const jobs = [job('0', 0, 1, 100), job('1', 0, 1, 100)];
    const world = worldOf({ jobs, profiles: light });
    assert.equal(rowsById(run(world, 'fifo'))['1']?.startS, 100);
  });

  it('keeps the bound on the slowdown, on the utilisation and on the number', () => {
    assert.deepEqual(startsOf(1.0001), [0, 100]);
    assert.deepEqual(startsOf(3, 2, { maxUtilisation: 0.7 }), [0, 100]);
    const [, , third] = startsOf(30, 3, { maxUtilisation: 9 });
    assert.ok((third ?? 0) >= 100);
    assert.deepEqual(startsOf(30, 3, { maxUtilisation: 9, maxPerGpu: 3 }), [0, 0, 0]);
  });
});
