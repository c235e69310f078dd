import assert from 'node:assert/strict';
import { efficientClock } from '../../policies/energy-greedy.ts';
import { type Outcome, predictorOf, runEnergyGreedy } from './heshare/support.ts';
import { gpuType, jobSpec, profile, profileSet } from './heshare/synthetic.ts';

// Flat voltage and additive time, so that energies can be worked out by hand.
const FLAT = { voltage: { knee: 2, slope: 0 }, clocksMhz: [750, 1000, 1250, 1500] };
const THRIFTY = gpuType('thrifty', { ...FLAT, idlePowerW: 5, contextPowerW: 10 });
const FAST = gpuType('fast', { ...FLAT, contextPowerW: 100 });
const SET = profileSet(
  [FAST, THRIFTY],
  [
    // 0.09 s at 100 + 100 W against 0.27 s at 10 + 50 W: 18 J against 16.2 J at full clock.
    profile('core', 'fast', {
      time: { hostS: 0, memoryS: 0, coreS: 0.09, q: 1 },
      power: { memoryW: 0, coreW: 100 },
    }),
    profile('core', 'thrifty', {
      time: { hostS: 0, memoryS: 0, coreS: 0.27, q: 1 },
      power: { memoryW: 0, coreW: 50 },
    }),
    profile('memory', 'fast', {
      time: { hostS: 0, memoryS: 0.09, coreS: 0.01, q: 1 },
      power: { memoryW: 20, coreW: 80 },
    }),
    profile('memory', 'thrifty', {
      time: { hostS: 0, memoryS: 0.9, coreS: 0.1, q: 1 },
      power: { memoryW: 10, coreW: 40 },
    }),
  ],
);
const CLUSTER = {
  name: 'c',
  groups: [
    { gpuType: 'fast', gpusPerNode: 1, nodes: 1 },
    { gpuType: 'thrifty', gpusPerNode: 1, nodes: 1 },
  ],
};

const job = (id: string, workload: string, submitS = 0, more: object = {}) =>
  jobSpec(id, { workload, submitS, referenceGpu: 'fast', ...more });

const typesOf = (outcome: Outcome, ...ids: string[]) =>
  ids.map((id) => outcome.row(id).gpuTypes[0]);

describe('efficientClock', () => {
  const predictor = predictorOf(SET);

  it('stays at the reference clock where slowing down costs energy', () => {
    // Core-bound: a lower clock takes the same dynamic energy and more context energy.
    const best = efficientClock(predictor, 'core', 0, 9);
    assert.equal(best?.clockMhz, 1500);
    assert.ok(Math.abs(best.stepJ - 18) < 1e-9);
  });

  it('lowers the clock of a memory-bound job as far as it pays', () => {
    // 0.09 + 0.01 / x seconds at 100 + 20 + 80 x watts: least at the lowest clock, x = 1/2.
    const best = efficientClock(predictor, 'memory', 0, 9);
    assert.equal(best?.clockMhz, 750);
    assert.ok(Math.abs(best.stepJ - 0.11 * 160) < 1e-9);
  });

  it('keeps the slowdown bound', () => {
    // x = 1/2 is 10 % slower, x = 2/3 is 5 %.
    assert.equal(efficientClock(predictor, 'memory', 0, 1.1)?.clockMhz, 750);
    assert.equal(efficientClock(predictor, 'memory', 0, 1.09)?.clockMhz, 1000);
    assert.equal(efficientClock(predictor, 'memory', 0, 1)?.clockMhz, 1500);
  });

  it('knows no clock for what cannot run', () => {
    assert.equal(efficientClock(predictor, 'unknown', 0, 2), null);
  });
});

describe('energy-greedy', () => {
  it('gives each job the type with the least energy per unit of work', () => {
    const jobs = [job('a', 'core'), job('b', 'memory')];
    const outcome = runEnergyGreedy({ profiles: SET, cluster: CLUSTER, jobs });
    assert.deepEqual(typesOf(outcome, 'a', 'b'), ['thrifty', 'fast']);
  });

  it('takes what is free, or waits for the best type when told to', () => {
    const jobs = [job('a', 'core'), job('b', 'core', 1)];
    const world = { profiles: SET, cluster: CLUSTER, jobs };
    const free = runEnergyGreedy(world);
    assert.deepEqual(typesOf(free, 'a', 'b'), ['thrifty', 'fast']);
    assert.equal(free.row('b').startS, 1);
    const waiting = runEnergyGreedy({ ...world, options: { typeChoice: 'wait' } });
    assert.deepEqual(typesOf(waiting, 'a', 'b'), ['thrifty', 'thrifty']);
    assert.equal(waiting.row('b').startS, waiting.row('a').endS);
  });

  it('sets the clock before the start and puts it back where no other gains', () => {
    const jobs = [job('a', 'memory'), job('b', 'core', 1), job('c', 'core', 2)];
    const { decisions } = runEnergyGreedy({ profiles: SET, cluster: CLUSTER, jobs });
    assert.deepEqual(
      decisions.map(({ kind, job, value }) => (kind === 'set-clock' ? value : job)),
      [750, 'a', 'b', 1500, 'c'],
    );
  });

  it('keeps the stricter bound of a job', () => {
    const jobs = [job('a', 'memory', 0, { maxSlowdown: 1.06 })];
    const outcome = runEnergyGreedy({ profiles: SET, cluster: CLUSTER, jobs });
    assert.equal(outcome.decisions[0]?.value, 1000);
    assert.equal(outcome.result.summary.sloViolations, 0);
  });

  it('skips a gang that does not fit and never shares a gpu', () => {
    const cluster = { name: 'c', groups: [{ gpuType: 'fast', gpusPerNode: 2, nodes: 1 }] };
    const jobs = [
      job('a', 'core'),
      job('gang', 'core', 1, { gpuCount: 2 }),
      job('b', 'core', 2),
      job('c', 'core', 3),
    ];
    const outcome = runEnergyGreedy({ profiles: SET, cluster, jobs });
    assert.equal(outcome.row('b').startS, 2);
    assert.equal(outcome.row('c').startS, outcome.row('a').endS);
    assert.ok(outcome.row('gang').startS >= outcome.row('c').endS);
  });

  it('spreads a gang that is larger than every type over several', () => {
    for (const typeChoice of ['free', 'wait']) {
      const jobs = [job('gang', 'core', 0, { gpuCount: 2 })];
      const options = { typeChoice };
      const outcome = runEnergyGreedy({ profiles: SET, cluster: CLUSTER, jobs, options });
      assert.deepEqual([...outcome.row('gang').gpuTypes].sort(), ['fast', 'thrifty']);
    }
  });
});
