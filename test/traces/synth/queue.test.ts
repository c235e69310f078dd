import assert from 'node:assert/strict';
import { InputError } from '../../../sim/errors.ts';
import { type ServiceLaw, synthQueue } from '../../../traces/synth/index.ts';

const JOBS = 100_000;

function moments(values: readonly number[]): { mean: number; variation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, variation: Math.sqrt(squares / values.length) / mean };
}

const queue = (service: ServiceLaw, jobs = JOBS) =>
  synthQueue({ arrivalRatePerS: 0.1, service, jobs, seed: 5, workload: 'w' });

describe('the queue generator', () => {
  it('has exponential gaps between arrivals', () => {
    const jobs = queue({ kind: 'deterministic', meanS: 8 });
    const gaps = jobs.map((job, index) => job.submitS - (jobs[index - 1]?.submitS ?? 0));
    const { mean, variation } = moments(gaps);
    // Four standard errors of the mean of 100,000 draws.
    assert.ok(Math.abs(mean - 10) < 0.13);
    assert.ok(Math.abs(variation - 1) < 0.02);
    assert.ok(gaps.every((gap) => gap > 0));
  });

  it('has run times with the mean and variation of their law', () => {
    const laws: [ServiceLaw, number][] = [
      [{ kind: 'exponential', meanS: 8 }, 1],
      [{ kind: 'deterministic', meanS: 8 }, 0],
      [{ kind: 'lognormal', meanS: 8, variation: 2 }, 2],
      [{ kind: 'uniform', meanS: 8, halfWidthS: 4 }, 4 / 8 / Math.sqrt(3)],
    ];
    for (const [law, expected] of laws) {
      const { mean, variation } = moments(queue(law).map(({ durationS }) => durationS));
      assert.ok(Math.abs(mean / 8 - 1) < 0.03, `${law.kind}: mean ${mean}`);
      assert.ok(Math.abs(variation - expected) < 0.15, `${law.kind}: variation ${variation}`);
    }
  });

  it('keeps arrivals when the service changes', () => {
    const arrivals = (service: ServiceLaw) => queue(service, 50).map(({ submitS }) => submitS);
    assert.deepEqual(
      arrivals({ kind: 'exponential', meanS: 1 }),
      arrivals({ kind: 'uniform', meanS: 2, halfWidthS: 1 }),
    );
  });

  it('gives whole jobs', () => {
    const [first] = queue({ kind: 'deterministic', meanS: 8 }, 10);
    assert.equal(first?.id, 'queue-01');
    assert.equal(first.workload, 'w');
    assert.deepEqual([first.gpuCount, first.share, first.referenceGpu], [1, 1, 'V100']);
  });

  it('refuses numbers that make no sense', () => {
    const laws: ServiceLaw[] = [
      { kind: 'exponential', meanS: 0 },
      { kind: 'lognormal', meanS: 1, variation: -1 },
      { kind: 'uniform', meanS: 1, halfWidthS: 1 },
    ];
    for (const law of laws) assert.throws(() => queue(law, 1), InputError);
    assert.throws(() => queue({ kind: 'exponential', meanS: 1 }, 0), InputError);
  });
});
