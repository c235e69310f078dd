import assert from 'node:assert/strict';
import { clusterOf, worldOf } from '../support/flat.ts';
import { job, policyOn, rowsById, run, schedule } from './schedule.ts';

describe('mps-free', () => {
  const jobs = [job('a', 0, 1, 100), job('b', 10, 1, 20), job('c', 20, 1, 10)];

  it('lets two jobs have what they can get of a GPU, where fifo runs one after the other', () => {
    // Both always busy: half speed each. b needs 40 s; a has done 10 + 20 by then and goes on at full
    // speed, until c joins at once: 20 s at half speed, 70 - 10 left.
    const world = worldOf({ jobs });
    assert.deepEqual(schedule(run(world, 'mps-free')), { a: [0, 130], b: [10, 50], c: [50, 70] });
    assert.deepEqual(schedule(run(world, 'fifo')).b, [100, 120]);
    assert.equal(run(world, 'mps-free').summary.restarts, 0);
  });

  it('packs before it spreads, or after', () => {
    const world = worldOf({ jobs, cluster: clusterOf({ gpusPerNode: 2 }) });
    assert.deepEqual(rowsById(run(world, 'mps-free')).b?.gpus, [0]);
    assert.deepEqual(rowsById(run(world, 'mps-free', { fill: 'spread' })).b?.gpus, [1]);
  });

  it('gives gangs the GPUs that they ask for alone', () => {
    const gang = [job('a', 0, 2, 100), job('b', 1, 1, 10)];
    const world = worldOf({ jobs: gang, cluster: clusterOf({ gpusPerNode: 2 }) });
    assert.deepEqual(schedule(run(world, 'mps-free')), { a: [0, 100], b: [100, 110] });
  });

  it('wants a whole number of jobs', () => {
    assert.throws(
      () => policyOn(worldOf({}), 'mps-free', { maxPerGpu: 1.5 }),
      /policy 'mps-free': maxPerGpu is 1.5, expected a whole number/,
    );
  });
});
