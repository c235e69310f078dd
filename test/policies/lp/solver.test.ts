import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  LinearProgram,
  loadSolver,
  optimum,
  SolveError,
  solve,
} from '../../../policies/lp/index.ts';

/** max 3 x + 2 y with x + y <= 4 and x + 3 y <= 6. */
function corner(integer = false): LinearProgram {
  const program = new LinearProgram('maximise');
  const x = program.addVariable({ cost: 3, integer });
  const y = program.addVariable({ cost: 2, integer });
  program.atMost(
    [
      [x, 1],
      [y, 1],
    ],
    4.5,
  );
  program.atMost(
    [
      [x, 1],
      [y, 3],
    ],
    6,
  );
  return program;
}

describe('the solver of linear programs', () => {
  before(loadSolver);

  it('finds the best corner, and what a row would be worth', () => {
    // x = 4.5 and y = 0: one more of the first row is worth 3, the second is slack.
    const solution = solve(corner());
    assert.equal(solution.status, 'optimal');
    assert.deepEqual([...solution.values], [4.5, 0]);
    assert.equal(solution.objective, 13.5);
    assert.deepEqual([...(solution.duals ?? [])].map(Math.abs), [3, 0]);
  });

  it('finds the best whole numbers where they are asked for', () => {
    // x = 4 and y = 0 give 12; y = 1 leaves x = 3 and 11.
    const solution = solve(corner(true));
    assert.deepEqual([solution.status, solution.objective, solution.duals], ['optimal', 12, null]);
  });

  it('says what has no solution and what has no end', () => {
    const none = new LinearProgram('minimise');
    const x = none.addVariable({ cost: 1, upper: 1 });
    none.atLeast([[x, 1]], 2);
    assert.equal(solve(none).status, 'infeasible');
    assert.ok(Number.isNaN(solve(none).objective));
    const endless = new LinearProgram('maximise');
    endless.addVariable({ cost: 1 });
    assert.equal(solve(endless).status, 'unbounded');
  });

  it('says when a limit of time was reached, and gives what it has as what it is', () => {
    const program = new LinearProgram('maximise');
    const terms = Array.from(
      { length: 30 },
      (_, i) => [program.addVariable({ cost: 100 + i, upper: 1, integer: true }), 101 + i] as const,
    );
    program.atMost(terms, 1000.5);
    const solution = solve(program, { timeLimitS: 0 });
    assert.equal(solution.status, 'time-limit');
    assert.throws(() => optimum('knapsack', program, (each) => solve(each, { timeLimitS: 0 })), {
      status: 'time-limit',
    });
  });

  it('takes a program without variables', () => {
    const program = new LinearProgram('maximise');
    assert.deepEqual([solve(program).status, solve(program).objective], ['optimal', 0]);
    program.atLeast([], 1);
    assert.equal(solve(program).status, 'infeasible');
  });

  it('throws where an optimum is needed and there is none, naming the program', () => {
    const none = new LinearProgram('minimise');
    none.addVariable({ upper: 1 });
    none.atLeast([[0, 1]], 2);
    assert.throws(
      () => optimum('fair shares', none),
      (error: unknown) =>
        error instanceof SolveError &&
        error.status === 'infeasible' &&
        error.message ===
          "fair shares: the solver ended with status 'infeasible', expected 'optimal'",
    );
  });

  it('agrees with the fractional knapsack, which is greedy', () => {
    const items = fc.array(
      fc.record({ worth: fc.integer({ min: 1, max: 50 }), size: fc.integer({ min: 1, max: 50 }) }),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(items, fc.integer({ min: 0, max: 200 }), (chosen, room) => {
        const program = new LinearProgram('maximise');
        const terms = chosen.map(
          ({ worth, size }) => [program.addVariable({ cost: worth, upper: 1 }), size] as const,
        );
        program.atMost(terms, room);
        let left = room;
        let best = 0;
        const byDensity = [...chosen].sort((a, b) => b.worth / b.size - a.worth / a.size);
        for (const { worth, size } of byDensity) {
          const part = Math.min(1, left / size);
          best += part * worth;
          left -= part * size;
        }
        assert.ok(Math.abs(solve(program).objective - best) <= 1e-7 * (1 + best));
      }),
      { numRuns: 60 },
    );
  });
});
