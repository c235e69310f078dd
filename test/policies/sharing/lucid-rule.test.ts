import assert from 'node:assert/strict';
import { makePredictor } from '../../../policies/predictor.ts';
import { mayJoin, type Packable, sharingScore } from '../../../policies/sharing/lucid-rule.ts';
import { PairScores } from '../../../policies/sharing/pair-scores.ts';
import { randomStream } from '../../../sim/random.ts';
import { flatGpu, flatProfile, profileSet } from '../../support/flat.ts';

describe('policies/sharing/lucid-rule', () => {
  const resident: Packable = { gpuCount: 2, memory: 10, score: 1, priority: 100 };
  const job: Packable = { gpuCount: 2, memory: 5, score: 1, priority: 200 };
  const joins = (over: Partial<Packable>) => mayJoin({ ...job, ...over }, resident, 16);

  it('lets gangs of one size share within memory, scores and twice the priority', () => {
    assert.equal(joins({}), true);
    assert.equal(joins({ gpuCount: 1 }), false);
    // 10 must be less than 16 less what the job takes.
    assert.deepEqual([joins({ memory: 5.9 }), joins({ memory: 6 })], [true, false]);
    assert.deepEqual([joins({ score: 0 }), joins({ score: 2 })], [true, false]);
    assert.deepEqual([joins({ priority: 200 }), joins({ priority: 201 })], [true, false]);
  });

  it('scores by the mean speed in company', () => {
    assert.deepEqual([0.5, 0.849, 0.85, 0.949, 0.95, 1.1].map(sharingScore), [2, 2, 1, 1, 0, 0]);
  });

  it('takes the mean over the workloads of the profile set that fit beside', () => {
    // heavy takes 16 GiB of 16 and has no company. Measured: light beside light 1, beside flat 0.9;
    // flat beside flat shares the SMs in halves: light (1 + 0.9) / 2, flat (0.9 + 0.5) / 2.
    const pair = (a: string, b: string, speed: number) => ({
      gpuType: 'flat',
      workloads: [a, b] as const,
      speeds: [speed, speed] as const,
      source: 'made up',
    });
    const profiles = profileSet(
      [flatGpu()],
      [
        flatProfile(),
        flatProfile({ workload: 'light' }),
        flatProfile({ workload: 'heavy', memoryGib: 16 }),
      ],
      [pair('light', 'light', 1), pair('light', 'flat', 0.9)],
    );
    const predictor = makePredictor({
      profiles,
      types: profiles.gpuTypes,
      information: 'pairs',
      noise: 0,
      random: randomStream(1, 'test'),
    });
    const scores = new PairScores(predictor, profiles, 'mps');
    assert.ok(Math.abs(scores.meanSpeed('light', 0) - 0.95) < 1e-12);
    assert.ok(Math.abs(scores.meanSpeed('flat', 0) - 0.7) < 1e-12);
    assert.equal(scores.meanSpeed('heavy', 0), 0);
    assert.equal(scores.meanSpeed('nothing', 0), 0);
    assert.deepEqual(
      ['light', 'flat', 'heavy', 'light'].map((name) => scores.score(name, 0)),
      [0, 2, 2, 0],
    );
  });
});
