import assert from 'node:assert/strict';
import { clusterOf, worldOf } from '../support/flat.ts';
import { job, run, schedule } from './schedule.ts';

describe('qssf', () => {
  // At 10 four GPUs are free; expected services are d 50, c 60, b 80.
  const jobs = [job('a', 0, 4, 10), job('b', 1, 4, 20), job('c', 2, 1, 60), job('d', 3, 2, 25)];
  const world = worldOf({ jobs, cluster: clusterOf({ gpusPerNode: 4 }) });

  it('starts the smallest duration x GPUs first, where fifo and sjf take the short gang', () => {
    const expected = { a: [0, 10], b: [70, 90], c: [10, 70], d: [10, 35] };
    assert.deepEqual(schedule(run(world, 'qssf')), expected);
    assert.deepEqual(schedule(run(world, 'fifo')).b, [10, 30]);
    assert.deepEqual(schedule(run(world, 'sjf')).b, [10, 30]);
  });

  it('blocks behind a job that does not fit, or skips it when told', () => {
    // f (30) is behind b2 (28), which wants all four GPUs while d and c run.
    const late = [...jobs, job('e', 11, 4, 7), job('f', 12, 1, 30)];
    const blocked = worldOf({ jobs: late, cluster: clusterOf({ gpusPerNode: 4 }) });
    assert.equal(schedule(run(blocked, 'qssf')).f?.[0], 77);
    assert.equal(schedule(run(blocked, 'qssf', { walk: 'fit-first' })).f?.[0], 12);
  });
});
