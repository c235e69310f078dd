import assert from 'node:assert/strict';
import { fitInterference } from '../../../calibration/fit/interference.ts';
import { fitShareTime, latencyMs, stepTimeOfBatch } from '../../../calibration/fit/share-time.ts';
import { stepTimeS } from '../../../sim/gpu/step-time.ts';

const near = (actual: number, expected: number, tolerance: number): void => {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not near ${expected}`);
};

const MADE = { fixedMs: 1.5, perItemMs: 0.1, coreFixedMs: 0.2, corePerItemMs: 0.5 };

describe('latency over the SM share', () => {
  it('is the formula with numbers put in by hand', () => {
    // 1.5 + 0.1 * 4 + (0.2 + 0.5 * 4) / 0.5 = 1.9 + 4.4
    near(latencyMs(MADE, 4, 0.5), 6.3, 1e-12);
  });

  it('is fitted back from rows that the model made', () => {
    const points = [1, 4, 16].flatMap((batchSize) =>
      [0.1, 0.5, 1].map((share) => ({
        batchSize,
        share,
        latencyMs: latencyMs(MADE, batchSize, share),
      })),
    );
    const found = fitShareTime(points);
    near(found.fixedMs, 1.5, 1e-5);
    near(found.perItemMs, 0.1, 1e-6);
    near(found.coreFixedMs, 0.2, 1e-5);
    near(found.corePerItemMs, 0.5, 1e-6);
  });

  it('is the same in the form that the simulator takes', () => {
    const step = stepTimeOfBatch(MADE, 16);
    for (const share of [0.1, 0.25, 1]) {
      near(1000 * stepTimeS(step, 1, 1, 1, share), latencyMs(MADE, 16, share), 1e-9);
    }
  });
});

describe('interference terms', () => {
  it('are found from pairs that fix them', () => {
    const made = { a: [0.1, 1], b: [0.2, 0.8], c: [0.05, 1.2] } as const;
    const names = ['a', 'b', 'c'] as const;
    const pairs = names.flatMap((workload) =>
      names
        .filter((other) => other !== workload)
        .map((other) => ({ workload, other, extra: made[workload][0] * made[other][1] })),
    );
    const found = fitInterference(pairs);
    for (const { workload, other, extra } of pairs) {
      const sensitivity = found.get(workload)?.sensitivity ?? Number.NaN;
      near(sensitivity * (found.get(other)?.aggressiveness ?? Number.NaN), extra, 1e-5);
    }
  });

  it('keep aggressiveness near 1, which the pairs leave open', () => {
    const found = fitInterference([
      { workload: 'a', other: 'b', extra: 0.1 },
      { workload: 'b', other: 'a', extra: 0.3 },
    ]);
    near(found.get('a')?.aggressiveness ?? Number.NaN, 1, 1e-3);
    near(found.get('a')?.sensitivity ?? Number.NaN, 0.1, 1e-3);
    near(found.get('b')?.sensitivity ?? Number.NaN, 0.3, 1e-3);
  });

  it('are never negative, even where a pair ran faster together', () => {
    const found = fitInterference([
      { workload: 'a', other: 'b', extra: -0.1 },
      { workload: 'b', other: 'a', extra: 0.1 },
    ]);
    const { sensitivity, aggressiveness } = found.get('a') ?? assert.fail('no terms of a');
    assert.ok(sensitivity >= 0 && aggressiveness >= 0);
  });
});
