import assert from 'node:assert/strict';
import { InputError } from '../../../sim/errors.ts';
import { offeredLoad } from '../../../traces/statistics/load.ts';
import { ACME } from '../../../traces/synth/acme.ts';
import { HELIOS } from '../../../traces/synth/helios.ts';
import {
  GENERATORS,
  generatorLaw,
  OPENB,
  PHILLY,
  type SynthOptions,
  synthesize,
} from '../../../traces/synth/index.ts';
import { PAI } from '../../../traces/synth/pai.ts';
import type { ImportedTrace } from '../../../traces/workload.ts';
import { near } from './support.ts';

const NAMES = [...GENERATORS.keys()];
const made = (name: string, options: Partial<SynthOptions> = {}) =>
  synthesize(name, { jobs: 300, seed: 1, ...options });
const meanGpus = ({ jobs }: ImportedTrace) =>
  jobs.reduce((sum, job) => sum + job.gpuCount * job.share, 0) / jobs.length;
const fails = (message: RegExp) => (error: unknown) =>
  error instanceof InputError && message.test(error.message);

describe('every generator', () => {
  it('gives the same jobs for the same seed and others for another', () => {
    for (const name of NAMES) {
      assert.deepEqual(made(name).jobs, made(name).jobs, name);
      assert.notDeepEqual(made(name).jobs, made(name, { seed: 2 }).jobs, name);
    }
  });

  it('gives whole jobs from time 0, in order, with ids by rank', () => {
    for (const name of NAMES) {
      const { jobs, report } = made(name);
      assert.equal(jobs.length, 300);
      assert.equal(jobs[0]?.submitS, 0);
      assert.equal(jobs[0].id, 'synth-001');
      assert.ok(jobs.every((job, at) => job.submitS >= (jobs[at - 1]?.submitS ?? 0)));
      assert.ok(jobs.every((job) => job.durationS > 0 && job.gpuCount >= 1 && job.share > 0));
      assert.equal(report.format, `synth-${name}`);
      assert.equal(report.rowsRead, 300);
      assert.ok(report.assumed.length >= 1);
    }
  });

  it('meets a load exactly', () => {
    for (const name of NAMES) {
      const { jobs, report } = made(name, { load: 0.8, capacityGpus: 64 });
      near(offeredLoad(jobs, 64), 0.8, 1e-9);
      assert.equal(report.options.load, 0.8);
      assert.equal(jobs[0]?.submitS, 0);
    }
  });

  it('submits at the rate asked for', () => {
    // Whole weeks, so that rhythms even out.
    const monthS = 28 * 86_400;
    for (const name of NAMES) {
      const { report } = made(name, { jobs: 5000, ratePerS: 5000 / monthS });
      // Bursts of ten vary by more: their number, 500, has a deviation of 1/22.
      near(report.submitS?.max ?? 0, monthS, name === 'burst' ? 0.2 : 0.06);
    }
  });

  it('changes nothing else when it cuts long jobs, and says how many', () => {
    for (const name of NAMES) {
      const free = made(name).jobs.map(({ durationS }) => durationS);
      const cut = made(name, { maxDurationS: 500 });
      assert.deepEqual(
        cut.jobs.map(({ durationS }) => durationS),
        free.map((durationS) => Math.min(durationS, 500)),
      );
      const above = free.filter((durationS) => durationS > 500).length;
      assert.ok(cut.report.assumed.includes(`${above} run times above 500 s are cut to it`), name);
    }
  });

  it('draws no gang above the cap', () => {
    for (const name of NAMES) {
      const { report } = made(name, { jobs: 3000, maxGpus: 4 });
      assert.ok(
        Object.keys(report.gangSizes).every((size) => Number(size) <= 4),
        name,
      );
      assert.ok(report.assumed.includes('no gangs above 4 GPUs are drawn'));
      assert.deepEqual(Object.keys(made(name, { maxGpus: 1 }).report.gangSizes), ['1']);
    }
  });

  it('refuses options that contradict each other or make no sense', () => {
    const options: Partial<SynthOptions>[] = [
      { jobs: 0 },
      { jobs: 1.5 },
      { load: 1 },
      { capacityGpus: 1 },
      { load: 1, capacityGpus: 1, ratePerS: 1 },
      { load: -1, capacityGpus: 1 },
      { ratePerS: Number.NaN },
      { maxDurationS: 0 },
      { maxGpus: 0 },
    ];
    for (const bad of options) assert.throws(() => made('philly', bad), InputError);
    assert.throws(
      () => made('phily'),
      fails(/generator: expected one of .*did you mean 'philly'\?/),
    );
  });

  it('refuses options of its own that it does not have, or that are wrong', () => {
    const withSettings = (name: string, settings: SynthOptions['settings']) => () =>
      made(name, { settings: settings ?? {} });
    assert.throws(
      withSettings('philly', { x: 1 }),
      fails(/generator philly: has no option 'x': it has none/),
    );
    assert.throws(
      withSettings('helios', { clster: 'Venus' }),
      fails(/has no option 'clster': it has 'cluster'; did you mean 'cluster'\?/),
    );
    assert.throws(
      withSettings('helios', { cluster: 'Venis' }),
      fails(/cluster: expected one of .*found 'Venis'; did you mean 'Venus'\?/),
    );
    assert.throws(
      withSettings('poisson', { meanS: 'x' }),
      fails(/meanS: expected a number from 0\.001/),
    );
    assert.throws(
      withSettings('poisson', { gpus: 1.5 }),
      fails(/gpus: expected a whole number from 1/),
    );
    assert.throws(
      () => made('poisson', { maxGpus: 8, settings: { gpus: 16 } }),
      fails(/gpus: expected no more than the limit maxGpus=8, found 16/),
    );
    assert.throws(withSettings('poisson', { law: 'uniform', halfWidthS: 9999 }), InputError);
    assert.throws(
      withSettings('burst', { meanJobs: 0.5 }),
      fails(/meanJobs: expected a number from 1/),
    );
    assert.equal(
      made('helios', { settings: { cluster: 'venus' } }).report.options.cluster,
      'Venus',
    );
  });
});

