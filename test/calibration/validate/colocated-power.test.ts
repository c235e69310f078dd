import assert from 'node:assert/strict';
import { colocatedPowerRows } from '../../../calibration/validate/colocated-power.ts';
import { close } from '../../support/close.ts';
import { flatGpu } from '../../support/flat.ts';
import { rowOf, tableOf } from './support.ts';

// By hand, context 50 W, limit 200 W, one at 25 % draws 100 W: together 150, 200, 250 W, the last
// limited to 200 W; 160 W were read for three, an error of 1 / 4.
//   published throttle of -2 MHz a W above the limit: four at 1000 - 2 * 50 = 900 MHz, read 750
//   simulator: the dynamic power of four is 200 W times the clock: 50 + 200 x = 200 at x = 3 / 4
//   naive: 200, 300 and 400 W, all limited to 200 W, for 150, 160 and 200

const throttle = { capW: 200, referenceMhz: 1000, mhzPerW: -2 };
const together = (count: number, powerW: number, achievedMhz: number) => ({
  share: 0.25,
  sharing: 'mps' as const,
  coRunners: Array.from({ length: count - 1 }, () => ({ workload: 'w', batch: null, share: 0.25 })),
  powerW,
  achievedMhz,
});

describe('calibration/validate power of jobs together', () => {
  const table = tableOf([
    together(1, 100, 1000),
    together(2, 150, 1000),
    together(3, 160, 1000),
    together(4, 200, 750),
  ]);

  it('adds up what one draws alone, which does not count itself', () => {
    const rows = colocatedPowerRows(table, { contextW: 50, throttles: { G: throttle } });
    const row = rowOf({ rows }, /published throttle/);
    assert.equal(row.points, 3);
    close(row.powerMape ?? NaN, 0.25 / 3, 1e-12);
    close(row.timeMape ?? NaN, 0.2, 1e-12);
    close(row.naiveTime ?? NaN, 1000 / 750 - 1, 1e-12);
    close(row.naivePower ?? NaN, (50 / 150 + 40 / 160) / 3, 1e-12);
  });

  it('is what the simulator says, too', () => {
    const gpu = { ...flatGpu(), name: 'G', referenceClockMhz: 1000, contextPowerW: 50 };
    const type = {
      ...gpu,
      clocksMhz: [200, 1000],
      powerLimitW: { min: 1, default: 200, max: 200 },
    };
    const rows = colocatedPowerRows(table, { gpuTypes: [type], throttles: {} });
    const row = rowOf({ rows }, /simulator/);
    close(row.powerMape ?? NaN, 0.25 / 3, 1e-9);
    close(row.timeMape ?? NaN, 0, 1e-9);
  });

  it('needs one alone, and others of the same', () => {
    const options = { contextW: 50, throttles: { G: throttle } };
    assert.deepEqual(colocatedPowerRows(tableOf([together(2, 150, 1000)]), options), []);
    assert.deepEqual(colocatedPowerRows(tableOf([together(1, 100, 1000)]), options), []);
  });
});
