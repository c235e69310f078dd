import assert from 'node:assert/strict';
import { meetsGoal, type SchemeResult } from '../../../calibration/validate/scheme.ts';
import { validateTrainingPairs } from '../../../calibration/validate/training-pairs.ts';
import { describeWithData, readSet, rowOf } from '../../calibration/validate/support.ts';

/** Mean speed of Lucid's pairs by summed utilisation alone, as first counted: without a pair at 200 %. */
const MEASURED = [1.0, 1.007, 0.97, 0.926, 0.844, 0.739];

describeWithData('scheme 5 on the Lucid set', (folder) => {
  let result: SchemeResult;
  before(() => {
    result = validateTrainingPairs(readSet(folder, 'lucid'));
  });

  it('predicts pairs with a model never seen within 9 %, by the simulator', () => {
    const row = rowOf(result, /before, simulator/);
    assert.ok((row.timeMape ?? 1) <= 0.09, `${row.timeMape}`);
    assert.ok((row.timeMape ?? 1) < (row.naiveTime ?? 0));
    const linear = rowOf(result, /linear in utilisations$/);
    assert.ok((row.timeMape ?? 1) < (linear.timeMape ?? 0), 'the physics beats the plane');
  });

  it('has the mean speed within 3 points in every bin of summed utilisation', () => {
    const bins = result.rows.filter(({ what }) => what.includes('mean speed'));
    assert.equal(bins.length, MEASURED.length);
    bins.forEach((bin, i) => {
      const [measured, simulated] = [...bin.what.matchAll(/\d\.\d{3}/g)].map(Number);
      assert.ok(Math.abs((measured ?? NaN) - (MEASURED[i] ?? NaN)) < 0.0025, bin.what);
      assert.ok(Math.abs((simulated ?? NaN) - (MEASURED[i] ?? NaN)) <= 0.03, bin.what);
      assert.ok((bin.timeMape ?? 1) <= 0.03, bin.what);
    });
  });

  it('meets every goal that it states', () => {
    for (const row of result.rows) assert.notEqual(meetsGoal(row, result.goal), false, row.what);
  });
});
