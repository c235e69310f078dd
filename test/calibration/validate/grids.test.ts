import assert from 'node:assert/strict';
import { boardPowerW } from '../../../calibration/fit/board-power.ts';
import { validateGrids } from '../../../calibration/validate/grids.ts';
import { meetsGoal } from '../../../calibration/validate/scheme.ts';
import { stepTimeS } from '../../../sim/gpu/step-time.ts';
import { describeWithData, readSet, rowOf, tableOf } from './support.ts';

function made() {
  return tableOf(
    [0, 1, 2].flatMap((app) =>
      [1600, 1700, 1800, 1900, 2000].flatMap((coreMhz) =>
        [4000, 4500, 5000, 5500].map((memoryMhz) => {
          const point = { x: coreMhz / 2000, xm: memoryMhz / 5500 };
          const time = { hostS: 0.1, memoryS: 0.3 + app / 4, coreS: 0.8 - app / 4, q: 1 };
          const power = { constantW: 50, memoryW: 40 + 20 * app, coreW: 80 };
          return {
            workload: `app${app}`,
            coreMhz,
            memoryMhz,
            stepS: stepTimeS(time, 1, point.x, point.xm, 1),
            powerW: boardPowerW(power, { knee: 0.7, slope: 0.8 }, point),
          };
        }),
      ),
    ),
  );
}

describe('the scheme of core and memory grids', () => {
  it('finds next to no error on what its own model made', () => {
    const row = rowOf(validateGrids(made()), /alternate points/);
    assert.deepEqual([row.workloads, row.points], [3, 30]);
    assert.ok((row.timeMape ?? 1) < 1e-3 && (row.powerMape ?? 1) < 1e-3);
    assert.ok((row.naiveTime ?? 0) > 0.01 && (row.naivePower ?? 0) > 0.01);
  });

  it('needs several memory clocks', () => {
    const rows = made().rows.filter(({ memoryMhz }) => memoryMhz === 5000);
    assert.deepEqual(validateGrids(tableOf(rows)).rows, []);
  });
});

describeWithData('the core x memory grids', (folder) => {
  it('are predicted at held-out points within the goals', () => {
    const result = validateGrids(readSet(folder, 'hkbu-gpu-dvfs-job-schedule'));
    assert.equal(result.rows.length, 2);
    for (const [name, workloads] of [
      ['GTX1080Ti', 30],
      ['RTX2070S', 20],
    ] as const) {
      const row = rowOf(result, new RegExp(name));
      assert.equal(row.workloads, workloads);
      assert.equal(meetsGoal(row, result.goal), true, JSON.stringify(row));
      assert.ok((row.timeMape ?? 1) <= 0.015 && (row.powerMape ?? 1) <= 0.012);
      assert.ok((row.naiveTime ?? 0) > 3 * (row.timeMape ?? 0));
      assert.ok((row.naivePower ?? 0) > 2 * (row.powerMape ?? 0));
    }
  });
});
