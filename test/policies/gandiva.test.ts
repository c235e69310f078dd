import assert from 'node:assert/strict';
import { flatGpu, flatProfile, profileSet, worldOf } from '../support/flat.ts';
import { job, rowsById, run, schedule } from './schedule.ts';

const roomy = profileSet([flatGpu()], [flatProfile({ smDemand: 0.5 })]);
const two = [job('a', 0, 1, 100), job('b', 0, 1, 100)];

describe('gandiva', () => {
  it('packs two jobs on one GPU, where fifo runs one after the other', () => {
    const world = worldOf({ jobs: two, profiles: roomy });
    assert.deepEqual(schedule(run(world, 'fifo')), { a: [0, 100], b: [100, 200] });
    assert.deepEqual(schedule(run(world, 'gandiva')), { a: [0, 100], b: [0, 100] });
  });

  it('keeps a pair as long as it does what one job would, and takes it apart below that', () => {
    // Together each runs at half its speed, 1 in all. Both have 800 s of work.
    const jobs = [job('a', 0, 1, 800), job('b', 0, 1, 800)];
    assert.deepEqual(schedule(run(worldOf({ jobs }), 'gandiva')), { a: [0, 1600], b: [0, 1600] });
    // Looked at again when the set of jobs has changed: c comes at 10, and the next round is at 360.
    // Then no pair is worth keeping; a and b have 620 s left, and whoever runs is alone.
    const three = [...jobs, job('c', 10, 1, 100)];
    const rows = rowsById(run(worldOf({ jobs: three }), 'gandiva', { threshold: 1.5, resetS: 0 }));
    const ends = ['a', 'b', 'c'].map((id) => rows[id]?.endS);
    assert.equal(Math.max(...(ends as number[])), 1700);
  });

  it('leaves jobs alone while there are GPUs for all of them', () => {
    const world = worldOf({
      jobs: two,
      profiles: roomy,
      cluster: { name: 'two', groups: [{ gpuType: 'flat', nodes: 1, gpusPerNode: 2 }] },
    });
    const rows = rowsById(run(world, 'gandiva'));
    assert.deepEqual([rows.a?.gpus, rows.b?.gpus], [[0], [1]]);
  });

  it('never pairs jobs that do not fit on a GPU together', () => {
    const profiles = profileSet([flatGpu()], [flatProfile({ memoryGib: 9, smDemand: 0.5 })]);
    const result = run(worldOf({ jobs: two, profiles }), 'gandiva');
    assert.deepEqual(schedule(result), { a: [0, 100], b: [100, 200] });
  });
});
