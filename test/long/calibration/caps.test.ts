import assert from 'node:assert/strict';
import { validateCaps } from '../../../calibration/validate/caps.ts';
import { meetsGoal } from '../../../calibration/validate/scheme.ts';
import { describeWithData, readSet, rowOf } from '../../calibration/validate/support.ts';

describeWithData('the Zeus power-cap traces', (folder) => {
  it('are predicted at held-out caps within the goals, on every job and batch size', () => {
    const result = validateCaps(readSet(folder, 'zeus-powerlimit'));
    for (const [gpu, time, power, jobs] of [
      ['V100', 0.03, 0.035, 68],
      ['P100', 0.03, 0.035, 45],
      ['A40', 0.08, 0.04, 53],
    ] as const) {
      for (const how of ['alternate caps, two phases', 'other caps', 'alternate caps, one phase']) {
        const row = rowOf(result, new RegExp(`^${gpu} .*${how}`));
        assert.equal(row.workloads, jobs);
        assert.ok((row.timeMape ?? 1) <= time && (row.powerMape ?? 1) <= power);
        assert.equal(meetsGoal(row, result.goal), true, JSON.stringify(row));
        if (!how.includes('one phase')) assert.ok((row.timeMape ?? 1) < (row.naiveTime ?? 0));
      }
    }
  });
});