describe('the philly generator', () => {
  it('gives the statistics of the trace', () => {
    const { jobs, report } = made('philly', { jobs: 100_000 });
    const durations = jobs.map(({ durationS }) => durationS).toSorted((a, b) => a - b);
    const at = (part: number) => durations[Math.floor(part * durations.length)] ?? Number.NaN;
    // Figures of the whole file, which the generator is not told.
    near(at(0.5), 1_144, 0.03);
    near(at(0.9), 11_266, 0.05);
    near(at(0.99), 254_884, 0.1);
    near(report.durationS?.mean ?? 0, PHILLY.meanDurationS, 0.05);
    near(report.singleGpuFraction, 0.93167, 0.005);
    near((report.gangSizes[8] ?? 0) / jobs.length, 0.02, 0.1);
    near(report.gpuHours / jobs.length, PHILLY.gpuHours / PHILLY.jobs, 0.1);
    near(report.submitS?.max ?? 0, (PHILLY.spanS * 100_000) / PHILLY.jobs, 0.03);
    assert.ok(jobs.every(({ durationS }) => Number.isInteger(durationS)));
  });

  it('has classes that add up to the trace', () => {
    const jobs = PHILLY.classes.flatMap(({ sizes }) => sizes.map((size) => size.jobs));
    assert.equal(
      jobs.reduce((sum, count) => sum + count, 0),
      PHILLY.jobs,
    );
    const runS = PHILLY.classes.reduce((sum, { sizes, durations }) => {
      return sum + durations.meanS * sizes.reduce((all, size) => all + size.jobs, 0);
    }, 0);
    near(runS / PHILLY.jobs, PHILLY.meanDurationS, 1e-6);
  });
});

describe('the openb generator', () => {
  it('gives the shares, sizes and GPU-hours of the trace', () => {
    const { report } = made('openb', { jobs: 40_000 });
    near(report.sharedGpuFraction, 2573 / OPENB.jobs, 0.02);
    near(report.singleGpuFraction, 6129 / OPENB.jobs, 0.005);
    // Shares are drawn apart from run times, which leaves a part of the GPU-hours open.
    near(report.gpuHours / 40_000, OPENB.gpuHours / OPENB.jobs, 0.2);
    // Nearly all come in the last fifth of the span.
    assert.ok((report.coverage?.arrivedBy.p10 ?? 0) > 0.79);
  });
});

