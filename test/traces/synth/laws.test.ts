import assert from 'node:assert/strict';
import fc from 'fast-check';
import { randomStream } from '../../../sim/random.ts';
import { cappedMeanS, deviationOf } from '../../../traces/synth/lognormal-law.ts';
import { integrateUnit, normalPart, normalQuantile } from '../../../traces/synth/numeric.ts';
import { OPENB } from '../../../traces/synth/openb-statistics.ts';
import { PHILLY } from '../../../traces/synth/philly-statistics.ts';
import { quantileLaw } from '../../../traces/synth/quantile-law.ts';
import { classedBodies } from '../../../traces/synth/size-class.ts';
import { countedPick, powersOfTwo } from '../../../traces/synth/size-law.ts';
import { linkedBodies, sizeCorrelation } from '../../../traces/synth/size-link.ts';
import { near } from './support.ts';

const streams = (purpose: string) => randomStream(1, `test/${purpose}`);
const meanOf = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

describe('the law of quantiles', () => {
  const tables = [...PHILLY.classes, ...OPENB.classes].map(({ durations }) => durations);

  it('is log-linear between two quantiles: halfway from 10 to 1000 s is 100 s', () => {
    const law = quantileLaw({ parts: [0, 0.5, 1], durationsS: [10, 1000, 1e6], meanS: 1e4 });
    assert.ok(Math.abs(law(0.25) - 100) < 1e-9);
  });

  it('goes through the measured quantiles, with the measured mean', () => {
    for (const table of tables) {
      const law = quantileLaw(table);
      for (const [at, part] of table.parts.entries()) {
        near(law(part), table.durationsS[at] ?? 0, 1e-9);
      }
      near(integrateUnit(law, 100_000), table.meanS, 2e-3);
    }
  });

  it('never decreases', () => {
    for (const table of tables) {
      const law = quantileLaw(table);
      let last = 0;
      for (let u = 0; u < 1; u += 1e-3) {
        assert.ok(law(u) >= last);
        last = law(u);
      }
    }
  });

  it('needs two quantiles', () => {
    assert.throws(() => quantileLaw({ parts: [0], durationsS: [1], meanS: 1 }), RangeError);
  });
});

describe('the log-normal law', () => {
  it('has the mean e^(m + s^2/2) where nothing is cut', () => {
    near(cappedMeanS(Math.log(100), 1, 1e12), 100 * Math.exp(0.5), 1e-6);
  });

  it('has the mean of its draws where much is cut', () => {
    // Cut at the median, a mean of 100 x (1/2 + e^(s^2/2) x Phi(-s)): with s = 1, 100 x 0.7615...
    near(cappedMeanS(Math.log(100), 1, 100), 100 * (0.5 + Math.exp(0.5) * normalPart(-1)), 1e-6);
  });

  it('has the deviation that meets the published mean', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 10, max: 1000, noNaN: true }),
        fc.double({ min: 1.5, max: 30, noNaN: true }),
        (medianS, factor) => {
          const figures = { medianS, meanS: medianS * factor, maxS: medianS * 1e5 };
          const deviation = deviationOf(figures);
          near(cappedMeanS(Math.log(medianS), deviation, figures.maxS), figures.meanS, 1e-6);
        },
      ),
    );
  });

  it('rests on parts of the normal distribution', () => {
    near(normalPart(1.959964), 0.975, 1e-6);
    assert.ok(Math.abs(normalQuantile(0.975) - 1.959964) < 1e-4);
    assert.ok(Math.abs(normalQuantile(0.5)) < 1e-5);
  });
});

describe('sizes', () => {
  it('are picked in the proportion of their counts', () => {
    const pick = countedPick([
      { gpuCount: 1, share: 1, jobs: 3 },
      { gpuCount: 8, share: 1, jobs: 1 },
    ]);
    assert.deepEqual(
      [0, 0.74, 0.75, 0.999].map((draw) => pick(draw).gpuCount),
      [1, 1, 8, 8],
    );
    assert.throws(() => countedPick([]), RangeError);
  });

  it('of powers of two have the mean asked for: 1, 2 and 4 GPUs with 1/2, 1/4 and 1/4 have 2', () => {
    const sizes = powersOfTwo(0.5, 2, 4);
    assert.deepEqual(
      sizes.map(({ gpuCount }) => gpuCount),
      [1, 2, 4],
    );
    for (const [at, part] of [0.5, 0.25, 0.25].entries()) near(sizes[at]?.jobs ?? 0, part, 1e-6);
  });

  it('meet any mean that they can have', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.1, max: 0.9, noNaN: true }),
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        (singlePart, place) => {
          const gangMean = 2 * (1024 / 2) ** place;
          const mean = singlePart + (1 - singlePart) * gangMean;
          const sizes = powersOfTwo(singlePart, mean, 1024);
          const found = sizes.reduce((sum, { gpuCount, jobs }) => sum + gpuCount * jobs, 0);
          near(found, mean, 0.01);
        },
      ),
    );
  });

  it('of classes come with the run times of their class', () => {
    const short = { parts: [0, 1], durationsS: [10, 20], meanS: 14.4 };
    const long = { parts: [0, 1], durationsS: [1000, 2000], meanS: 1440 };
    const draw = classedBodies(
      [
        { sizes: [{ gpuCount: 1, share: 0.5, jobs: 3 }], durations: short },
        { sizes: [{ gpuCount: 4, share: 1, jobs: 1 }], durations: long },
      ],
      Number.POSITIVE_INFINITY,
    );
    const bodies = draw(4000, streams);
    for (const { gpuCount, share, durationS } of bodies) {
      if (gpuCount === 1) assert.ok(share === 0.5 && durationS <= 20);
      else assert.ok(gpuCount === 4 && share === 1 && durationS >= 1000);
    }
    near(bodies.filter(({ gpuCount }) => gpuCount === 1).length, 3000, 0.03);
  });
});

describe('sizes linked with run times', () => {
  const sizes = powersOfTwo(0.6, 3, 64);
  const durations = { medianS: 200, meanS: 2000, maxS: 1e6 };

  it('are not linked where the GPU-seconds are the product of the means', () => {
    assert.ok(Math.abs(sizeCorrelation(sizes, durations, 3 * 2000)) < 0.01);
  });

  it('meet the mean GPU-seconds and keep both distributions', () => {
    const meanGpuS = 3 * 3 * 2000;
    assert.ok(sizeCorrelation(sizes, durations, meanGpuS) > 0.2);
    const bodies = linkedBodies(
      sizes,
      durations,
      meanGpuS,
      Number.POSITIVE_INFINITY,
    )(50_000, streams);
    near(meanOf(bodies.map((body) => body.gpuCount * body.durationS)), meanGpuS, 0.15);
    near(meanOf(bodies.map((body) => body.durationS)), 2000, 0.05);
    near(meanOf(bodies.map((body) => body.gpuCount)), 3, 0.02);
    near(bodies.filter((body) => body.gpuCount === 1).length, 30_000, 0.02);
    const sorted = bodies.map((body) => body.durationS).toSorted((a, b) => a - b);
    near(sorted[25_000] ?? 0, 200, 0.03);
  });

  it('draw no size above the limit', () => {
    const bodies = linkedBodies(sizes, durations, null, 4)(5000, streams);
    assert.deepEqual([...new Set(bodies.map(({ gpuCount }) => gpuCount))].sort(), [1, 2, 4]);
  });
});
