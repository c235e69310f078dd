import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { loadSolver } from '../../../policies/lp/index.ts';
import { costsOf, SIA_WEIGHTS, type SiaRound, solveSia } from '../../../policies/sia/program.ts';
import { close } from '../../support/close.ts';

type Config = readonly [type: string, nodes: number, gpus: number];

interface Recorded {
  readonly configs: readonly Config[];
  readonly S: readonly (readonly number[])[];
  readonly ngpus: Readonly<Record<string, number>>;
  readonly prev: readonly (number | null)[] | null;
  readonly restart_factor?: readonly number[];
  readonly penalty_scope?: string;
  readonly result: {
    readonly A: readonly (readonly number[])[];
    readonly objective: number;
    readonly choice: readonly (Config | null)[];
  };
}

/** Solved from the formula of siasosp23/artifacts @aaf7a0d by HiGHS and by enumeration, which agree. */
const cases = JSON.parse(
  readFileSync(new URL('../../peers/fixtures/sia-ilp.json', import.meta.url), 'utf8'),
) as readonly Recorded[];

function roundOf(recorded: Recorded): SiaRound {
  const types = Object.keys(recorded.ngpus);
  return {
    configurations: recorded.configs.map(([type, , gpus]) => ({ type: types.indexOf(type), gpus })),
    capacity: Object.values(recorded.ngpus),
    speeds: recorded.S,
    previous: recorded.prev,
    restartFactors: recorded.restart_factor ?? null,
    penaltyScope: recorded.penalty_scope === 'all' ? 'all' : 'same-type',
  };
}

describe('the integer program of Sia', () => {
  before(loadSolver);

  it('gives the GPU to the job that loses most without, by hand', () => {
    // One GPU: running costs 1/sqrt(4) = 0.5 or 1, waiting 1.1: 0.5 + 1.1 < 1 + 1.1.
    const round: SiaRound = {
      configurations: [{ type: 0, gpus: 1 }],
      capacity: [1],
      speeds: [[1], [4]],
      previous: null,
      restartFactors: null,
      penaltyScope: 'same-type',
    };
    const { objective, chosen } = solveSia(round);
    assert.deepEqual(chosen, [null, 0]);
    close(objective, 1.6);
    // Were the first running, keeping it costs 1 + 1.1; a change 0.5 + 1.1 + 0.01 for it.
    close(solveSia({ ...round, previous: [0, null] }).objective, 1.61);
  });

  for (const [index, recorded] of cases.entries()) {
    it(`meets the recorded costs and optimum, case ${index}`, () => {
      const round = roundOf(recorded);
      assert.deepEqual(costsOf(round, SIA_WEIGHTS.fairness), recorded.result.A);
      const { objective, chosen } = solveSia(round);
      close(objective, recorded.result.objective, 1e-9);
      const ours = chosen.map((choice) => (choice === null ? null : recorded.configs[choice]));
      assert.deepEqual(ours, recorded.result.choice);
    });
  }
});
