import {
  checkBreaches,
  checkIdlers,
  checkRepeats,
  checkValidRuns,
} from '../support/simulation-properties.ts';

// As test/sim/properties.test.ts, in many more worlds.

describe('simulate: any world under any policy, at length', () => {
  it('ends with right books, where nothing fails', () => {
    checkValidRuns({ numRuns: 4000, seed: 201 }, false);
  });

  it('ends with right books, where GPUs, nodes and clients fail', () => {
    checkValidRuns({ numRuns: 4000, seed: 202 }, true);
  });

  it('gives the same result twice', () => {
    checkRepeats({ numRuns: 2000, seed: 203 });
  });

  it('refuses a breach of any rule at any time with a DecisionError', () => {
    checkBreaches({ numRuns: 10_000, seed: 204 });
  });

  it('names the jobs that a policy never starts', () => {
    checkIdlers({ numRuns: 3000, seed: 205 });
  });
});