describe('the generators from published figures', () => {
  it('meet median, mean, gangs and GPU-hours of the clusters of Helios', () => {
    for (const [cluster, figures] of Object.entries(HELIOS.clusters)) {
      const trace = made('helios', { jobs: 40_000, settings: { cluster } });
      near(trace.report.durationS?.median ?? 0, figures.medianRunS, 0.04);
      near(trace.report.durationS?.mean ?? 0, figures.meanRunS, 0.1);
      near(meanGpus(trace), figures.meanGpus, 0.08);
      near((trace.report.gpuHours * 3600) / 40_000, figures.gpuS / figures.gpuJobs, 0.35);
    }
  });

  it('submit at the rate of the trace unless another is asked for', () => {
    const { gpuJobs } = HELIOS.clusters.Venus;
    const { ratePerS } = generatorLaw('helios', { cluster: 'Venus' });
    near(ratePerS, gpuJobs / (HELIOS.days * 86_400), 1e-12);
    const trace = made('helios', { settings: { cluster: 'Venus' } });
    assert.equal(trace.report.options.ratePerS, ratePerS);
  });

  it('meet those of Acme', () => {
    for (const [cluster, figures] of Object.entries(ACME.clusters)) {
      const trace = made('acme', { jobs: 40_000, settings: { cluster } });
      near(trace.report.durationS?.median ?? 0, figures.medianRunS, 0.04);
      near(trace.report.durationS?.mean ?? 0, figures.meanRunS, 0.1);
      near(meanGpus(trace), figures.meanGpus, 0.08);
      near((trace.report.gpuHours * 3600) / 40_000, figures.gpuS / figures.gpuJobs, 0.35);
    }
  });

  it('meet those of PAI, with parts of GPUs', () => {
    const trace = made('pai', { jobs: 40_000 });
    near(trace.report.durationS?.median ?? 0, PAI.medianRunS, 0.04);
    near(trace.report.durationS?.mean ?? 0, PAI.meanRunS, 0.05);
    near(meanGpus(trace), PAI.meanGpus, 0.02);
    assert.equal(trace.report.gpuCount?.max, PAI.maxGpus);
    const gpus = trace.jobs.map((job) => job.gpuCount * job.share).toSorted((a, b) => a - b);
    assert.equal(gpus[20_000], 0.5);
  });
});

describe('the poisson generator', () => {
  it('has the laws and sizes asked for', () => {
    const settings = { law: 'deterministic', meanS: 250, gpus: 3 };
    const { jobs, report } = made('poisson', { settings });
    assert.ok(jobs.every(({ durationS, gpuCount }) => durationS === 250 && gpuCount === 3));
    assert.deepEqual(
      [report.options.law, report.options.meanS, report.options.gpus],
      ['deterministic', 250, 3],
    );
    const uniform = made('poisson', { settings: { law: 'uniform', meanS: 100, halfWidthS: 10 } });
    assert.ok(uniform.jobs.every(({ durationS }) => durationS >= 90 && durationS <= 110));
    const wide = made('poisson', { jobs: 50_000, settings: { law: 'lognormal', meanS: 100 } });
    near(wide.report.durationS?.mean ?? 0, 100, 0.05);
  });
});

describe('the burst generator', () => {
  it('submits like jobs together', () => {
    const settings = { meanJobs: 20, gapS: 1, spread: 0 };
    const { jobs } = made('burst', { jobs: 5000, settings });
    const gaps = jobs.slice(1).map((job, at) => job.submitS - (jobs[at]?.submitS ?? 0));
    // Nineteen of twenty gaps are within a burst, about a second each.
    const within = gaps.filter((gap) => gap < 15).length / gaps.length;
    assert.ok(within > 0.9 && within < 0.99, `${within}`);
    const alike = jobs.slice(1).filter((job, at) => job.durationS === jobs[at]?.durationS).length;
    assert.ok(alike / jobs.length > 0.85, `${alike}`);
  });
});
