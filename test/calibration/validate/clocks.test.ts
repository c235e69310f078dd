import assert from 'node:assert/strict';
import { powerOverClock } from '../../../calibration/fit/clock-power.ts';
import { alternateIndices, validateClocks } from '../../../calibration/validate/clocks.ts';
import { meetsGoal } from '../../../calibration/validate/scheme.ts';
import { stepTimeS } from '../../../sim/gpu/step-time.ts';
import { describeWithData, readSet, rowOf, tableOf } from './support.ts';

const CLOCKS = Array.from({ length: 13 }, (_, i) => 750 + 65 * i);
const REFERENCE = Math.max(...CLOCKS);
const CURVE = { knee: 0.7, slope: 0.6 };

function made(noise: number) {
  return tableOf(
    [1, 2, 4, 8].flatMap((q, app) =>
      CLOCKS.map((coreMhz, i) => {
        const x = coreMhz / REFERENCE;
        const time = { hostS: 0, memoryS: 0.5 + app / 10, coreS: 0.6, q };
        const [powerW = 0] = powerOverClock([x], { memoryW: 20 * app, coreW: 90 }, CURVE, 0);
        return {
          workload: `app${app}`,
          coreMhz,
          stepS: stepTimeS(time, 1, x, 1, 1) * (1 + noise * Math.sin(3 * i + app)),
          powerW: powerW * (1 + noise * Math.cos(3 * i + app)),
        };
      }),
    ),
  );
}

describe('the scheme of locked clocks', () => {
  it('sees every second clock and the highest', () => {
    assert.deepEqual(alternateIndices(5), [0, 2, 4]);
    assert.deepEqual(alternateIndices(6), [0, 2, 4, 5]);
  });

  it('finds next to no error on what its own model made', () => {
    const row = rowOf(validateClocks(made(0)), /alternate clocks/);
    assert.ok((row.timeMape ?? 1) < 1e-4 && (row.powerMape ?? 1) < 1e-3);
    assert.ok((row.naivePower ?? 0) > 0.01 && (row.naiveTime ?? 0) > 0.01);
    assert.deepEqual([row.workloads, row.points], [4, 24]);
  });

  it('finds the noise that was put in, and not less', () => {
    const row = rowOf(validateClocks(made(0.02)), /alternate clocks/);
    assert.ok((row.timeMape ?? 0) > 0.008 && (row.timeMape ?? 1) < 0.03);
    assert.ok((row.powerMape ?? 0) > 0.008 && (row.powerMape ?? 1) < 0.03);
  });

  it('leaves out sets of one application, and sweeps of too few clocks', () => {
    const rows = made(0).rows.filter(({ workload }) => workload === 'app0');
    assert.deepEqual(validateClocks(tableOf(rows)).rows, []);
    const few = made(0).rows.filter(({ coreMhz }) => (coreMhz ?? 0) < 1000);
    assert.deepEqual(validateClocks(tableOf(few)).rows, []);
  });

  it('does not look at what it holds out', () => {
    const table = made(0.01);
    const asked = new Set(CLOCKS.filter((_, i) => !alternateIndices(CLOCKS.length).includes(i)));
    const spoiled = {
      ...table,
      rows: table.rows.map((row) =>
        asked.has(row.coreMhz ?? 0) ? { ...row, stepS: (row.stepS ?? 0) * 2 } : row,
      ),
    };
    // Predictions stay where they were, so that all errors become about a half.
    const row = rowOf(validateClocks(spoiled), /alternate clocks/);
    assert.ok(Math.abs((row.timeMape ?? 0) - 0.5) < 0.02);
  });
});

describeWithData('the V100 clock set', (folder) => {
  it('is predicted at held-out clocks within the goals, and linear power is worse', () => {
    const result = validateClocks(readSet(folder, 'v100-dvfs-33apps'));
    const row = rowOf(result, /alternate clocks/);
    assert.equal(row.workloads, 25);
    assert.equal(meetsGoal(row, result.goal), true, JSON.stringify(row));
    assert.ok((row.timeMape ?? 1) <= 0.012 && (row.powerMape ?? 1) <= 0.016);
    assert.ok((row.worst ?? 1) <= 0.035);
    assert.ok((row.naivePower ?? 0) > 2 * (row.powerMape ?? 0));
    assert.ok((row.naiveTime ?? 0) > 5 * (row.timeMape ?? 0));
    const halves = rowOf(result, /curve of the other half/);
    assert.ok((halves.powerMape ?? 1) <= 0.018);
  });

  it('has a sister set of other applications on which errors are of the same order', () => {
    const file = 'hkbu-nv-dvfs/v100-dvfs-real-profile.csv';
    const row = rowOf(validateClocks(readSet(folder, file)), /alternate clocks/);
    assert.equal(row.workloads, 20);
    assert.ok((row.timeMape ?? 1) <= 0.018 && (row.powerMape ?? 1) <= 0.024);
  });
});
