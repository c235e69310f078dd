import assert from 'node:assert/strict';
import { loadSolver } from '../../../policies/lp/index.ts';
import type { JobSpec } from '../../../sim/job.ts';
import type { SimulationConfig } from '../../../sim/simulate.ts';
import { clusterOf, flatGpu, flatProfile, profileSet, worldOf } from '../../support/flat.ts';
import { job, rowsById, run, schedule } from '../schedule.ts';

const steps = (coreS: number) => ({ hostS: 0, memoryS: 0, coreS, q: 1 });

/** One GPU of each of two types; workload `x` is four times as fast on the first, `y` twice on the second. */
function apart(jobs: readonly JobSpec[]): SimulationConfig {
  const profiles = profileSet(
    [flatGpu({ name: 'one' }), flatGpu({ name: 'two' })],
    [
      flatProfile({ workload: 'x', gpuType: 'one', time: steps(0.25) }),
      flatProfile({ workload: 'x', gpuType: 'two', time: steps(1) }),
      flatProfile({ workload: 'y', gpuType: 'one', time: steps(1) }),
      flatProfile({ workload: 'y', gpuType: 'two', time: steps(0.5) }),
    ],
  );
  const cluster = clusterOf({ gpuType: 'one' }, { gpuType: 'two' });
  return worldOf({ jobs, cluster, profiles });
}

/** One GPU on which two jobs run as fast as one. */
function roomy(jobs: readonly JobSpec[]): SimulationConfig {
  const profiles = profileSet([flatGpu()], [flatProfile({ smDemand: 0.5 })]);
  return worldOf({ jobs, profiles });
}

describe('gavel and themis', () => {
  before(loadSolver);

  it('gavel takes turns where fifo lets the first job finish', () => {
    // Two jobs of 720 s on one GPU have a share of a half each: rounds a, b, a, b.
    const world = worldOf({ jobs: [job('a', 0, 1, 720), job('b', 0, 1, 720)] });
    assert.deepEqual(schedule(run(world, 'fifo')), { a: [0, 720], b: [720, 1440] });
    assert.deepEqual(schedule(run(world, 'gavel')), { a: [0, 1080], b: [360, 1440] });
  });

  it('gavel puts each job on the type on which it gains most, where fifo takes the first that is free', () => {
    // y came first; its 100 s on type two take 200 s on type one, which fifo gives it. x would be left with
    // type two. The program gives y all of type two and x all of type one, as in objectives.test.ts.
    const jobs = [
      job('y', 0, 1, 100, { workload: 'y', referenceGpu: 'two' }),
      job('x', 0, 1, 100, { workload: 'x', referenceGpu: 'one' }),
    ];
    assert.deepEqual(schedule(run(apart(jobs), 'fifo')), { y: [0, 200], x: [0, 400] });
    for (const objective of ['max-min', 'max-sum', 'makespan', 'energy-cost']) {
      const rows = rowsById(run(apart(jobs), 'gavel', { objective }));
      assert.deepEqual([rows.y?.endS, rows.y?.gpuTypes], [100, ['two']], objective);
      assert.deepEqual([rows.x?.endS, rows.x?.gpuTypes], [100, ['one']], objective);
    }
  });

  it('gavel with energy for a cost prefers the type with the most work per joule', () => {
    // Both types are as fast; the second takes half the dynamic power.
    const profiles = profileSet(
      [flatGpu(), flatGpu({ name: 'thrifty' })],
      [flatProfile(), flatProfile({ gpuType: 'thrifty', power: { memoryW: 0, coreW: 125 } })],
    );
    const cluster = clusterOf({}, { gpuType: 'thrifty' });
    const world = worldOf({ profiles, cluster });
    assert.deepEqual(rowsById(run(world, 'gavel')).a?.gpus, [0]);
    assert.deepEqual(rowsById(run(world, 'gavel', { objective: 'energy-cost' })).a?.gpus, [1]);
    const fair = { objective: 'energy-cost', fairShare: 0.5 };
    assert.deepEqual(rowsById(run(world, 'gavel', fair)).a?.gpus, [1]);
  });

  it('gavel with space sharing runs two jobs on one GPU where both lose nothing', () => {
    const world = roomy([job('a', 0, 1, 100), job('b', 0, 1, 100)]);
    assert.deepEqual(schedule(run(world, 'gavel')), { a: [0, 100], b: [100, 200] });
    const shared = run(world, 'gavel', { spaceSharing: true });
    assert.deepEqual(schedule(shared), { a: [0, 100], b: [0, 100] });
    // What is left of a pair goes on alone, and a third job joins it in the next round, at 360.
    const three = roomy([job('a', 0, 1, 100), job('b', 0, 1, 500), job('c', 10, 1, 50)]);
    const options = { spaceSharing: true, resetS: 0 };
    assert.deepEqual(schedule(run(three, 'gavel', options)), {
      a: [0, 100],
      b: [0, 500],
      c: [360, 410],
    });
  });

  it('themis prefers the job that is furthest behind its time in isolation', () => {
    // At 360 a has 640 s left and would take 360 + 640 / 0.5 s in isolation; b has waited for 350 s and
    // would take 300 / 0.5. With half each rho is 1 for a and 1.58 for b, so b gets more: it runs until it
    // is done at 660, and a goes on.
    const world = worldOf({ jobs: [job('a', 0, 1, 1000), job('b', 10, 1, 300)] });
    assert.deepEqual(schedule(run(world, 'fifo')), { a: [0, 1000], b: [1000, 1300] });
    assert.deepEqual(schedule(run(world, 'themis', { resetS: 0 })), {
      a: [0, 1300],
      b: [360, 660],
    });
  });

  it('are told durations only for objectives that read them', () => {
    const world = worldOf({ jobs: [job('a', 0, 1, 100)] });
    for (const objective of ['max-min', 'max-min-agnostic', 'max-sum', 'energy-cost']) {
      assert.equal(run(world, 'gavel', { objective }).summary.jobs.done, 1);
    }
    assert.equal(run(world, 'gavel', { objective: 'makespan' }).summary.jobs.done, 1);
  });
});
