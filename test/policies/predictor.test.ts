import assert from 'node:assert/strict';
import { makePredictor, type PredictorSpec } from '../../policies/predictor.ts';
import { evaluateGpu } from '../../sim/gpu/evaluate.ts';
import type { ProfileSet } from '../../sim/gpu/profile.ts';
import type { JobView } from '../../sim/job-view.ts';
import { randomStream } from '../../sim/random.ts';
import { gpuType, profile, profileSet } from './heshare/synthetic.ts';

const [ONE, TWO] = [gpuType('one'), gpuType('two')];
const HUNGRY = { bandwidthDemand: 0.9, interference: { sensitivity: 0.2, aggressiveness: 1 } };
const SET = profileSet(
  [ONE, TWO],
  [
    profile('a', 'one', HUNGRY),
    profile('b', 'one', HUNGRY),
    profile('c', 'one', HUNGRY),
    profile('a', 'two', { time: { hostS: 0.01, memoryS: 0.06, coreS: 0.12, q: 1 } }),
  ],
);

function predictor(given: Partial<PredictorSpec> = {}) {
  return makePredictor({
    profiles: SET,
    types: [ONE],
    information: 'all',
    noise: 0,
    random: randomStream(1, 'test'),
    ...given,
  });
}

function residents(from: ReturnType<typeof predictor>, names: readonly string[], share = 0.3) {
  return names.map((name) => {
    const known = from.profile(name, 0);
    assert.ok(known !== null);
    return { profile: known, share };
  });
}

