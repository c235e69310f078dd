import assert from 'node:assert/strict';
import fc from 'fast-check';
import { InputError } from '../../../sim/errors.ts';
import {
  applySteps,
  fromZero,
  type ShapeStep,
  scaledToLoad,
  timeScaled,
} from '../../../traces/shape/index.ts';
import { offeredLoad } from '../../../traces/statistics/load.ts';
import { job, reportOf } from '../support.ts';

const jobs = [
  job({ id: 'a', submitS: 100, durationS: 10, gpuCount: 4 }),
  job({ id: 'b', submitS: 150, durationS: 100, share: 0.5 }),
  job({ id: 'c', submitS: 200, durationS: 30, gpuCount: 2 }),
];
const list = { jobs, report: reportOf(jobs) };
const shapedBy = (step: ShapeStep) => applySteps(list, [step]);
const timesAfter = (step: ShapeStep) => shapedBy(step).jobs.map(({ submitS }) => submitS);

describe('moving the submissions of a trace', () => {
  it('moves the first one to 0', () => {
    assert.deepEqual(timesAfter(fromZero()), [0, 50, 100]);
    const { report } = shapedBy(fromZero());
    assert.deepEqual(report.submitS, { min: 0, median: 50, max: 100 });
    assert.deepEqual(report.assumed, ['submissions moved by -100 s to start at 0']);
  });

  it('says nothing where nothing moves', () => {
    const zero = applySteps(shapedBy(fromZero()), [fromZero()]);
    assert.equal(zero.report.assumed.length, 1);
  });

  it('stretches the time between them by a factor', () => {
    assert.deepEqual(timesAfter(timeScaled(2)), [100, 200, 300]);
    assert.deepEqual(timesAfter(timeScaled(0.5)), [100, 125, 150]);
    assert.deepEqual(shapedBy(timeScaled(0.5)).report.assumed, [
      'time between submissions multiplied by 0.5',
    ]);
  });

  it('stretches them to a load: 150 GPU-s on 2 GPUs at load 0.5 take 150 s', () => {
    assert.deepEqual(timesAfter(scaledToLoad(0.5, 2)), [100, 175, 250]);
    const [line = ''] = shapedBy(scaledToLoad(0.5, 2)).report.assumed;
    assert.match(line, /multiplied by 1\.5 .* load of 0\.5 on 2 GPUs \(was 0\.75\)/);
  });

  it('meets any load', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 5, noNaN: true }),
        fc.integer({ min: 1, max: 999 }),
        (load, gpus) => {
          const reached = offeredLoad(shapedBy(scaledToLoad(load, gpus)).jobs, gpus);
          assert.ok(Math.abs(reached / load - 1) < 1e-9);
        },
      ),
    );
  });

  it('refuses what cannot be done', () => {
    assert.throws(() => scaledToLoad(0.5, 2)(jobs.slice(0, 1)), InputError);
    for (const [load, gpus] of [
      [0.5, 0],
      [0, 2],
      [Number.POSITIVE_INFINITY, 2],
    ] as const) {
      assert.throws(() => scaledToLoad(load, gpus), InputError);
    }
    assert.throws(() => timeScaled(0), InputError);
    assert.throws(() => timeScaled(Number.NaN), InputError);
  });
});
