import assert from 'node:assert/strict';
import {
  type CapFit,
  type CapGpu,
  capsBind,
  fitPowerCap,
  predictUnderCap,
  scaleToFreeRun,
} from '../../../calibration/fit/power-cap.ts';

const near = (actual: number, expected: number, tolerance: number): void => {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not near ${expected}`);
};

/** Power 50 + 200 x and time 1 / x: everything can be worked out by hand. */
const GPU: CapGpu = {
  voltage: { knee: 1, slope: 0 },
  contextPowerW: 50,
  lowestX: 0.2,
  highestX: 1,
};
const FIT: CapFit = {
  time: { hostS: 0, memoryS: 0, coreS: 1, q: 1 },
  power: { memoryW: 0, coreW: 200 },
  eta: 1,
};

describe('a job under a power cap', () => {
  it('runs freely while its power is below the cap', () => {
    assert.deepEqual(predictUnderCap(FIT, GPU, 300), { x: 1, timeS: 1, powerW: 250 });
  });

  it('slows down until it draws the cap', () => {
    const point = predictUnderCap(FIT, GPU, 150);
    near(point.x, 0.5, 1e-9);
    near(point.timeS, 2, 1e-8);
    near(point.powerW, 150, 1e-8);
  });

  it('draws on average eta times the cap', () => {
    near(predictUnderCap({ ...FIT, eta: 0.8 }, GPU, 150).powerW, 120, 1e-8);
  });

  it('exceeds a cap that its lowest clock cannot hold', () => {
    const point = predictUnderCap(FIT, GPU, 60);
    assert.equal(point.x, 0.2);
    near(point.powerW, 90, 1e-12);
  });

  it('is fitted back from rows that the model made', () => {
    const gpu: CapGpu = { ...GPU, voltage: { knee: 0.7, slope: 0.5 }, contextPowerW: 40 };
    const made: CapFit = {
      time: { hostS: 0, memoryS: 80, coreS: 60, q: 4 },
      power: { memoryW: 20, coreW: 110 },
      eta: 0.94,
    };
    const capsW = [75, 100, 125, 150, 200, 250];
    const points = capsW.map((capW) => predictUnderCap(made, gpu, capW));
    const rows = {
      capsW,
      timeS: points.map(({ timeS }) => timeS),
      powerW: points.map(({ powerW }) => powerW),
    };
    const found = fitPowerCap(rows, gpu, 0);
    assert.equal(found.time.q, 4);
    near(found.time.memoryS, 80, 0.5);
    near(found.time.coreS, 60, 0.5);
    near(found.power.memoryW, 20, 1);
    near(found.power.coreW, 110, 1);
    near(found.eta, 0.94, 0.005);
  });

  it('is known to be unbound when the lowest cap leaves its power as it is', () => {
    assert.equal(capsBind({ capsW: [100, 200], timeS: [1, 1], powerW: [38, 39] }), false);
    assert.equal(capsBind({ capsW: [100, 200], timeS: [1, 1], powerW: [95, 150] }), true);
  });

  it('takes median time and power in the proportions of another profile when unbound', () => {
    const rows = { capsW: [100, 150, 200], timeS: [9, 10, 12], powerW: [58, 60, 61] };
    const like = {
      time: { hostS: 1, memoryS: 1, coreS: 2, q: 1 },
      power: { memoryW: 1, coreW: 3 },
    };
    const found = scaleToFreeRun(rows, GPU, like);
    assert.deepEqual(found.time, { hostS: 2.5, memoryS: 2.5, coreS: 5, q: 1 });
    assert.deepEqual(found.power, { memoryW: 2.5, coreW: 7.5 });
  });
});
