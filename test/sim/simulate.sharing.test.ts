import assert from 'node:assert/strict';
import { simulate } from '../../sim/simulate.ts';
import { close } from '../support/close.ts';
import { flatGpu, flatJob, flatProfile, profileSet, worldOf } from '../support/flat.ts';
import { scripted, start } from '../support/scripted.ts';

// By hand: a (100 s) runs alone 0..50. b (100 s) joins it under mps with 100 % each: both at half speed.
// a has 50 s of work left: done at 150. b has done 50 by then, runs alone and is done at 200.
//   a: 50 s * 300 W + 100 s * (125 + 25) W = 30,000 J        slowdown 150 / 100
//   b: 100 s * 150 W + 50 s * 300 W        = 30,000 J        slowdown 150 / 100

const PAIR = [flatJob(), flatJob({ id: 'b', submitS: 50 })];

describe('simulate: sharing', () => {
  it('runs two that contend to the completion times and energies worked out by hand', () => {
    const policy = scripted([
      [0, (view) => [start(view, 0, [0])]],
      [50, (view) => [start(view, 1, [0])]],
    ]);
    const result = simulate(worldOf({ jobs: PAIR }), policy);
    const [a, b] = [result.jobRow(0), result.jobRow(1)];
    assert.deepEqual([a.endS, b.endS], [150, 200]);
    close(a.energyJ, 30_000);
    close(b.energyJ, 30_000);
    close(a.slowdown, 1.5);
    close(b.slowdown, 1.5);
    close(result.summary.energyJ.total, 200 * 300);
    assert.equal(result.summary.gpuUtilisation, 1);
  });

  it('gives the time of a pause to the other resident', () => {
    // Both at half speed 0..40. The new share restarts a: b runs alone at full speed 40..50, while a
    // and its half of the context power make no progress. Then shares 0.5 | 1: demands 0.5 and 1 on
    // weights 0.5 and 1 give 1/3 and 2/3 of the GPU.
    const world = worldOf({
      jobs: [flatJob({ durationS: 60 }), flatJob({ id: 'b', durationS: 60 })],
      options: { costs: { restart: 10 } },
    });
    const policy = scripted([
      [0, (view) => [start(view, 0, [0]), start(view, 1, [0])]],
      [40, (view) => [{ kind: 'set-share', job: view.job(0), share: 0.5 }]],
    ]);
    const result = simulate(world, policy);
    // b: 20 done at 40, 30 at 50, 30 left at 2/3: ends at 95. a: 40 left at 50, 15 done by 95, then
    // alone on half of the GPU: 25 / 0.5.
    close(result.jobRow(1).endS, 95);
    close(result.jobRow(0).endS, 145);
    close(result.summary.energyJ.transition, 10 * 25);
    close(result.jobRow(1).energyJ, 40 * 150 + 10 * 275 + 45 * (500 / 3 + 25));
    close(result.jobRow(0).energyJ, 40 * 150 + 45 * (250 / 3 + 25) + 50 * 175);
    assert.equal(result.jobRow(0).restarts, 1);
  });

  it('charges a change of share one restart of the client, at context power', () => {
    // Full speed 0..20, restart 20..27, then 80 s of work at half speed: ends at 187.
    const world = worldOf({
      profiles: profileSet([flatGpu()], [flatProfile({ restartS: 7 })]),
    });
    const policy = scripted([
      [0, (view) => [start(view, 0, [0])]],
      [20, (view) => [{ kind: 'set-share', job: view.job(0), share: 0.5 }]],
    ]);
    const result = simulate(world, policy);
    const row = result.jobRow(0);
    assert.equal(row.endS, 187);
    close(row.energyJ, 20 * 300 + 160 * 175);
    close(result.summary.energyJ.transition, 7 * 50);
    assert.deepEqual([row.restarts, row.preemptions, row.queueS, row.runS], [1, 0, 0, 187]);
  });

  it('takes a fractional request as a share and a part of the memory', () => {
    // A quarter for 100 s: with that share it takes just 100 s, and 4 of the GPU's 16 GiB.
    const jobs = ['a', 'b', 'c', 'd', 'e'].map((id) => flatJob({ id, share: 0.25 }));
    const free: number[] = [];
    const policy = scripted([
      [
        0,
        function* (view) {
          for (const index of [0, 1, 2, 3]) {
            yield start(view, index, [0]);
            free.push(view.cluster.freeMemoryGib(0));
          }
        },
      ],
      [100, (view) => [start(view, 4, [0])]],
    ]);
    const result = simulate(worldOf({ jobs }), policy);
    assert.deepEqual(free, [12, 8, 4, 0]);
    assert.deepEqual(
      [0, 1, 2, 3, 4].map((index) => result.jobRow(index).endS),
      [100, 100, 100, 100, 200],
    );
    close(result.jobRow(0).energyJ, 100 * (62.5 + 12.5));
    // Its slowdown is against the whole GPU.
    close(result.jobRow(0).slowdown, 4);
  });

  it('runs a fractional request faster on a larger share, which the policy answers for', () => {
    const world = worldOf({ jobs: [flatJob({ share: 0.25 })] });
    const policy = scripted([[0, (view) => [start(view, 0, [0], 0.5)]]]);
    assert.equal(simulate(world, policy).jobRow(0).endS, 50);
  });

  it('takes the memory of the job where it is given, else the footprint of the profile', () => {
    const jobs = [
      flatJob({ id: 'given', memoryGib: 5 }),
      flatJob({ id: 'given-part', memoryGib: 2, share: 0.5 }),
      flatJob({ id: 'footprint' }),
    ];
    let freeGib = NaN;
    const told: number[] = [];
    const policy = scripted([
      [
        0,
        function* (view) {
          for (const job of view.queue) told.push(job.memoryGib(0));
          for (const index of [0, 1, 2]) yield start(view, index, [0]);
          freeGib = view.cluster.freeMemoryGib(0);
        },
      ],
    ]);
    simulate(worldOf({ jobs }), policy);
    assert.deepEqual(told, [5, 2, 1]);
    assert.equal(freeGib, 16 - 8);
  });

  it('time-slices by weight and loses the switching time', () => {
    // Both have 49 s of work; at 0.98 / 2 each they take 100 s, at 50 + 2 * 122.5 W.
    const jobs = [flatJob({ durationS: 49 }), flatJob({ id: 'b', durationS: 49 })];
    const policy = scripted([[0, (view) => [start(view, 0, [0]), start(view, 1, [0])]]], {
      mode: 'time-slice',
    });
    const result = simulate(worldOf({ jobs, options: { switchingLoss: 0.02 } }), policy);
    close(result.jobRow(0).endS, 100);
    close(result.jobRow(1).endS, 100);
    close(result.summary.energyJ.total, 100 * 295);
  });

  it('isolates MIG slices', () => {
    // A slice of a half and one of a quarter: 25 / 0.5 = 50 s and 25 / 0.25 = 100 s, whoever is there.
    const jobs = [flatJob({ durationS: 25 }), flatJob({ id: 'b', durationS: 25 })];
    const policy = scripted([
      [
        0,
        (view) => [
          { kind: 'set-mode', gpu: 0, mode: 'mig', slices: [0.25, 0.5] },
          start(view, 0, [0], 0.5),
          start(view, 1, [0], 0.25),
        ],
      ],
    ]);
    const result = simulate(worldOf({ jobs }), policy);
    assert.deepEqual([result.jobRow(0).endS, result.jobRow(1).endS], [50, 100]);
    close(result.jobRow(0).energyJ, 50 * (125 + 25));
    close(result.jobRow(1).energyJ, 50 * (62.5 + 25) + 50 * (62.5 + 50));
  });

  it('lets a measured pair win over the model, and says in how many intervals it did', () => {
    const profiles = profileSet(
      [flatGpu()],
      [flatProfile({ workload: 'p' }), flatProfile({ workload: 'q' })],
      [{ gpuType: 'flat', workloads: ['p', 'q'], speeds: [0.8, 0.5], source: 'a test' }],
    );
    const jobs = [
      flatJob({ id: 'first', workload: 'q', durationS: 50 }),
      flatJob({ id: 'second', workload: 'p', durationS: 100 }),
    ];
    const policy = scripted([[0, (view) => [start(view, 0, [0]), start(view, 1, [0])]]]);
    const result = simulate(worldOf({ jobs, profiles }), policy);
    // q at 0.5 is done at 100; p has done 80 by then and ends at 120.
    assert.equal(result.jobRow(0).endS, 100);
    close(result.jobRow(1).endS, 120);
    assert.equal(result.summary.pairMeasuredIntervals, 1);
    close(result.jobRow(1).energyJ, 100 * (200 + 25) + 20 * 300);
  });

  it('counts only residents that run: one that starts takes memory and context, not speed', () => {
    const world = worldOf({
      jobs: [flatJob(), flatJob({ id: 'b', submitS: 50, durationS: 25 })],
      options: { costs: { start: 50 } },
    });
    const policy = scripted([
      [0, (view) => [start(view, 0, [0])]],
      [50, (view) => [start(view, 1, [0])]],
    ]);
    // a runs 50..100 alone, shares 100..150 with b (25 done each), and does its last 25 alone.
    const result = simulate(world, policy);
    assert.deepEqual([result.jobRow(0).endS, result.jobRow(1).endS], [175, 150]);
    // Context: all of it to the start of a, half of it to that of b while a runs.
    close(result.summary.energyJ.transition, 50 * 50 + 50 * 25);
  });
});
