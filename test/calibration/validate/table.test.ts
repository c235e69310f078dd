import assert from 'node:assert/strict';
import { meetsGoal, type SchemeResult } from '../../../calibration/validate/scheme.ts';
import {
  goalText,
  markdownTable,
  percent,
  plainTable,
} from '../../../calibration/validate/table.ts';

const RESULT: SchemeResult = {
  name: '1. Something',
  goal: { timeMape: 0.012, powerMape: 0.016, worst: null, more: 'small errors' },
  rows: [
    {
      what: 'A | B',
      timeMape: 0.0115,
      powerMape: 0.02,
      worst: 0.1234,
      naiveTime: 0.25,
      naivePower: null,
      published: '1.3 % elsewhere',
    },
  ],
  notes: ['how it was done'],
};

describe('the tables of the schemes', () => {
  it('write fractions as percentages', () => {
    assert.deepEqual([0.0123, 0.0999, 0.25, null].map(percent), [
      '1.23 %',
      '9.99 %',
      '25.0 %',
      '-',
    ]);
  });

  it('write a goal as time, power and worst, and none as nothing', () => {
    assert.equal(goalText(RESULT.goal), '1.2 % / 1.6 % / -');
    assert.equal(goalText({ timeMape: null, powerMape: null, worst: null, more: '' }), '');
  });

  it('are Markdown, with bars in cells escaped', () => {
    const lines = markdownTable(RESULT).split('\n');
    assert.equal(lines[0], '### 1. Something');
    assert.equal(
      lines.find((line) => line.startsWith('| A')),
      '| A \\| B | 1.15 % | 2.00 % | 12.3 % | 1.2 % / 1.6 % / - | no | 25.0 % | - | 1.3 % elsewhere |',
    );
    assert.ok(lines.includes('- how it was done'));
  });

  it('are aligned for a terminal, with what was published below', () => {
    const lines = plainTable(RESULT).split('\n');
    assert.equal(lines[1]?.indexOf('time'), (lines[2]?.indexOf('1.15 %') ?? 0) + 2);
    assert.ok(lines.includes('  A | B: 1.3 % elsewhere'));
  });

  it('say whether a row meets its goal, its own before that of the scheme', () => {
    const [row] = RESULT.rows;
    assert.ok(row !== undefined);
    assert.equal(meetsGoal(row, RESULT.goal), false);
    assert.equal(meetsGoal({ ...row, powerMape: null }, RESULT.goal), true);
    const own = { timeMape: null, powerMape: 0.02, worst: null, more: '' };
    assert.equal(meetsGoal({ ...row, goal: own }, RESULT.goal), true);
    assert.equal(meetsGoal({ ...row, goal: { ...own, powerMape: null } }, RESULT.goal), null);
  });
});