describe('makePredictor', () => {
  it('without noise predicts what the simulator computes', () => {
    const exact = predictor();
    const company = residents(exact, ['a', 'b', 'c']);
    const setting = { clockMhz: 900, powerCapW: 200 };
    assert.deepEqual(
      exact.evaluate(0, company, setting),
      evaluateGpu(ONE, company, {
        mode: 'mps',
        clockX: 0.6,
        memoryX: 1,
        powerCapW: 200,
        switchingLoss: 0.02,
      }),
    );
    assert.equal(exact.profile('a', 0), SET.workloads[0]?.onGpu.one);
  });

  it('knows no profile where there is none', () => {
    const both = predictor({ types: [TWO, ONE] });
    assert.equal(both.profile('b', 0), null);
    assert.equal(both.profile('unknown', 1), null);
    assert.notEqual(both.profile('b', 1), null);
  });

  it('told of jobs alone, expects neighbours to cost nothing but their SMs', () => {
    const solo = predictor({ information: 'solo' });
    const [alone] = solo.evaluate(0, residents(solo, ['a'])).stepS;
    for (const stepS of solo.evaluate(0, residents(solo, ['a', 'b', 'c'])).stepS) {
      assert.equal(stepS, alone);
    }
  });

  it('told of pairs, knows what two do to each other and not what three do', () => {
    const [all, pairs, solo] = (['all', 'pairs', 'solo'] as const).map((information) =>
      predictor({ information }),
    ) as [ReturnType<typeof predictor>, ReturnType<typeof predictor>, ReturnType<typeof predictor>];
    const steps = (from: typeof all, names: readonly string[]) =>
      from.evaluate(0, residents(from, names)).stepS;
    assert.deepEqual(steps(pairs, ['a', 'b']), steps(all, ['a', 'b']));
    assert.deepEqual(steps(pairs, ['a', 'b', 'c']), steps(solo, ['a', 'b', 'c']));
    assert.notDeepEqual(steps(pairs, ['a', 'b', 'c']), steps(all, ['a', 'b', 'c']));
  });

  it('uses a measured pair either way round, unless it is told of jobs alone', () => {
    const profiles: ProfileSet = {
      ...SET,
      pairs: [{ gpuType: 'one', workloads: ['a', 'b'], speeds: [0.5, 0.8], source: 'test' }],
    };
    const all = predictor({ profiles });
    const point = all.evaluate(0, residents(all, ['b', 'a'], 1));
    assert.ok(point.pairMeasured);
    const [alone] = all.evaluate(0, residents(all, ['a'], 1)).stepS as [number];
    assert.deepEqual(point.stepS, [alone / 0.8, alone / 0.5]);
    const solo = predictor({ profiles, information: 'solo' });
    assert.ok(!solo.evaluate(0, residents(solo, ['b', 'a'], 1)).pairMeasured);
  });

  it('told of nothing, answers nothing', () => {
    const none = predictor({ information: 'none' });
    assert.throws(() => none.profile('a', 0), /declares profile 'none'/);
    assert.throws(() => none.evaluate(0, []), /declares profile 'none'/);
  });

  it('knows what a gang of another size would do, on as few nodes as can hold it or on more', () => {
    // In nodes of four, 1 kept within a node and 0.9 across: 2 -> 4 doubles, 2 -> 8 is 4 * 0.9.
    const job = { workload: 'a', referenceGpu: 'one', share: 1, gpuCount: 2 } as JobView;
    const from = predictor({ gpusPerNode: [4] });
    const near = (actual: number, expected: number): void => {
      assert.ok(Math.abs(actual - expected) < 1e-12, `${actual} is not ${expected}`);
    };
    assert.equal(from.gangSpeed(job, 0, 2), from.speed(job, 0));
    near(from.gangSpeed(job, 0, 1), 0.5);
    near(from.gangSpeed(job, 0, 4), 2);
    near(from.gangSpeed(job, 0, 8), 4 * 0.9);
    near(from.gangSpeed(job, 0, 4, 2), 2 * 0.9);
    near(from.gangSpeed(job, 0, 2, 2), 0.9);
    // Nobody says how large nodes are: one holds them all.
    near(predictor().gangSpeed(job, 0, 8), 4);
  });

  it('takes the speed from the reference gpu, whether the cluster has one or not', () => {
    const job = { workload: 'a', referenceGpu: 'two', share: 0.5 } as JobView;
    // On its reference: 0.01 + 0.06 + 0.12 / 0.5; alone here: 0.01 + sqrt(0.03^2 + 0.06^2).
    const expected = 0.31 / (0.01 + Math.hypot(0.03, 0.06));
    assert.ok(Math.abs(predictor().speed(job, 0) - expected) < 1e-12);
    const stranger = { ...job, referenceGpu: 'three' } as JobView;
    assert.throws(() => predictor().speed(stranger, 0), /'a' has no profile on gpu type 'three'/);
  });

  it('draws the same errors for the same seed, whatever the cluster', () => {
    const noisy = (types: PredictorSpec['types'], seed: number) =>
      predictor({ types, noise: 0.3, random: randomStream(seed, 'noise') });
    assert.deepEqual(noisy([ONE], 1).profile('b', 0), noisy([TWO, ONE], 1).profile('b', 1));
    assert.notDeepEqual(noisy([ONE], 1).profile('b', 0), noisy([ONE], 2).profile('b', 0));
  });

  it('draws errors on time and power that are lognormal with the given deviation', () => {
    const names = Array.from({ length: 2000 }, (_, i) => `w${i}`);
    const many = profileSet(
      [ONE],
      names.map((name) => profile(name, 'one')),
    );
    const noisy = predictor({ profiles: many, noise: 0.2 });
    const exact = profile('w', 'one');
    const logs: [number[], number[]] = [[], []];
    for (const name of names) {
      const known = noisy.profile(name, 0);
      assert.ok(known !== null);
      logs[0].push(Math.log(known.time.coreS / exact.time.coreS));
      logs[1].push(Math.log(known.power.coreW / exact.power.coreW));
      const ratio = known.time.memoryS / known.time.coreS;
      assert.ok(Math.abs(ratio - exact.time.memoryS / exact.time.coreS) < 1e-12);
    }
    for (const values of logs) {
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      const variance = values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / values.length;
      assert.ok(Math.abs(mean) < 0.02, `mean ${mean}`);
      assert.ok(Math.abs(Math.sqrt(variance) - 0.2) < 0.01, `deviation ${Math.sqrt(variance)}`);
    }
    const product = logs[0].reduce((sum, time, i) => sum + time * (logs[1][i] as number), 0);
    assert.ok(Math.abs(product / 2000 / 0.04) < 0.1, 'the two errors are independent');
  });
});
