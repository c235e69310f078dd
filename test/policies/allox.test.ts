import assert from 'node:assert/strict';
import { clusterOf, flatGpu, flatProfile, profileSet, worldOf } from '../support/flat.ts';
import { job, run, schedule } from './schedule.ts';

const profiles = profileSet(
  [flatGpu(), flatGpu({ name: 'slow' })],
  [flatProfile(), flatProfile({ gpuType: 'slow', time: { hostS: 0, memoryS: 0, coreS: 3, q: 1 } })],
);

describe('allox', () => {
  it('starts the shortest job that waits when a GPU is free', () => {
    const jobs = [job('a', 0, 1, 100), job('b', 1, 1, 50), job('c', 2, 1, 10)];
    assert.deepEqual(schedule(run(worldOf({ jobs }), 'allox')), {
      a: [0, 100],
      b: [110, 160],
      c: [100, 110],
    });
  });

  it('lets a job wait for a fast GPU where the sum of completion times is less', () => {
    // a on the fast GPU and b on the slow one end at 100 and 180; b before a on the fast one at 60 and 160.
    const world = worldOf({
      jobs: [job('a', 0, 1, 100), job('b', 0, 1, 60)],
      cluster: clusterOf({}, { gpuType: 'slow' }),
      profiles,
    });
    assert.deepEqual(schedule(run(world, 'fifo')), { a: [0, 100], b: [0, 180] });
    assert.deepEqual(schedule(run(world, 'allox')), { a: [60, 160], b: [0, 60] });
  });

  it('uses both GPUs where that is better', () => {
    // 100 and 3 x 40 against 40 and 140.
    const world = worldOf({
      jobs: [job('a', 0, 1, 200), job('b', 0, 1, 40)],
      cluster: clusterOf({}, { gpuType: 'slow' }),
      profiles,
    });
    // b on the slow one ends at 120 and a at 200, 320 in all; b before a at 40 and 240 are 280.
    assert.deepEqual(schedule(run(world, 'allox')), { a: [40, 240], b: [0, 40] });
    const twice = profileSet(profiles.gpuTypes, [
      flatProfile(),
      flatProfile({ gpuType: 'slow', time: { hostS: 0, memoryS: 0, coreS: 1.5, q: 1 } }),
    ]);
    // At two thirds of the speed: 60 + 200 against 40 + 240.
    assert.deepEqual(schedule(run({ ...world, profiles: twice }, 'allox')), {
      a: [0, 200],
      b: [0, 60],
    });
  });

  it('looks at the oldest part of the queue alone when told', () => {
    const jobs = [job('a', 0, 1, 100), job('b', 1, 1, 50), job('c', 2, 1, 10), job('d', 3, 1, 5)];
    // At 100 the oldest two thirds of b, c and d are b and c; at 110 that of b and d is b alone.
    assert.deepEqual(schedule(run(worldOf({ jobs }), 'allox', { alpha: 0.67 })), {
      a: [0, 100],
      b: [110, 160],
      c: [100, 110],
      d: [160, 165],
    });
  });

  it('takes the largest gangs first', () => {
    const jobs = [job('a', 0, 2, 100), job('b', 1, 1, 10), job('c', 2, 2, 50)];
    const world = worldOf({ jobs, cluster: clusterOf({ gpusPerNode: 2 }) });
    assert.deepEqual(schedule(run(world, 'allox')), { a: [0, 100], b: [150, 160], c: [100, 150] });
  });
});
