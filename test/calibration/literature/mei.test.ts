import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scheduleOffline } from '../../../calibration/literature/mei-offline.ts';
import {
  bestSetting,
  bestWithin,
  coreClockAt,
  defaultSetting,
  drawTask,
  NARROW,
  runAt,
  WIDE,
} from '../../../calibration/literature/mei-tasks.ts';
import { randomStream } from '../../../sim/random.ts';

const TASK = {
  fixedS: 1,
  scaledS: 9,
  coreShare: 0.5,
  staticW: 50,
  memoryW: 30,
  coreW: 100,
  deadlineS: 20,
};

describe("Mei, Wang and Chu's tasks", () => {
  it('take the time, power and energy of the formulas', () => {
    // At the default: 10 s, 180 W. At V = 0.5, core 0.5, memory 1: 1 + 9 + 4.5 = 14.5 s, 92.5 W.
    assert.equal(defaultSetting(TASK).energyJ, 1800);
    assert.equal(coreClockAt(0.5), 0.5);
    const { timeS, powerW } = runAt(TASK, 0.5, 0.5, 1);
    assert.equal(timeS, 14.5);
    assert.equal(powerW, 92.5);
  });

  it('have a setting that no voltage and memory clock of a fine grid beats by much', () => {
    for (const range of [WIDE, NARROW]) {
      const best = bestSetting(TASK, range);
      for (const voltage of range.voltages) {
        for (let m = range.memory.min; m <= range.memory.max; m += 0.01) {
          const other = runAt(TASK, voltage, coreClockAt(voltage), m);
          assert.ok(best.energyJ <= other.energyJ * (1 + 1e-9));
        }
      }
    }
  });

  it('never take longer than they may, and always do where the default is fast enough', () => {
    fc.assert(
      fc.property(fc.integer(), fc.double({ min: 0.8, max: 2, noNaN: true }), (seed, part) => {
        const task = drawTask(randomStream(seed, 'test'));
        const limitS = part * defaultSetting(task).timeS;
        const best = bestWithin(task, WIDE, limitS);
        assert.ok(best === null ? part < 1 : best.timeS <= limitS);
      }),
    );
  });

  it('are drawn within their bounds', () => {
    const random = randomStream(1, 'test');
    for (let i = 0; i < 500; i += 1) {
      const task = drawTask(random);
      const { timeS, powerW } = defaultSetting(task);
      assert.ok(powerW >= 175 - 1e-9 && powerW <= 206 + 1e-9);
      const utilisation = timeS / task.deadlineS;
      assert.ok(utilisation >= 0.25 && utilisation <= 0.75);
      assert.ok(task.staticW / powerW >= 0.2 && task.staticW / powerW <= 0.41);
    }
  });
});

describe('offline scheduling', () => {
  const timed = (timeS: number, deadlineS: number) => ({
    ...TASK,
    fixedS: timeS,
    scaledS: 0,
    deadlineS,
  });

  it('queues tasks on the GPU that is free first, and turns on a node where none is in time', () => {
    // 10 s before 10 s, 10 s before 10 s: the second needs a GPU of its own; 5 s before 16 s waits.
    const tasks = [timed(10, 10), timed(10, 10), timed(5, 16)];
    const one = scheduleOffline(tasks, { gpusPerNode: 1, range: null, idleW: 1, turnOnJ: 7 });
    assert.deepEqual([one.nodes, one.idleJ, one.turnOnJ, one.late], [2, 0, 14, 0]);
    assert.equal(one.runJ, 25 * 180);
    // On one node of two: the third waits on the first, and the second idles for 5 s.
    const two = scheduleOffline(tasks, { gpusPerNode: 2, range: null, idleW: 1, turnOnJ: 7 });
    assert.deepEqual([two.nodes, two.idleJ], [1, 5]);
  });

  it('squeezes a task into the room that is left only as far as theta allows', () => {
    // The second has 9.5 s of room: at clock 1 it takes 10 s, at the energy-optimal ones longer.
    const tasks = [
      { ...TASK, deadlineS: 10.4 },
      { ...TASK, deadlineS: 20 },
    ];
    const loose = scheduleOffline(tasks, { gpusPerNode: 1, range: WIDE, theta: 0.1 });
    const strict = scheduleOffline(tasks, { gpusPerNode: 1, range: WIDE, theta: 1 });
    assert.equal(loose.nodes, 1);
    assert.equal(strict.nodes, 2);
    assert.ok(loose.runJ > strict.runJ);
    assert.equal(loose.late + strict.late, 0);
  });

  it('is late for no drawn task and saves energy', () => {
    const random = randomStream(3, 'test');
    const tasks = Array.from({ length: 300 }, () => drawTask(random));
    for (const gpusPerNode of [1, 4]) {
      const off = scheduleOffline(tasks, { gpusPerNode, range: null });
      const on = scheduleOffline(tasks, { gpusPerNode, range: WIDE });
      assert.equal(off.late + on.late, 0);
      assert.ok(on.totalJ < 0.8 * off.totalJ);
    }
  });
});
