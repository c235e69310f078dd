import assert from 'node:assert/strict';
import { type Allocator, RoundPolicy } from '../../../policies/rounds/index.ts';
import { simulate } from '../../../sim/simulate.ts';
import type { SimulationConfig } from '../../../sim/state.ts';
import { clusterOf, flatGpu, flatProfile, profileSet, worldOf } from '../../support/flat.ts';
import { job, rowsById, schedule } from '../schedule.ts';

/** Every job alone with these shares of the only type. */
function fixed(shares: Readonly<Record<string, number>>): Allocator {
  return {
    name: 'fixed',
    allocate: ({ jobs }) => ({
      alone: new Map(jobs.map((each) => [each, [shares[each.id] ?? 0]])),
      together: [],
    }),
  };
}

function run(world: SimulationConfig, allocator: Allocator, over: { fills?: boolean } = {}) {
  const policy = new RoundPolicy({
    name: 'rounds',
    information: { duration: 'none', durationNoise: 0 },
    allocator,
    roundS: 360,
    resetS: 1920,
    spaceSharing: false,
    fills: true,
    ...over,
  });
  return simulate(world, policy);
}

describe('rounds in the engine', () => {
  const two = [job('a', 0, 1, 720), job('b', 0, 1, 720)];

  it('alternate jobs with equal shares', () => {
    // a until 360, b until 720, a until it is done at 1080, b until 1440.
    const result = run(worldOf({ jobs: two }), fixed({ a: 0.5, b: 0.5 }));
    assert.deepEqual(schedule(result), { a: [0, 1080], b: [360, 1440] });
    assert.deepEqual(rowsById(result).a?.preemptions, 1);
  });

  it('let a job with three quarters run three rounds of four', () => {
    // Half a round each to start with. After two rounds a has had 900 s of 1080 s, priority 0.9, and b
    // 180 s, 1.5: the third round is b's. Then a goes on, and is done.
    const jobs = [job('a', 0, 1, 1440), job('b', 0, 1, 500)];
    const result = run(worldOf({ jobs }), fixed({ a: 0.75, b: 0.25 }));
    assert.deepEqual(schedule(result), { a: [0, 1800], b: [720, 1940] });
  });

  it('pay for checkpoints and restarts, and book only the time on GPUs', () => {
    // a runs 2..360 (358 s done), writes until 365; b starts until 367. At 720 b has had 355 s on the GPU
    // and a 360 s, so b goes on to 1080 (713 s done) and writes until 1085; a restarts until 1088 and has
    // 710 s at 1440. Both have then had 715 s: a, which came first, goes on and is done at 1450. b restarts
    // until 1453 for its last 7 s.
    const costs = { start: 2, restart: 3, checkpoint: 5 };
    const result = run(worldOf({ jobs: two, options: { costs } }), fixed({ a: 0.5, b: 0.5 }));
    assert.deepEqual(schedule(result), { a: [0, 1450], b: [365, 1460] });
  });

  it('end early when all their jobs are done', () => {
    const jobs = [job('a', 0, 1, 100), job('b', 10, 1, 50)];
    assert.deepEqual(schedule(run(worldOf({ jobs }), fixed({ a: 1 }))), {
      a: [0, 100],
      b: [100, 150],
    });
  });

  it('give idle GPUs to jobs that came after the last allocation, or let them wait for the next', () => {
    const world = worldOf({
      jobs: [job('a', 0, 1, 3000), job('b', 10, 1, 50)],
      cluster: clusterOf({ gpusPerNode: 2 }),
    });
    const shares = fixed({ a: 1, b: 1 });
    // Rounds start at 0, 360, 720, ...; the first allocation after 1920 s is at 2160.
    assert.deepEqual(schedule(run(world, shares)).b, [360, 410]);
    assert.deepEqual(schedule(run(world, shares, { fills: false })).b, [2160, 2210]);
  });

  it('run a gang over several types when no type can hold it', () => {
    const profiles = profileSet(
      [flatGpu(), flatGpu({ name: 'other' })],
      [flatProfile(), flatProfile({ gpuType: 'other' })],
    );
    const cluster = clusterOf({ gpusPerNode: 2 }, { gpuType: 'other', gpusPerNode: 2 });
    const jobs = [job('a', 0, 3, 500), job('b', 0, 1, 100)];
    const world = worldOf({ jobs, cluster, profiles });
    // b has all its share; a has min(1, 4 GPUs / 2 jobs / 3) of the first type, so b goes first there.
    // Of the first type one GPU is left, and with the two of the other a has what it needs; it keeps
    // them in the second round, at 360, when b is gone.
    const rows = rowsById(
      run(world, {
        name: 'one',
        allocate: ({ jobs: each }) => ({
          alone: new Map(each.map((one) => [one, [1, 0]])),
          together: [],
        }),
      }),
    );
    assert.deepEqual([rows.b?.gpus, rows.b?.endS], [[0], 100]);
    assert.deepEqual([rows.a?.gpus, rows.a?.endS, rows.a?.preemptions], [[1, 2, 3], 500, 0]);
  });
});
