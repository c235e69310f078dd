import assert from 'node:assert/strict';
import { GpuletSizes, kneeOf } from '../../../policies/gpulets/sizes.ts';
import { makePredictor } from '../../../policies/predictor.ts';
import { randomStream } from '../../../sim/random.ts';
import type { SimulationConfig } from '../../../sim/simulate.ts';
import { close } from '../../support/close.ts';
import { clusterOf, flatGpu, flatProfile, profileSet, worldOf } from '../../support/flat.ts';
import { job, policyOn, rowsById, run, schedule } from '../schedule.ts';

/**
 * With a margin of 1.1 a bound of 2 takes a step of at most 1.818: of `flat`, which is slowed to 1 / share,
 * 0.55 of a GPU, so 60 %; a bound of 4 takes 3.636, 40 %; a bound of 6 takes 5.454, 20 %.
 */
const profiles = profileSet(
  [flatGpu()],
  [
    flatProfile(),
    // 0.5 + 0.5 / share: 3, 1.75, 1.333, 1.125 and 1 at the sizes.
    flatProfile({ workload: 'half', time: { hostS: 0.5, memoryS: 0, coreS: 0.5, q: 1 } }),
    flatProfile({ workload: 'soft', interference: { sensitivity: 1, aggressiveness: 0 } }),
    flatProfile({ workload: 'loud', interference: { sensitivity: 0, aggressiveness: 0.5 } }),
  ],
);

const on = (jobs: SimulationConfig['jobs'], gpus: number) =>
  worldOf({ jobs, profiles, cluster: clusterOf({ gpusPerNode: gpus }) });

describe('gpulets', () => {
  it('splits a GPU in two where fifo gives it away whole', () => {
    // a has 60 %, b the 40 % that are left.
    const world = on(
      [job('a', 0, 1, 120, { maxSlowdown: 2 }), job('b', 0, 1, 120, { maxSlowdown: 4 })],
      1,
    );
    assert.deepEqual(schedule(run(world, 'gpulets')), { a: [0, 200], b: [0, 300] });
    assert.deepEqual(schedule(run(world, 'fifo')), { a: [0, 120], b: [120, 240] });
  });

  it('takes the smallest part that is left, as it is, and no third job', () => {
    const jobs = [
      job('a', 0, 1, 600, { maxSlowdown: 4 }), // GPU 0: 40 %, 60 % are left
      job('b', 1, 1, 600, { maxSlowdown: 2 }), // takes those
      job('c', 2, 1, 600, { maxSlowdown: 2 }), // GPU 1: 60 %, 40 % are left
      job('d', 3, 1, 600, { maxSlowdown: 6 }), // takes those, though 20 % would do
      job('e', 4, 1, 600, { maxSlowdown: 6 }), // waits for b, at 1001
    ];
    const rows = rowsById(run(on(jobs, 2), 'gpulets'));
    assert.deepEqual(
      ['a', 'b', 'c', 'd', 'e'].map((id) => [rows[id]?.startS, rows[id]?.gpus]),
      [
        [0, [0]],
        [1, [0]],
        [2, [1]],
        [3, [1]],
        [1001, [0]],
      ],
    );
    // d has 40 %, e the 60 % beside a.
    close(rows.d?.endS ?? NaN, 3 + 600 / 0.4);
    close(rows.e?.endS ?? NaN, 1001 + 600 / 0.6);
  });

  it('serves the strictest objective first, and gives gangs whole GPUs', () => {
    const jobs = [
      job('a', 0, 1, 60, { maxSlowdown: 6 }),
      job('b', 0, 1, 60, { maxSlowdown: 1.5 }),
      job('c', 0, 2, 60, { maxSlowdown: 1.2 }),
    ];
    // c first, on both GPUs; then b with 80 % (its step may take 1.364), and a with the rest.
    const rows = rowsById(run(on(jobs, 2), 'gpulets'));
    assert.deepEqual(schedule(run(on(jobs, 2), 'gpulets')), {
      a: [60, 360],
      b: [60, 135],
      c: [0, 60],
    });
    assert.deepEqual([rows.a?.gpus, rows.b?.gpus], [[0], [0]]);
  });

  it('runs a job that states no bound on the knee of its speed', () => {
    // Speeds of half are 1/3, 0.571, 0.75, 0.889 and 1, which bend most at 40 %; 60 % keep a bound of 1.5.
    const free = job('a', 0, 1, 100, { workload: 'half' });
    const bound = job('a', 0, 1, 100, { workload: 'half', maxSlowdown: 1.5 });
    close(rowsById(run(on([free], 1), 'gpulets')).a?.endS ?? NaN, 175);
    close(rowsById(run(on([bound], 1), 'gpulets')).a?.endS ?? NaN, 100 * (0.5 + 0.5 / 0.6));
    // Where less than the knee is required, it is less: 20 % keep a bound of 4, at 3 s a step.
    close(rowsById(run(on([free], 1), 'gpulets', { slo: 4 })).a?.endS ?? NaN, 300);
  });

  it('leaves the rest to nobody who would be disturbed', () => {
    // soft has 40 % beside a, where a step takes 2.5 s: alone it may take 3.636, beside loud it takes 3.75.
    const startBeside = (workload: string) => {
      const jobs = [
        job('a', 0, 1, 120, { workload, maxSlowdown: 2 }),
        job('b', 0, 1, 120, { workload: 'soft', maxSlowdown: 4 }),
      ];
      return rowsById(run(on(jobs, 1), 'gpulets')).b?.startS;
    };
    assert.deepEqual([startBeside('flat'), startBeside('loud')], [0, 200]);
  });

  it('leaves the rest to nobody who would disturb', () => {
    // soft comes first and is as it was alone; loud would make its steps 2.5 s of 1.818 that it may take.
    const jobs = [
      job('a', 0, 1, 120, { workload: 'soft', maxSlowdown: 2 }),
      job('b', 1, 1, 120, { workload: 'loud', maxSlowdown: 4 }),
    ];
    assert.equal(rowsById(run(on(jobs, 1), 'gpulets')).b?.startS, 200);
  });

  it('takes the whole GPU where no share keeps the objective', () => {
    const world = on([job('a', 0, 1, 100, { maxSlowdown: 1 }), job('b', 0, 1, 100)], 1);
    assert.deepEqual(schedule(run(world, 'gpulets')).a, [0, 100]);
  });

  it('refuses sizes that are none', () => {
    for (const shares of ['20,40', '20,x,100', '0,100', '12.5,100', '50,150', '']) {
      assert.throws(
        () => policyOn(worldOf({}), 'gpulets', { shares }),
        /policy 'gpulets': option 'shares' is '.*', expected whole numbers from 1 to 100/,
        shares,
      );
    }
  });
});

