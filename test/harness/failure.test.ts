import assert from 'node:assert/strict';
import { EXIT, failureOf } from '../../harness/failure.ts';
import { DecisionError, InputError, InvariantError } from '../../sim/errors.ts';
import { simulate } from '../../sim/simulate.ts';
import { flatJob, worldOf } from '../support/flat.ts';

/** What the simulator throws when a policy never starts a job. */
function leftOver(): unknown {
  try {
    const information = { duration: 'none', durationNoise: 0 } as const;
    const lazy = { name: 'lazy', information, mode: 'exclusive', decide: () => [] } as const;
    return simulate(worldOf({ jobs: [flatJob()] }), lazy);
  } catch (error) {
    return error;
  }
}

describe('harness/failure', () => {
  it("takes what a policy does wrong as bad input where it is the user's, as our fault else", () => {
    const codes = (error: unknown) =>
      [null, 'mine.ts'].map((file) => failureOf(error, file).exitCode);
    assert.deepEqual(codes(leftOver()), [EXIT.invariant, EXIT.input]);
    assert.deepEqual(codes(new DecisionError('no')), [EXIT.invariant, EXIT.input]);
    assert.deepEqual(codes(new TypeError('no')), [EXIT.fault, EXIT.input]);
    assert.deepEqual(codes('no'), [EXIT.fault, EXIT.input]);
  });

  it('takes bad input as such, and a broken invariant as our fault, whoever the policy is of', () => {
    for (const file of [null, 'mine.ts']) {
      assert.equal(failureOf(new InputError('f', 1, 2, 'no'), file).exitCode, EXIT.input);
      const books = new InvariantError('energy is not conserved: jobs 1 J');
      assert.equal(failureOf(books, file).exitCode, EXIT.invariant);
    }
  });
});
