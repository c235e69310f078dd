import assert from 'node:assert/strict';
import {
  fitDynamicPower,
  fitVoltageCurve,
  linearPowerPredictor,
  powerOverClock,
} from '../../../calibration/fit/clock-power.ts';
import { fitTimeOverClock, timeOverClock } from '../../../calibration/fit/clock-time.ts';

const near = (actual: number, expected: number, tolerance: number): void => {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not near ${expected}`);
};
const CLOCKS = [0.5, 0.6, 0.7, 0.8, 0.9, 1];

describe('power over clock', () => {
  it('is the formula with numbers put in by hand', () => {
    // V(1) = 1 + 0.5 * (1 - 0.8) = 1.1, so 40 + 10 + 100 * 1.21 * 1 = 171; at 0.5: 40 + 10 + 50.
    const power = { memoryW: 10, coreW: 100 };
    const [low = 0, high = 0] = powerOverClock([0.5, 1], power, { knee: 0.8, slope: 0.5 }, 40);
    near(low, 100, 1e-12);
    near(high, 171, 1e-12);
  });

  it('gives back the coefficients that made the data', () => {
    const curve = { knee: 0.7, slope: 0.5 };
    const powerW = powerOverClock(CLOCKS, { memoryW: 12, coreW: 90 }, curve, 30);
    const { memoryW, coreW } = fitDynamicPower({ x: CLOCKS, powerW }, curve, 30);
    near(memoryW, 12, 1e-9);
    near(coreW, 90, 1e-9);
  });

  it('never goes below the context level', () => {
    const flat = { knee: 1, slope: 0 };
    // Falls with the clock: without the bound the core power would be negative.
    const falling = fitDynamicPower({ x: [0.5, 1], powerW: [60, 50] }, flat, 30);
    assert.equal(falling.coreW, 0);
    assert.ok(falling.memoryW > 20 && falling.memoryW < 30);
    // Steeper than proportional: the best line through the context level has no memory part.
    const steep = fitDynamicPower({ x: [0.5, 1], powerW: [31, 60] }, flat, 30);
    assert.equal(steep.memoryW, 0);
    const none = fitDynamicPower({ x: [0.5, 1], powerW: [20, 20] }, flat, 30);
    assert.deepEqual(none, { memoryW: 0, coreW: 0 });
  });

  it('finds the voltage curve that several applications share', () => {
    const curve = { knee: 0.72, slope: 0.6 };
    const x = Array.from({ length: 13 }, (_, i) => 0.5 + i / 24);
    const sweeps = [
      { memoryW: 5, coreW: 60 },
      { memoryW: 40, coreW: 120 },
      { memoryW: 0, coreW: 20 },
    ].map((power) => ({ x, powerW: powerOverClock(x, power, curve, 30) }));
    const found = fitVoltageCurve(sweeps, 30);
    near(found.knee, curve.knee, 1e-4);
    near(found.slope, curve.slope, 1e-3);
  });

  it('has a naive rival that draws a straight line', () => {
    const line = linearPowerPredictor({ x: [0.5, 1], powerW: [60, 100] });
    near(line(0.75), 80, 1e-9);
  });
});

describe('time over clock', () => {
  it('gives back the roofline that made the data', () => {
    const made = { hostS: 0.1, memoryS: 0.8, coreS: 0.6, q: 4 };
    const timeS = timeOverClock(CLOCKS, made);
    const found = fitTimeOverClock({ x: CLOCKS, timeS }, 0.1);
    assert.equal(found.q, 4);
    near(found.memoryS, 0.8, 1e-5);
    near(found.coreS, 0.6, 1e-5);
    assert.equal(found.hostS, 0.1);
  });

  it('takes the additive form for time that is inverse to the clock', () => {
    const timeS = CLOCKS.map((x) => 2 / x);
    const found = fitTimeOverClock({ x: CLOCKS, timeS }, 0);
    assert.equal(found.q, 1);
    near(found.memoryS, 0, 1e-6);
    near(found.coreS, 2, 1e-6);
  });
});
