import assert from 'node:assert/strict';
import fc from 'fast-check';
import { TypeRoom } from '../../policies/elastic/index.ts';
import { OptimusPlanner } from '../../policies/optimus.ts';
import type { Predictor } from '../../policies/predictor.ts';
import { gangSpeedup } from '../../sim/gpu/scaling.ts';
import { clusterOf, flatGpu, flatProfile, profileSet, worldOf } from '../support/flat.ts';
import { type FakeJob, fakeJob } from './fake-jobs.ts';
import { job, run, schedule } from './schedule.ts';

describe('optimus', () => {
  const four = clusterOf({ nodes: 1, gpusPerNode: 4 });

  it('gives further GPUs to whom they save most time, where fifo gives one each', () => {
    // One GPU each. A second one saves a 100 - 50 s and b 40 - 20 s: a; a third saves a 50 - 33 s: b.
    // b ends at 20 s; a has 60 s of work left, takes four GPUs and ends 15 s later.
    const jobs = [job('a', 0, 1, 100, { maxGpus: 4 }), job('b', 0, 1, 40, { maxGpus: 4 })];
    const world = worldOf({ jobs, cluster: four });
    assert.deepEqual(schedule(run(world, 'optimus', { intervalS: 0 })), {
      a: [0, 35],
      b: [0, 20],
    });
    assert.deepEqual(schedule(run(world, 'fifo')), { a: [0, 100], b: [0, 40] });
  });

  it('serves gangs that need least first', () => {
    const jobs = [job('a', 0, 2, 10), job('b', 0, 1, 20), job('c', 0, 1, 20)];
    const world = worldOf({ jobs, cluster: clusterOf({ nodes: 1, gpusPerNode: 2 }) });
    assert.deepEqual(schedule(run(world, 'optimus', { intervalS: 0 })), {
      a: [20, 30],
      b: [0, 20],
      c: [0, 20],
    });
    assert.deepEqual(schedule(run(world, 'fifo')), { a: [0, 10], b: [10, 30], c: [10, 30] });
  });

  it('plans no more often than its interval, and pays checkpoint and restart for a change', () => {
    // a alone takes all four GPUs. b comes at 10 s and waits for the plan at 60 s, by when a has done 240
    // of its 400 s. Then a has 160 s left, b 40 s: a second GPU saves a 80 s and b 20 s, a third a 27 s.
    // So a writes a checkpoint for 5 s, and runs on three from 69 s on (restart 4 s), b on one from 65 s.
    const jobs = [job('a', 0, 1, 400, { maxGpus: 4 }), job('b', 10, 1, 40, { maxGpus: 4 })];
    const costs = { start: 0, restart: 4, checkpoint: 5 };
    const world = worldOf({ jobs, cluster: four, options: { costs } });
    const found = schedule(run(world, 'optimus', { intervalS: 60 }));
    assert.equal(found.b?.[0], 65);
    assert.equal(found.b[1], 105);
    // At the plan at 120 s a has 160 - 3 x 51 = 7 s left, takes the GPU of b as well, and pays 9 s for it.
    assert.equal(found.a?.[1], 120 + 9 + 7 / 4);
  });

  it('does not grow a gang that gets slower', () => {
    const scaling = { withinNode: 0.5, acrossNodes: 0.5 };
    const profiles = profileSet([flatGpu()], [flatProfile({ scaling })]);
    const world = worldOf({
      jobs: [job('a', 0, 1, 100, { maxGpus: 4 })],
      cluster: four,
      profiles,
    });
    // Twice the GPUs at half the efficiency: no gain.
    assert.equal(run(world, 'optimus').jobRow(0).energyJ, 100 * 300);
  });

  it('gives what giving GPUs away one by one gives, on random jobs', () => {
    const scaling = { withinNode: 0.85, acrossNodes: 0.7 };
    const speedOf = (own: number, gpus: number) =>
      gangSpeedup(scaling, gpus, Math.ceil(gpus / 4)) /
      gangSpeedup(scaling, own, Math.ceil(own / 4));
    const predictor = {
      types: [flatGpu()],
      gangSpeed: ({ gpuCount }: FakeJob, _type: number, gpus: number) => speedOf(gpuCount, gpus),
    } as unknown as Predictor;
    const jobs = fc.array(
      fc.record({
        gpuCount: fc.integer({ min: 1, max: 6 }),
        fewer: fc.nat(5),
        more: fc.nat(9),
        remainingS: fc.integer({ min: 1, max: 1000 }),
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(jobs, fc.integer({ min: 1, max: 20 }), (drawn, gpus) => {
        const views = drawn.map(({ gpuCount, fewer, more, remainingS }, index) => {
          const limits = { minGpus: Math.max(1, gpuCount - fewer), maxGpus: gpuCount + more };
          return fakeJob(index, { gpuCount, ...limits, remainingS });
        });
        const planner = new OptimusPlanner(predictor, ({ types }) => types);
        for (const view of views) planner.enter(view);
        const { targets } = planner.plan({
          nowS: 0,
          room: new TypeRoom([gpus]),
          holding: () => null,
        });
        const found = views.map((view) => targets.get(view)?.gpus ?? 0);
        assert.deepEqual(found, naivePlan(views, gpus, speedOf));
      }),
    );
  });
});

/** The rule as it is written, one GPU at a time, looking at all jobs each time. */
function naivePlan(
  jobs: readonly FakeJob[],
  gpus: number,
  speedOf: (own: number, gpus: number) => number,
): number[] {
  const held = jobs.map(() => 0);
  let left = gpus;
  const byNeed = [...jobs].sort((a, b) => a.minGpus - b.minGpus || a.index - b.index);
  for (const { index, minGpus } of byNeed) {
    if (minGpus > left) continue;
    held[index] = minGpus;
    left -= minGpus;
  }
  for (; left > 0; left -= 1) {
    let best = -1;
    let most = 0;
    for (const { index, gpuCount, maxGpus, remainingS } of jobs) {
      const now = held[index] as number;
      if (now === 0 || now >= maxGpus) continue;
      const gainS = remainingS / speedOf(gpuCount, now) - remainingS / speedOf(gpuCount, now + 1);
      if (gainS <= most) continue;
      most = gainS;
      best = index;
    }
    if (best < 0) break;
    held[best] = (held[best] as number) + 1;
  }
  return held;
}
