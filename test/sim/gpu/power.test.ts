import assert from 'node:assert/strict';
import { contextPowerW, dynamicPowerW, voltage } from '../../../sim/gpu/power.ts';
import { close } from '../../support/close.ts';
import { flatGpu } from '../../support/flat.ts';

// By hand, knee 0.8 and slope 2: V(0.5) = V(0.8) = 1, V(1) = 1 + 2 * 0.2 = 1.4.
// memory 10 W, core 100 W: at x 0.5, xm 2: 20 + 100 * 0.5 = 70 W; at x 1, xm 1: 10 + 100 * 1.96 = 206 W.

const CURVE = { knee: 0.8, slope: 2 };
const POWER = { memoryW: 10, coreW: 100 };

describe('sim/gpu/power', () => {
  it('keeps the voltage flat up to the knee and raises it linearly above', () => {
    assert.equal(voltage(CURVE, 0), 1);
    assert.equal(voltage(CURVE, 0.5), 1);
    assert.equal(voltage(CURVE, 0.8), 1);
    close(voltage(CURVE, 1), 1.4);
    close(voltage(CURVE, 1.3), 2);
  });

  it('adds memory power and core power, which goes with the voltage squared and the clock', () => {
    close(dynamicPowerW(POWER, CURVE, 0.5, 2), 70);
    close(dynamicPowerW(POWER, CURVE, 1, 1), 206);
    assert.equal(dynamicPowerW(POWER, CURVE, 0, 0), 0);
  });

  it('lets a part of the context power follow the clock, and has all of it at the reference', () => {
    // Knee 0.5, slope 1: V(1)^2 = 2.25. 50 W, 30 of them with the clock: at x 0.5 50 - 30 * (1 - 0.5 / 2.25).
    const type = flatGpu({ contextClockW: 30, voltage: { knee: 0.5, slope: 1 } });
    assert.equal(contextPowerW(type, 1), 50);
    close(contextPowerW(type, 0.5), 50 - 30 * (1 - 0.5 / 2.25));
    close(contextPowerW(type, 1.5), 50 + 30 * ((4 * 1.5) / 2.25 - 1));
    assert.equal(contextPowerW(flatGpu(), 0.2), 50);
  });

  it('has no jump at the knee', () => {
    const below = dynamicPowerW(POWER, CURVE, 0.8 - 1e-9, 1);
    const above = dynamicPowerW(POWER, CURVE, 0.8 + 1e-9, 1);
    assert.ok(Math.abs(above - below) < 1e-5);
  });
});
