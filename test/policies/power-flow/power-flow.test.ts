import assert from 'node:assert/strict';
import { clockPoints } from '../../../policies/clocks/solo-points.ts';
import { clockLadder } from '../../../policies/power-flow/ladder.ts';
import { close } from '../../support/close.ts';
import { clusterOf, flatGpu, flatProfile, profileSet, worldOf } from '../../support/flat.ts';
import { contextOf, job, rowsById, run, schedule } from '../schedule.ts';

const two = clusterOf({ nodes: 1, gpusPerNode: 2 });
const options = { costs: { clockTransition: 0 } };

describe('power-flow', () => {
  // Limits are 1000 W a GPU, 2000 W in all, of which idle GPUs take 40 W. A GPU at 1000 MHz takes 300 W,
  // 280 W more than idle; at 1200 MHz 50 + 250 x 1.2^3 = 482 W. Least energy is at 1000 MHz: 300 J a step,
  // 310 at 800 MHz and 402 at 1200 MHz.
  const world = worldOf({ jobs: [job('a', 0, 1, 100, { maxGpus: 2 })], cluster: two, options });
  const timeOf = (budget: number) => rowsById(run(world, 'power-flow', { budget })).a?.jctS ?? NaN;

  it('takes a second GPU, which costs no energy here, where fifo takes one', () => {
    // 620 W: 40 + 2 x 280 = 600.
    close(timeOf(0.31), 50);
    close(rowsById(run(world, 'fifo')).a?.jctS ?? NaN, 100);
  });

  it('raises the clock where there is power for that and not for a GPU', () => {
    // 520 W: 320 of the first GPU leave 200, less than 280 but enough for 182 W.
    close(timeOf(0.26), 100 / 1.2, 1e-9);
    // 400 W: neither. 1010 W: two GPUs at 1200 MHz are 40 + 2 x 462 = 964 W.
    close(timeOf(0.2), 100);
    close(timeOf(0.505), 50 / 1.2, 1e-9);
  });

  it('runs one job whatever it takes, and no second one that has no power', () => {
    const jobs = [job('a', 0, 1, 100), job('b', 0, 1, 50)];
    const poor = worldOf({ jobs, cluster: two, options });
    const plan = { budget: 0.01, intervalS: 0 };
    assert.deepEqual(schedule(run(poor, 'power-flow', plan)), { a: [0, 100], b: [100, 150] });
    assert.deepEqual(schedule(run(poor, 'fifo')), { a: [0, 100], b: [0, 50] });
  });

  it('keeps the power of all GPUs within the budget', () => {
    const scaling = { withinNode: 0.9, acrossNodes: 0.8 };
    const profiles = profileSet([flatGpu()], [flatProfile({ scaling })]);
    const jobs = Array.from({ length: 12 }, (_, i) =>
      job(String(i), i * 7, 1 + (i % 3), 60 + i, { minGpus: 1, maxGpus: 8 }),
    );
    const cluster = clusterOf({ nodes: 2, gpusPerNode: 4 });
    const result = run(worldOf({ jobs, cluster, profiles, options }), 'power-flow', {
      budget: 0.2,
      intervalS: 0,
    });
    const { meanPowerW } = { meanPowerW: result.summary.energyJ.total / result.summary.makespanS };
    assert.ok(meanPowerW <= 0.2 * 8000, String(meanPowerW));
    assert.equal(result.summary.jobs.done, 12);
  });

  it('considers clocks from the one of least energy up', () => {
    const { predictor } = contextOf(world, 'power-flow');
    const points = clockPoints(predictor, 'flat', 0);
    const clocks = (most: number) => clockLadder(points, most).map(({ clockMhz }) => clockMhz);
    assert.deepEqual(clocks(8), [1000, 1200]);
    assert.deepEqual(clocks(1), [1000]);
    assert.deepEqual(clockLadder([], 3), []);
  });
});
