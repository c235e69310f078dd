import assert from 'node:assert/strict';
import { close } from '../support/close.ts';
import { clusterOf, flatGpu, flatProfile, profileSet, worldOf } from '../support/flat.ts';
import { job, rowsById, run, schedule } from './schedule.ts';

/** On GPUs of 16 GiB. */
const profiles = profileSet(
  [flatGpu({ mpsClientLimit: 3 })],
  [
    flatProfile({ workload: 'large', memoryGib: 6 }),
    flatProfile({ workload: 'small', memoryGib: 2 }),
    flatProfile({ workload: 'tiny', memoryGib: 0.5 }),
  ],
);
const options = { switchingLoss: 0 };

describe('salus-pack', () => {
  it('runs all that fits into memory at once, where fifo runs one after the other', () => {
    // a and b at half speed until 200; c does not fit beside them.
    const jobs = ['a', 'b', 'c'].map((id) => job(id, 0, 1, 100, { workload: 'large' }));
    const world = worldOf({ jobs, profiles });
    assert.deepEqual(schedule(run(world, 'salus-pack')), {
      a: [0, 200],
      b: [0, 200],
      c: [200, 300],
    });
    assert.deepEqual(schedule(run(world, 'fifo')).b, [100, 200]);
  });

  it('takes the GPU with the least memory left that holds the job', () => {
    // a and b do not fit together with e: 4 GiB are left on GPU 0, 10 on GPU 1.
    const jobs = [
      job('a', 0, 1, 100, { workload: 'large' }),
      job('b', 0, 1, 100, { workload: 'large' }),
      job('c', 1, 1, 100, { workload: 'large' }),
      job('d', 2, 1, 100, { workload: 'small' }),
    ];
    const world = worldOf({ jobs, profiles, cluster: clusterOf({ gpusPerNode: 2 }) });
    const rows = rowsById(run(world, 'salus-pack'));
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((id) => rows[id]?.gpus),
      [[0], [0], [1], [0]],
    );
    assert.deepEqual(rowsById(run(world, 'salus-pack', { fill: 'spread' })).b?.gpus, [1]);
  });

  it('has no more jobs on a GPU than MPS has clients, or than it is told', () => {
    const jobs = ['a', 'b', 'c', 'd'].map((id) => job(id, 0, 1, 30, { workload: 'tiny' }));
    const world = worldOf({ jobs, profiles, options });
    assert.ok((rowsById(run(world, 'salus-pack')).d?.startS ?? 0) > 0);
    assert.equal(rowsById(run(world, 'salus-pack', { mode: 'time-slice' })).d?.startS, 0);
    assert.equal(rowsById(run(world, 'salus-pack', { maxPerGpu: 1 })).b?.startS, 30);
  });

  it('gives gangs whole GPUs', () => {
    const jobs = [
      job('a', 0, 2, 50, { workload: 'tiny' }),
      job('b', 0, 1, 10, { workload: 'tiny' }),
    ];
    const world = worldOf({ jobs, profiles, cluster: clusterOf({ gpusPerNode: 2 }) });
    assert.deepEqual(schedule(run(world, 'salus-pack')), { a: [0, 50], b: [50, 60] });
  });
});

describe('salus-fair', () => {
  it('gives each job time in inverse proportion to its memory', () => {
    // 2 and 6 GiB: three quarters and one quarter of the time. a is done at 100, b has 75 s left then.
    const jobs = [
      job('a', 0, 1, 75, { workload: 'small' }),
      job('b', 0, 1, 100, { workload: 'large' }),
    ];
    const times = schedule(run(worldOf({ jobs, profiles, options }), 'salus-fair'));
    close(times.a?.[1] ?? NaN, 100);
    close(times.b?.[1] ?? NaN, 175);
    assert.equal(times.b?.[0], 0);
  });

  it('loses the time that switching takes', () => {
    const jobs = ['a', 'b'].map((id) => job(id, 0, 1, 49, { workload: 'large' }));
    const world = worldOf({ jobs, profiles, options: { switchingLoss: 0.02 } });
    close(schedule(run(world, 'salus-fair')).a?.[1] ?? NaN, 100);
  });
});
