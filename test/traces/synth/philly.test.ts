import assert from 'node:assert/strict';
import { InputError } from '../../../sim/errors.ts';
import { randomStream } from '../../../sim/random.ts';
import { offeredLoad } from '../../../traces/shape.ts';
import { OFFICE_RHYTHM, poissonArrivals, rhythmAt } from '../../../traces/synth/arrivals.ts';
import { durationLaw } from '../../../traces/synth/duration-law.ts';
import { PHILLY, type PhillyOptions, synthPhilly } from '../../../traces/synth/index.ts';
import { integrateUnit } from '../../../traces/synth/numeric.ts';

const near = (found: number, expected: number, tolerance: number) => {
  assert.ok(Math.abs(found / expected - 1) <= tolerance, `${found} is not near ${expected}`);
};

describe('the duration law', () => {
  const law = durationLaw(PHILLY.quantiles, PHILLY.meanDurationS);

  it('goes through the published quantiles', () => {
    for (const { part, durationS } of PHILLY.quantiles) near(law(part), durationS, 1e-9);
  });

  it('has the published mean', () => {
    near(integrateUnit(law, 1_000_000), PHILLY.meanDurationS, 1e-4);
  });

  it('never decreases', () => {
    let last = 0;
    for (let u = 0; u < 1; u += 1e-4) {
      assert.ok(law(u) >= last);
      last = law(u);
    }
  });
});

describe('arrivals', () => {
  it('have a rhythm with a mean of 1 over a week', () => {
    const week = 7 * 86_400;
    near(
      integrateUnit((x) => rhythmAt(OFFICE_RHYTHM, x * week), 7 * 24),
      1,
      1e-9,
    );
    assert.ok(rhythmAt(OFFICE_RHYTHM, (2 * 24 + 14) * 3600) > 1.6);
    assert.ok(rhythmAt(OFFICE_RHYTHM, (6 * 24 + 2) * 3600) < 0.6);
  });

  it('have the rate asked for and the rhythm in it', () => {
    const arrivals = poissonArrivals(0.01, OFFICE_RHYTHM, randomStream(1, 'test'));
    const byDay = Array.from({ length: 7 }, () => 0);
    const count = 60_000;
    let last = 0;
    for (let index = 0; index < count; index += 1) {
      last = arrivals.next().value;
      const day = Math.floor(last / 86_400) % 7;
      byDay[day] = (byDay[day] ?? 0) + 1;
    }
    near(count / last, 0.01, 0.03);
    assert.equal(byDay.indexOf(Math.max(...byDay)), 2);
  });
});

describe('the philly generator', () => {
  it('gives the published statistics', () => {
    const { jobs, report } = synthPhilly({ jobs: 200_000, seed: 1 });
    const durations = jobs.map(({ durationS }) => durationS).toSorted((a, b) => a - b);
    const at = (part: number) => durations[Math.floor(part * durations.length)] ?? Number.NaN;
    near(at(0.5), 1_144, 0.03);
    near(at(0.9), 11_266, 0.05);
    near(at(0.99), 254_884, 0.1);
    near(durations.reduce((sum, value) => sum + value, 0) / jobs.length, 13_135.9, 0.05);
    near(report.singleGpuFraction, 0.93167, 0.005);
    near((report.gangSizes[8] ?? 0) / jobs.length, 0.02, 0.1);
    near(report.gpuHours / jobs.length, PHILLY.gpuHours / PHILLY.jobs, 0.06);
    near(report.submitS?.max ?? 0, (PHILLY.spanS * 200_000) / PHILLY.jobs, 0.03);
  });

  it('gives the same jobs for the same seed and others for another', () => {
    const of = (seed: number) => synthPhilly({ jobs: 100, seed }).jobs;
    assert.deepEqual(of(1), of(1));
    assert.notDeepEqual(of(1), of(2));
  });

  it('meets a load exactly, from time 0, in order', () => {
    const { jobs, report } = synthPhilly({ jobs: 500, seed: 1, load: 0.8, capacityGpus: 64 });
    near(offeredLoad(jobs, 64), 0.8, 1e-9);
    assert.equal(jobs[0]?.submitS, 0);
    assert.ok(jobs.every((job, index) => job.submitS >= (jobs[index - 1]?.submitS ?? 0)));
    assert.equal(report.options.load, 0.8);
    assert.equal(new Set(jobs.map(({ id }) => id)).size, 500);
  });

  it('changes nothing else when it cuts long jobs, and says how many', () => {
    const free = synthPhilly({ jobs: 2000, seed: 1 });
    const cut = synthPhilly({ jobs: 2000, seed: 1, maxDurationS: 3600 });
    assert.deepEqual(
      cut.jobs.map(({ durationS }) => durationS),
      free.jobs.map(({ durationS }) => Math.min(durationS, 3600)),
    );
    const above = free.jobs.filter(({ durationS }) => durationS > 3600).length;
    assert.ok(cut.report.assumed.includes(`${above} run times above 3600 s are cut to it`));
  });

  it('draws no gang above the cap', () => {
    const { report } = synthPhilly({ jobs: 20_000, seed: 1, maxGpus: 4 });
    assert.deepEqual(Object.keys(report.gangSizes), ['1', '2', '4']);
    assert.ok(report.assumed.includes('no gangs above 4 GPUs are drawn'));
    assert.deepEqual(Object.keys(synthPhilly({ jobs: 9, seed: 1, maxGpus: 1 }).report.gangSizes), [
      '1',
    ]);
  });

  it('refuses options that contradict each other or make no sense', () => {
    const options: Omit<PhillyOptions, 'seed'>[] = [
      { jobs: 0 },
      { jobs: 1.5 },
      { jobs: 1, load: 1 },
      { jobs: 1, capacityGpus: 1 },
      { jobs: 1, load: 1, capacityGpus: 1, ratePerS: 1 },
      { jobs: 1, load: -1, capacityGpus: 1 },
      { jobs: 1, ratePerS: Number.NaN },
      { jobs: 1, maxDurationS: 0 },
      { jobs: 1, maxGpus: 0 },
    ];
    for (const bad of options) assert.throws(() => synthPhilly({ seed: 1, ...bad }), InputError);
  });
});
