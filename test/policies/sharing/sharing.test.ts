import assert from 'node:assert/strict';
import type { Observer } from '../../../sim/result.ts';
import { type SimulationConfig, simulate } from '../../../sim/simulate.ts';
import { clusterOf, flatGpu, flatProfile, profileSet, worldOf } from '../../support/flat.ts';
import { job, policyOn, rowsById, run, schedule } from '../schedule.ts';

describe('best-fit', () => {
  const two = clusterOf({ gpusPerNode: 2 });

  it('packs parts of a GPU where least is left, which fifo does not', () => {
    // a leaves 0.4 of GPU 0, b takes GPU 1; c fits beside b only, d beside a.
    const jobs = [
      job('a', 0, 1, 100, { share: 0.6 }),
      job('b', 0, 1, 100, { share: 0.5 }),
      job('c', 1, 1, 100, { share: 0.5 }),
      job('d', 2, 1, 100, { share: 0.4 }),
    ];
    const world = worldOf({ jobs, cluster: two });
    const rows = rowsById(run(world, 'best-fit'));
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((id) => [rows[id]?.startS, rows[id]?.gpus]),
      [
        [0, [0]],
        [0, [1]],
        [1, [1]],
        [2, [0]],
      ],
    );
    // Alone on whole GPUs, b is done in half of its time; c waits for that.
    assert.equal(rowsById(run(world, 'fifo')).c?.startS, 50);
  });

  it('takes the tighter of two GPUs that both fit', () => {
    const jobs = [
      job('a', 0, 1, 100, { share: 0.3 }),
      job('b', 0, 1, 100, { share: 0.8 }),
      job('c', 1, 1, 100, { share: 0.2 }),
    ];
    assert.deepEqual(rowsById(run(worldOf({ jobs, cluster: two }), 'best-fit')).c?.gpus, [1]);
  });

  it('never takes more memory than there is', () => {
    const memoryGib = 10;
    const jobs = [
      job('a', 0, 1, 100, { share: 0.5, memoryGib }),
      job('b', 0, 1, 100, { share: 0.5, memoryGib }),
    ];
    assert.deepEqual(rowsById(run(worldOf({ jobs, cluster: two }), 'best-fit')).b?.gpus, [1]);
  });

  it('gives whole GPUs to gangs, and the share to others when a job has left', () => {
    const jobs = [
      job('a', 0, 1, 100, { share: 0.5 }),
      job('b', 1, 2, 10),
      job('c', 2, 1, 50, { share: 0.6 }),
      job('d', 101, 1, 50, { share: 0.6 }),
    ];
    const rows = rowsById(run(worldOf({ jobs, cluster: two }), 'best-fit'));
    // b needs both GPUs and waits for all to leave; c takes the other GPU meanwhile.
    assert.deepEqual([rows.c?.startS, rows.c?.gpus], [2, [1]]);
    assert.deepEqual([rows.b?.startS, rows.b?.endS], [100, 110]);
    assert.deepEqual([rows.d?.startS, rows.d?.endS], [110, 160]);
  });
});

/** Sorted shares of a GPU over time, as [from, shares]. */
function sharesOver(world: SimulationConfig, options: Record<string, unknown>) {
  const seen: [number, number[]][] = [];
  const observer: Observer = {
    gpuState: ({ fromS, shares }) => {
      seen.push([fromS, [...shares]]);
    },
  };
  simulate(world, policyOn(world, 'mps-equal', options), observer);
  return seen;
}

describe('mps-equal', () => {
  const jobs = [job('a', 0, 1, 100), job('b', 10, 1, 20), job('c', 20, 1, 10)];

  it('gives every job its fixed part from start to end', () => {
    // Two at a time at half speed: a needs 200 s; b 40 s from 10; c 20 s from 50.
    const world = worldOf({ jobs });
    assert.deepEqual(schedule(run(world, 'mps-equal')), { a: [0, 200], b: [10, 50], c: [50, 70] });
    // A third at a time, all at once.
    const thirds = schedule(run(world, 'mps-equal', { maxPerGpu: 3 }));
    const rounded = Object.entries(thirds).map(([id, times]) => [id, ...times.map(Math.round)]);
    assert.deepEqual(rounded, [
      ['a', 0, 300],
      ['b', 10, 70],
      ['c', 20, 50],
    ]);
    assert.equal(run(world, 'mps-equal').summary.restarts, 0);
  });

  it('packs before it spreads, or after', () => {
    const world = worldOf({ jobs, cluster: clusterOf({ gpusPerNode: 2 }) });
    assert.deepEqual(rowsById(run(world, 'mps-equal')).b?.gpus, [0]);
    assert.deepEqual(rowsById(run(world, 'mps-equal', { fill: 'spread' })).b?.gpus, [1]);
    assert.deepEqual(rowsById(run(world, 'mps-equal', { fill: 'spread' })).c?.gpus, [0]);
  });

  it('restarts residents when it adapts their shares, and pays for it', () => {
    const two = jobs.slice(0, 2);
    const world = worldOf({ jobs: two, options: { costs: { start: 0, restart: 5 } } });
    const result = run(world, 'mps-equal', { shares: 'adaptive' });
    // b starts at 10 without cost, at half speed, beside a that restarts until 15.
    assert.deepEqual(schedule(result).b, [10, 50]);
    // a: 10 s alone, 17.5 s of work in 15 .. 50, restart until 55, 72.5 s left.
    assert.deepEqual(schedule(result).a, [0, 127.5]);
    assert.equal(result.summary.restarts, 2);
    assert.deepEqual(
      sharesOver(world, { shares: 'adaptive' }).filter(([atS]) => atS === 10),
      [[10, [0.5, 0.5]]],
    );
  });

  it('waits with a new share until the client has started', () => {
    // b comes while a still starts: a gets its half when it runs, at 20, by another restart.
    const world = worldOf({
      jobs: [job('a', 0, 1, 100), job('b', 10, 1, 100)],
      options: { costs: { start: 20, restart: 5 } },
    });
    const result = run(world, 'mps-equal', { shares: 'adaptive' });
    assert.deepEqual(schedule(result).b?.[0], 10);
    assert.ok(result.summary.restarts >= 1);
  });

  it('keeps gangs alone and memory within what there is', () => {
    const profiles = profileSet([flatGpu({ memoryGib: 16 })], [flatProfile({ memoryGib: 9 })]);
    const world = worldOf({
      jobs: [job('a', 0, 1, 100), job('b', 0, 1, 100), job('c', 0, 2, 10)],
      cluster: clusterOf({ gpusPerNode: 4 }),
      profiles,
    });
    const rows = rowsById(run(world, 'mps-equal'));
    assert.deepEqual([rows.a?.gpus, rows.b?.gpus, rows.c?.gpus], [[0], [1], [2, 3]]);
    assert.equal(rows.c?.endS, 10);
  });

  it('does not exceed the MPS clients of the type', () => {
    const profiles = profileSet([flatGpu({ mpsClientLimit: 2 })], [flatProfile()]);
    const world = worldOf({ jobs, profiles });
    assert.equal(rowsById(run(world, 'mps-equal', { maxPerGpu: 4 })).c?.startS, 90);
  });
});
