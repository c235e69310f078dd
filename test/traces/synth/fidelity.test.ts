import assert from 'node:assert/strict';
import path from 'node:path';
import fc from 'fast-check';
import { importTrace } from '../../../traces/formats.ts';
import { distributionDistance, fidelityOf, hourCounts } from '../../../traces/synth/fidelity.ts';
import { generatorLaw, synthesize } from '../../../traces/synth/index.ts';
import type { TraceJob } from '../../../traces/workload.ts';
import { DATA_FOLDER, job } from '../support.ts';

describe('the distance of two distributions', () => {
  it('is the largest between their functions: of 1 2 3 4 and 3 4 5 6 it is 1/2', () => {
    assert.equal(
      distributionDistance(Float64Array.of(4, 2, 3, 1), Float64Array.of(3, 4, 5, 6)),
      0.5,
    );
    assert.equal(distributionDistance(Float64Array.of(1, 1), Float64Array.of(1)), 0);
    assert.equal(distributionDistance(Float64Array.of(1, 2), Float64Array.of(3)), 1);
  });

  it('is the same both ways, and as a search over all values finds', () => {
    const sample = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(sample, sample, (a, b) => {
        const [left, right] = [Float64Array.from(a), Float64Array.from(b)];
        const part = (values: readonly number[], limit: number) =>
          values.filter((value) => value <= limit).length / values.length;
        const differences = [...a, ...b].map((limit) => Math.abs(part(a, limit) - part(b, limit)));
        const distance = distributionDistance(left, right);
        assert.ok(Math.abs(distance - Math.max(...differences)) < 1e-12);
        assert.equal(distributionDistance(right, left), distance);
      }),
    );
  });
});

describe('fidelity', () => {
  /** One job at each of these hours. */
  const at = (hours: readonly number[], stated: Partial<TraceJob> = {}) =>
    hours.map((hour) => job({ submitS: hour * 3600, ...stated }));

  it('counts submissions by hour of the day', () => {
    const counts = hourCounts(at([0, 0.5, 23, 24, 49]));
    assert.deepEqual([counts[0], counts[1], counts[23]], [3, 1, 1]);
    // With midnight half an hour before time 0, 0.5 h is in the next hour.
    assert.equal(hourCounts(at([0, 0.5]), 1800)[1], 1);
  });

  it('is perfect of a trace with itself', () => {
    const jobs = at([1, 2, 2, 30]);
    const fidelity = fidelityOf(jobs, jobs);
    assert.deepEqual(
      [fidelity.durationDistance, fidelity.gangDistance, fidelity.gpusDistance],
      [0, 0, 0],
    );
    assert.ok(Math.abs((fidelity.hourCorrelation ?? 0) - 1) < 1e-12);
    assert.equal(fidelity.bestShift?.hours, 0);
    assert.equal(fidelity.gpuHoursRatio, 1);
    assert.deepEqual(fidelity.gangPart, { real: 0, generated: 0 });
  });

  it('finds a clock that is off by some hours', () => {
    const real = at([5, 5, 5, 6, 7, 8]);
    const generated = at([2, 2, 2, 3, 4, 5]);
    const { hourCorrelation, bestShift } = fidelityOf(real, generated);
    assert.ok((hourCorrelation ?? 1) < 0.5);
    assert.equal(bestShift?.hours, 3);
    assert.ok(Math.abs(bestShift.correlation - 1) < 1e-12);
  });

  it('compares GPU-hours a job, and what gangs have of them', () => {
    const real = [job({ durationS: 100 }), job({ durationS: 100, gpuCount: 3 })];
    const generated = [job({ durationS: 50 }), job({ durationS: 75, gpuCount: 2, share: 0.5 })];
    const { gpuHoursRatio, gangPart, gpusDistance, gangDistance } = fidelityOf(real, generated);
    // 125 of 400 GPU-seconds; 300 of 400 and 75 of 125 by gangs.
    assert.equal(gpuHoursRatio, 125 / 400);
    assert.deepEqual(gangPart, { real: 0.75, generated: 0.6 });
    assert.equal(gangDistance, 0.5);
    assert.equal(gpusDistance, 0.5);
  });

  it('has no correlation where submissions are spread evenly', () => {
    const even = at(Array.from({ length: 24 }, (_, hour) => hour));
    assert.equal(fidelityOf(even, even).hourCorrelation, null);
    assert.equal(fidelityOf(even, even).bestShift, null);
  });
});

const title = 'the generators beside the files they imitate';
const suite = DATA_FOLDER === null ? describe.skip : describe;
suite(DATA_FOLDER === null ? `${title} (skipped: HESHARE_DATA is unset)` : title, () => {
  for (const [generator, file] of [
    ['philly', 'philly-derived/pollux_philly.csv'],
    ['openb', 'alibaba-gpu-v2023/openb_pod_list_default.csv'],
  ] as const) {
    it(`are near: ${generator}`, async () => {
      const { jobs: real } = await importTrace(path.join(DATA_FOLDER ?? '', 'traces', file));
      for (const seed of [1, 2, 3]) {
        const { jobs } = synthesize(generator, { jobs: real.length, seed });
        const { durationDistance, gangDistance, gpusDistance, hourCorrelation } = fidelityOf(
          real,
          jobs,
          generatorLaw(generator).clockStartS,
        );
        assert.ok(durationDistance <= 0.05, `run times: ${durationDistance}`);
        assert.ok(gangDistance <= 0.02, `gang sizes: ${gangDistance}`);
        assert.ok(gpusDistance <= 0.02, `GPUs: ${gpusDistance}`);
        assert.ok((hourCorrelation ?? 0) >= 0.9, `hours: ${hourCorrelation ?? 'none'}`);
      }
    });
  }
});
