import assert from 'node:assert/strict';
import {
  boardPowerW,
  fitBoardPower,
  fitSharedVoltage,
} from '../../../calibration/fit/board-power.ts';

const near = (actual: number, expected: number, tolerance: number): void => {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not near ${expected}`);
};

const GRID = [0.5, 0.6, 0.7, 0.8, 0.9, 1].flatMap((x) => [0.8, 0.9, 1].map((xm) => ({ x, xm })));

describe('board power over core and memory clocks', () => {
  it('is the formula with numbers put in by hand', () => {
    // V(1) = 1 + 0.5 * (1 - 0.8) = 1.1: 40 + 10 * 0.5 + 100 * 1.21 = 166.
    const power = { constantW: 40, memoryW: 10, coreW: 100 };
    near(boardPowerW(power, { knee: 0.8, slope: 0.5 }, { x: 1, xm: 0.5 }), 166, 1e-12);
  });

  it('gives back the three powers that made the data', () => {
    const curve = { knee: 0.7, slope: 0.8 };
    const made = { constantW: 35, memoryW: 25, coreW: 90 };
    const points = GRID.map((point) => ({ ...point, powerW: boardPowerW(made, curve, point) }));
    const found = fitBoardPower(points, curve);
    near(found.constantW, 35, 1e-7);
    near(found.memoryW, 25, 1e-7);
    near(found.coreW, 90, 1e-7);
  });

  it('cannot tell the constant from the memory at one memory clock, and says it is the memory', () => {
    const curve = { knee: 0.7, slope: 0.8 };
    const made = { constantW: 35, memoryW: 25, coreW: 90 };
    const points = GRID.filter(({ xm }) => xm === 1).map((point) => ({
      ...point,
      powerW: boardPowerW(made, curve, point),
    }));
    const found = fitBoardPower(points, curve);
    assert.equal(found.constantW, 0);
    near(found.memoryW, 60, 1e-7);
  });

  it('finds the curve that several workloads share, with its errors', () => {
    const curve = { knee: 0.72, slope: 0.6 };
    const workloads = [
      { constantW: 30, memoryW: 5, coreW: 60 },
      { constantW: 20, memoryW: 40, coreW: 120 },
    ].map((power) =>
      GRID.map((point, i) => ({
        ...point,
        powerW: boardPowerW(power, curve, point) * (1 + 0.001 * Math.sin(7 * i)),
      })),
    );
    const found = fitSharedVoltage(workloads);
    near(found.curve.knee, 0.72, 0.02);
    near(found.curve.slope, 0.6, 0.05);
    assert.deepEqual(found.status, ['free', 'free']);
    assert.ok((found.standardErrors[1] ?? 1) < 0.05);
  });
});