describe('sizes of gpu-lets', () => {
  it('has its knee where the curve bends most, and none on a line', () => {
    const x = [0.2, 0.4, 0.6, 0.8, 1];
    // Saturated from 0.4 on: the bend is there. From 0.5 on: more of it is at 0.6 than at 0.4, by the circles
    // through three points: 2 x 0.04 / (0.447 x 0.283 x 0.721) = 0.88 and / (0.283 x 0.2 x 0.447) = 3.16.
    assert.equal(kneeOf(x, [0.5, 1, 1, 1, 1]), 1);
    assert.equal(kneeOf(x, [0.4, 0.8, 1, 1, 1]), 2);
    assert.equal(kneeOf(x, x), 4);
    // Where it bends upwards there is none.
    assert.equal(kneeOf(x, [0.1, 0.2, 0.4, 0.7, 1.2]), 4);
    assert.equal(kneeOf([1], [1]), 0);
  });

  it('lets company cost a job on its knee no more than the margin', () => {
    // half on 40 % alone takes 1.75 s; beside loud its GPU part takes 1.5 times as long: 0.5 + 1.875 s.
    const predictor = makePredictor({
      profiles: profileSet(
        [flatGpu()],
        [
          flatProfile({
            workload: 'half',
            time: { hostS: 0.5, memoryS: 0, coreS: 0.5, q: 1 },
            interference: { sensitivity: 1, aggressiveness: 0 },
          }),
          flatProfile({ workload: 'loud', interference: { sensitivity: 0, aggressiveness: 0.5 } }),
          flatProfile({ workload: 'calm', interference: { sensitivity: 0, aggressiveness: 0.1 } }),
        ],
      ),
      types: [flatGpu()],
      information: 'pairs',
      noise: 0,
      random: randomStream(1, 'test'),
    });
    const sizes = new GpuletSizes({
      predictor,
      percents: [20, 40, 60, 80, 100],
      latencyRatio: 1.1,
    });
    const half = { id: 0, workload: 'half', objective: 1.5, isStated: false };
    const beside = (workload: string) =>
      sizes.getOn(
        0,
        [half, { id: workload.length, workload, objective: 9, isStated: true }],
        [40, 60],
      );
    assert.equal(sizes.ideal(0, half), 40);
    // 0.5 + 1.25 x 1.1 = 1.875 is within 1.75 x 1.1 = 1.925; 2.375 is not.
    const calm = sizes.getOn(
      0,
      [half, { id: 1, workload: 'calm', objective: 9, isStated: true }],
      [40, 60],
    );
    assert.deepEqual([calm, beside('loud')], [true, false]);
  });
});
