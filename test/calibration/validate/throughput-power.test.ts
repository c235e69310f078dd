import assert from 'node:assert/strict';
import { loadShippedProfiles } from '../../../calibration/profiles.ts';
import type { SchemeResult } from '../../../calibration/validate/scheme.ts';
import { validateThroughputPower } from '../../../calibration/validate/throughput-power.ts';
import { close } from '../../support/close.ts';
import { describeWithData, readSet, rowOf, tableOf } from './support.ts';

// By hand, context 50 W: 150 W at half the GPU with a step of 2 s.
//   full GPU, step 1.25 s: 50 + 100 * 2 / 1.25 = 210 W; by the share 50 + 100 * 2 = 250 W
//   a tenth, step 8 s: 50 + 100 * 2 / 8 = 75 W; by the share 70 W

const point = (share: number, stepS: number, powerW: number) => ({
  batch: 1,
  share,
  sharing: 'mps' as const,
  stepS,
  powerW,
});

describe('calibration/validate power by throughput', () => {
  it('is base plus dynamic power times the ratio of throughputs', () => {
    const table = tableOf([point(0.5, 2, 150), point(1, 1.25, 210), point(0.1, 8, 60)]);
    const row = rowOf(validateThroughputPower(table, { contextW: 50 }), /by throughput/);
    assert.equal(row.points, 2);
    close(row.powerMape ?? NaN, (75 / 60 - 1) / 2, 1e-12);
    close(row.naivePower ?? NaN, (250 / 210 - 1 + (70 / 60 - 1)) / 2, 1e-12);
  });

  it('stays within the power limit', () => {
    const table = tableOf([point(0.5, 2, 150), point(1, 1.25, 200)]);
    const row = rowOf(validateThroughputPower(table, { contextW: 50, capW: 200 }), /by throughput/);
    close(row.powerMape ?? NaN, 0, 1e-12);
  });

  it('says nothing of workloads without the seen share', () => {
    const table = tableOf([point(0.4, 2, 150), point(1, 1.25, 200)]);
    assert.deepEqual(validateThroughputPower(table).rows, []);
  });
});

describeWithData('scheme 6 on the iGniter set', (folder) => {
  let result: SchemeResult;
  before(() => {
    const { gpuTypes } = loadShippedProfiles();
    result = validateThroughputPower(readSet(folder, 'igniter-v100-mps'), { gpuTypes });
  });

  it('predicts total power at 10 and 100 % from 50 % within 3 % on the mean', () => {
    for (const how of [/by throughput/, /simulator/]) {
      const row = rowOf(result, how);
      assert.equal(row.points, 24);
      assert.ok((row.powerMape ?? 1) <= 0.03, `${row.what} ${row.powerMape}`);
      assert.ok((row.powerMape ?? 1) < 0.5 * (row.naivePower ?? 0));
    }
  });
});
