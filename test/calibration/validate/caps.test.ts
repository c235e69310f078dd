import assert from 'node:assert/strict';
import { predictPhased } from '../../../calibration/fit/capped-phases.ts';
import { validateCaps } from '../../../calibration/validate/caps.ts';
import { rowOf, tableOf } from './support.ts';

const CAPS = [100, 125, 150, 175, 200, 225, 250];

function made() {
  const gpu = {
    voltage: { knee: 0.72, slope: 0.52 },
    contextPowerW: 40,
    lowestX: 0.12,
    highestX: 1,
    heldPart: 0.98,
  };
  return tableOf([
    ...[1, 2].flatMap((job) =>
      CAPS.map((powerCapW) => {
        const { timeS, powerW } = predictPhased(
          {
            lightS: job,
            lightW: 40,
            busy: { hostS: 0, memoryS: 1, coreS: 3, q: 2 },
            power: { memoryW: 20, coreW: 120 },
          },
          gpu,
          powerCapW,
        );
        return { workload: `job${job}`, batch: 8, powerCapW, stepS: timeS, powerW };
      }),
    ),
    // No cap binds.
    ...CAPS.map((powerCapW) => ({ workload: 'light', powerCapW, stepS: 5, powerW: 50 })),
  ]);
}

describe('the scheme of power caps', () => {
  it('finds small errors on what its own model made, smaller than those of straight lines', () => {
    const result = validateCaps(made());
    const row = rowOf(result, /alternate caps, two phases/);
    assert.deepEqual([row.workloads, row.points], [3, 9]);
    assert.ok((row.timeMape ?? 1) < 0.005 && (row.powerMape ?? 1) < 0.005, JSON.stringify(row));
    assert.ok((row.naiveTime ?? 0) > 2 * (row.timeMape ?? 1));
  });

  it('asks for the other caps, and for the lowest, without having seen them', () => {
    const table = made();
    const spoiled = {
      ...table,
      rows: table.rows.map((row) =>
        row.powerCapW === 100 ? { ...row, stepS: 3 * (row.stepS ?? 0) } : row,
      ),
    };
    const lowest = rowOf(validateCaps(spoiled), /lowest cap/);
    assert.ok(Math.abs((lowest.timeMape ?? 0) - 2 / 3) < 0.05, JSON.stringify(lowest));
    assert.equal(rowOf(validateCaps(table), /other caps/).points, 6);
  });

  it('leaves out sweeps of few caps', () => {
    const rows = made().rows.filter(({ powerCapW }) => (powerCapW ?? 0) < 190);
    assert.deepEqual(validateCaps(tableOf(rows)).rows, []);
  });
});
