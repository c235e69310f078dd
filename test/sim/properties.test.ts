import {
  checkBreaches,
  checkIdlers,
  checkRepeats,
  checkValidRuns,
} from '../support/simulation-properties.ts';

// Nothing here is worked out by hand: whatever the world and the policy, a run ends with every job done,
// failed or rejected, energy conserved, and work and energy of each job equal to what an independent
// observer adds up (test/support/shadow.ts). test/long tries more worlds.

describe('simulate: any world under any policy', function () {
  // A few seconds each on a free machine.
  this.timeout(600_000);

  it('ends with right books, where nothing fails', () => {
    checkValidRuns({ numRuns: 250, seed: 101 }, false);
  });

  it('ends with right books, where GPUs, nodes and clients fail', () => {
    checkValidRuns({ numRuns: 250, seed: 102 }, true);
  });

  it('gives the same result twice', () => {
    checkRepeats({ numRuns: 60, seed: 103 });
  });

  it('refuses a breach of any rule at any time with a DecisionError', () => {
    checkBreaches({ numRuns: 400, seed: 104 });
  });

  it('names the jobs that a policy never starts', () => {
    checkIdlers({ numRuns: 100, seed: 105 });
  });
});
