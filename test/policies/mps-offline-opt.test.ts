import assert from 'node:assert/strict';
import fc from 'fast-check';
import { makePredictor } from '../../policies/predictor.ts';
import { ShareSplits } from '../../policies/sharing/share-split.ts';
import type { WorkloadProfile } from '../../sim/gpu/profile.ts';
import { randomStream } from '../../sim/random.ts';
import { close } from '../support/close.ts';
import { flatGpu, flatProfile, profileSet, worldOf } from '../support/flat.ts';
import { job, policyOn, run, schedule } from './schedule.ts';

function predictorOf(...workloads: readonly WorkloadProfile[]) {
  return makePredictor({
    profiles: profileSet([flatGpu()], workloads),
    types: [flatGpu()],
    information: 'all',
    noise: 0,
    random: randomStream(1, 'test'),
  });
}

/** A fifth of the SMs is all that it can use; 100 W on them. */
const small = flatProfile({ workload: 'small', smDemand: 0.2, power: { memoryW: 0, coreW: 100 } });

describe('the best split of a GPU', () => {
  const splits = new ShareSplits(predictorOf(flatProfile(), small), 0.1);

  it('halves the GPU between equals', () => {
    // Shares 0.5: 2 s at 50 + 250 W = 600 J. Shares 0.4 and 0.6: 1.67 s at 300 W, then 0.33 s of work at
    // speed 0.4 and 50 + 100 W: 500 + 125 J.
    assert.deepEqual(splits.best(0, ['flat', 'flat']), [0.5, 0.5]);
  });

  it('gives a job what it can use, and the rest to the other', () => {
    // 0.8 and 0.2: 1 s at 50 + 200 + 100 W, then 0.25 s at 250 W: 412.5 J. 0.9 and 0.1: 1.11 s at
    // 50 + 225 + 50 W, then 0.89 s at 100 W: 450 J. 0.7 and 0.2: 325 J and 0.43 s at 225 W: 421.4 J.
    assert.deepEqual(splits.best(0, ['flat', 'small']), [0.8, 0.2]);
    assert.deepEqual(splits.best(0, ['small', 'flat']), [0.2, 0.8]);
  });

  it('takes the smallest of shares that are equally good', () => {
    assert.deepEqual(splits.best(0, ['small']), [0.2]);
    assert.deepEqual(splits.best(0, ['flat']), [1]);
  });

  it('has at most as many parts as steps, which make the GPU', () => {
    assert.throws(
      () => splits.best(0, new Array<string>(11).fill('small')),
      /11 jobs cannot share/,
    );
    assert.throws(
      () => new ShareSplits(predictorOf(small), 0.3),
      /share step is 0.3, expected one over a whole number/,
    );
  });

  it('takes no more energy than any split of a pair', () => {
    const part = fc.double({ min: 0.05, max: 1, noNaN: true });
    const workload = fc.record({
      hostS: part,
      memoryS: part,
      coreS: part,
      smDemand: part,
      coreW: part,
    });
    fc.assert(
      fc.property(workload, workload, (one, other) => {
        const pair = [one, other].map(({ hostS, memoryS, coreS, smDemand, coreW }, i) =>
          flatProfile({
            workload: String(i),
            time: { hostS, memoryS, coreS, q: 1 },
            power: { memoryW: 10, coreW: 300 * coreW },
            bandwidthDemand: 0.6,
            smDemand,
          }),
        );
        const predictor = predictorOf(...pair);
        const energyOf = (shares: readonly number[]): number => {
          const residents = pair.map((profile, i) => ({ profile, share: shares[i] ?? 1 }));
          const both = predictor.evaluate(0, residents);
          const doneS = pair.map(({ time }, i) => {
            const aloneS = time.hostS + time.memoryS + time.coreS;
            return (both.stepS[i] ?? NaN) / aloneS;
          });
          const first = Math.min(...doneS);
          const later = (doneS[0] ?? 0) > (doneS[1] ?? 0) ? 0 : 1;
          const alone = predictor.evaluate(0, [residents[later] ?? { profile: small, share: 1 }]);
          const left = 1 - first / (doneS[later] ?? NaN);
          const time = pair[later]?.time ?? small.time;
          const soloS = time.hostS + time.memoryS + time.coreS;
          const restS = (left * (alone.stepS[0] ?? NaN)) / soloS;
          return both.powerW * first + alone.powerW * restS;
        };
        const found = energyOf(new ShareSplits(predictor, 0.25).best(0, ['0', '1']));
        for (let a = 0.25; a < 1; a += 0.25) {
          for (let b = 0.25; a + b <= 1; b += 0.25) {
            assert.ok(found <= energyOf([a, b]) * (1 + 1e-6), `${a} ${b}`);
          }
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('mps-offline-opt', () => {
  const profiles = profileSet([flatGpu()], [flatProfile(), small]);
  const jobs = [job('a', 0, 1, 200), job('b', 10, 1, 100, { workload: 'small' })];
  const world = worldOf({ jobs, profiles });

  it('starts a job with its part of the best split and leaves the others theirs', () => {
    // a has all, b 0.2: six fifths are asked for, so both run at 5/6. b: 100 s of work in 120; a has
    // 10 + 100 by then.
    const times = schedule(run(world, 'mps-offline-opt'));
    close(times.b?.[1] ?? NaN, 130);
    close(times.a?.[1] ?? NaN, 220);
    assert.equal(run(world, 'mps-offline-opt').summary.restarts, 0);
    assert.deepEqual(schedule(run(world, 'fifo')).b, [200, 300]);
  });

  it('restarts who stays with the best part when told, and pays for it', () => {
    // a has 0.8 from 10 to 110, and all again: 10 + 80 + 110.
    const adaptive = run(world, 'mps-offline-opt', { shares: 'adaptive' });
    assert.equal(adaptive.summary.restarts, 2);
    const times = schedule(adaptive);
    close(times.b?.[1] ?? NaN, 110);
    close(times.a?.[1] ?? NaN, 220);
  });

  it('wants no more jobs on a GPU than there are parts', () => {
    assert.throws(
      () => policyOn(world, 'mps-offline-opt', { maxPerGpu: 5, shareStep: 0.25 }),
      /maxPerGpu is 5, but shareStep makes 4 parts of a gpu/,
    );
  });
});
