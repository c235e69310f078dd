import assert from 'node:assert/strict';
import {
  clockUnderCap,
  fitPhasedJob,
  predictPhased,
} from '../../../calibration/fit/capped-phases.ts';

const near = (actual: number, expected: number, tolerance: number): void => {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not near ${expected}`);
};

const GPU = {
  voltage: { knee: 0.7, slope: 0.5 },
  contextPowerW: 40,
  lowestX: 0.2,
  highestX: 1,
  heldPart: 1,
};
const JOB = {
  lightS: 3,
  lightW: 30,
  busy: { hostS: 0, memoryS: 2, coreS: 4, q: 1 },
  power: { memoryW: 20, coreW: 100 },
};

describe('a job in two phases under a cap', () => {
  it('runs at full clock while its busy power is below the cap', () => {
    // V(1) = 1.15: busy power 40 + 20 + 132.25 = 192.25 W.
    assert.equal(clockUnderCap(JOB, GPU, 193), 1);
    assert.ok(clockUnderCap(JOB, GPU, 192) < 1);
  });

  it('solves for the clock below the knee by hand', () => {
    // 40 + 20 + 100 x = 110: x = 0.5. Time 3 + 2 + 8 = 13 s; energy 3 * 70 + 10 * 110 = 1310 J.
    const { x, timeS, powerW } = predictPhased(JOB, GPU, 110);
    near(x, 0.5, 1e-12);
    near(timeS, 13, 1e-12);
    near(powerW, 1310 / 13, 1e-9);
  });

  it('holds the busy power at the cap above the knee too', () => {
    for (const capW of [135, 150, 170, 190]) {
      const x = clockUnderCap(JOB, GPU, capW);
      const v = 1 + 0.5 * Math.max(0, x - 0.7);
      near(40 + 20 + 100 * v * v * x, capW, 1e-8);
    }
  });

  it('exceeds a cap that the lowest clock cannot hold', () => {
    const busy = { ...JOB, lightS: 0 };
    const { x, powerW } = predictPhased(busy, GPU, 50);
    assert.equal(x, 0.2);
    near(powerW, 80, 1e-9);
  });

  it('draws the less of the cap on average, the higher the cap', () => {
    const parts = [100, 130, 160, 190].map((capW) => predictPhased(JOB, GPU, capW).powerW / capW);
    assert.ok(parts.every((part, i) => i === 0 || part < (parts[i - 1] ?? 0)));
  });

  it('is fitted back well enough to predict caps in between', () => {
    const capsW = [90, 120, 150, 180, 210];
    const made = capsW.map((capW) => predictPhased(JOB, GPU, capW));
    const { job } = fitPhasedJob(
      {
        capsW,
        timeS: made.map(({ timeS }) => timeS),
        powerW: made.map(({ powerW }) => powerW),
      },
      GPU,
    );
    for (const capW of [105, 135, 165, 195]) {
      const expected = predictPhased(JOB, GPU, capW);
      const found = predictPhased(job, GPU, capW);
      near(found.timeS / expected.timeS, 1, 0.01);
      near(found.powerW / expected.powerW, 1, 0.01);
    }
  });
});
