import assert from 'node:assert/strict';
import type { JobSpec } from '../../sim/job.ts';
import { clusterOf, flatGpu, flatProfile, profileSet, worldOf } from '../support/flat.ts';
import { job, rowsById, run } from './schedule.ts';

/** `part` keeps a GPU busy 0.4 of the time, with half of its SMs; `flat` all the time with all. */
const profiles = profileSet(
  [flatGpu(), flatGpu({ name: 'single', mpsClientLimit: 1 })],
  [
    flatProfile(),
    flatProfile({
      workload: 'part',
      time: { hostS: 0.6, memoryS: 0, coreS: 0.4, q: 1 },
      smDemand: 0.5,
    }),
    flatProfile({ workload: 'part', gpuType: 'single' }),
  ],
);
const part = { workload: 'part' };

function starts(jobs: readonly JobSpec[], options = {}, gpusPerNode = 1, gpuType = 'flat') {
  const cluster = clusterOf({ gpusPerNode, gpuType });
  const rows = rowsById(run(worldOf({ jobs, profiles, cluster }), 'horus', options));
  return jobs.map(({ id }) => [rows[id]?.startS, ...(rows[id]?.gpus ?? [])]);
}

describe('horus', () => {
  const three = ['a', 'b', 'c'].map((id, i) => job(id, i, 1, 100, part));

  it('shares a GPU while utilisations sum to the cap, which fifo does not', () => {
    // 0.4 + 0.4 <= 1 < 1.2; a and b use the SMs in halves and run at full speed: c starts at 100.
    assert.deepEqual(starts(three), [
      [0, 0],
      [1, 0],
      [100, 0],
    ]);
    const world = worldOf({ jobs: three, profiles });
    assert.equal(rowsById(run(world, 'fifo')).b?.startS, 100);
  });

  it('takes another cap, and may count the SMs', () => {
    assert.deepEqual(starts(three, { cap: 1.2 })[2], [2, 0]);
    // 0.4 x 0.5 each: five fit under 1.
    assert.deepEqual(starts(three, { utilisation: 'sm' })[2], [2, 0]);
    assert.deepEqual(starts(three, { cap: 0.3 })[1], [100, 0]);
  });

  it('fills the fullest GPU that stays under the cap', () => {
    // Under 0.9 a and c share; b, always busy, has GPU 0; d finds GPU 1 at 0.8 and waits for b.
    const jobs = [job('b', 0, 1, 50), job('a', 1, 1, 100, part), job('c', 2, 1, 100, part)];
    assert.deepEqual(starts([...jobs, job('d', 3, 1, 10, part)], { cap: 1 }, 2), [
      [0, 0],
      [1, 1],
      [2, 1],
      [50, 0],
    ]);
  });

  it('keeps to memory and to the number of clients, and gives gangs whole GPUs', () => {
    const large = ['a', 'b'].map((id, i) => job(id, i, 1, 100, { ...part, memoryGib: 9 }));
    assert.deepEqual(starts(large)[1], [100, 0]);
    assert.deepEqual(starts(three.slice(0, 2), { cap: 5 }, 1, 'single')[1]?.[0], 100);
    const gangs = [job('a', 0, 2, 100, part), job('b', 1, 1, 10, part), job('c', 2, 2, 10, part)];
    assert.deepEqual(starts(gangs, {}, 2), [
      [0, 0, 1],
      [100, 0],
      [110, 0, 1],
    ]);
  });
});
