import assert from 'node:assert/strict';
import { LinearProgram } from '../../../policies/lp/index.ts';

describe('a linear program under construction', () => {
  it('numbers variables and rows in the order in which they are added', () => {
    const program = new LinearProgram('maximise');
    assert.equal(program.addVariable({ cost: 3 }), 0);
    assert.equal(program.addVariable({ integer: true }), 1);
    assert.equal(program.atMost([[0, 1]], 4), 0);
    assert.equal(program.equal([[1, 2]], 6), 1);
    assert.deepEqual([program.variableCount, program.rowCount], [2, 2]);
    assert.equal(program.isMixedInteger, true);
    assert.deepEqual(
      [program.rowLower, program.rowUpper],
      [
        [-Infinity, 6],
        [4, 6],
      ],
    );
  });

  it('refuses numbers that are none, empty ranges and unknown variables', () => {
    const program = new LinearProgram('minimise');
    program.addVariable();
    assert.throws(() => program.addVariable({ cost: Number.NaN }), /cost is NaN/);
    assert.throws(() => program.addVariable({ lower: 2, upper: 1 }), /range is 2 \.\. 1/);
    assert.throws(() => program.addRow([[0, 1]], 3, 2), /row 0: range is 3 \.\. 2/);
    assert.throws(() => program.atMost([[1, 1]], 3), /row 0: factor of variable 1/);
    assert.throws(() => program.atLeast([[0, Infinity]], 3), /factor of variable 0 is Infinity/);
  });
});
