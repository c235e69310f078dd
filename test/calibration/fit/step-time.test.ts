import assert from 'node:assert/strict';
import { atBatch, batchStepTimeS, fitStepTime } from '../../../calibration/fit/step-time.ts';

const near = (actual: number, expected: number, tolerance = 1e-6): void => {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not near ${expected}`);
};

const MODEL = {
  host: { fixedS: 0.1, perItemS: 0.01 },
  memory: { fixedS: 0.2, perItemS: 0.02 },
  core: { fixedS: 0.1, perItemS: 0.05 },
  q: 2,
};

function points(
  model: typeof MODEL,
  xs: readonly number[],
  xms: readonly number[],
  shares: readonly number[],
  batches: readonly number[],
) {
  return xs.flatMap((x) =>
    xms.flatMap((xm) =>
      shares.flatMap((share) =>
        batches.map((batch) => {
          const point = { x, xm, share, batch };
          return { ...point, timeS: batchStepTimeS(model, point) };
        }),
      ),
    ),
  );
}

describe('step time in one form', () => {
  it('is the formula with numbers put in by hand', () => {
    // Batch 10: h = 0.2, m = 0.4, c = 0.6; at x = 0.5, share 0.5, xm = 1: 0.2 + sqrt(0.16 + 2.4^2).
    assert.deepEqual(
      Object.values(atBatch(MODEL, 10)).map((value) => Math.round(1e9 * value) / 1e9),
      [0.2, 0.4, 0.6, 2],
    );
    const at = { x: 0.5, xm: 1, share: 0.5, batch: 10 };
    near(batchStepTimeS(MODEL, at), 0.2 + Math.sqrt(0.16 + 5.76), 1e-12);
  });

  it('gives back all six terms and the exponent where everything varies', () => {
    const made = points(MODEL, [0.5, 0.7, 0.85, 1], [0.7, 0.85, 1], [0.5, 1], [1, 8, 32]);
    const { model, mape, coefficients } = fitStepTime(made);
    assert.equal(model.q, 2);
    assert.ok(mape < 1e-8);
    near(model.host.fixedS, 0.1, 1e-5);
    near(model.memory.perItemS, 0.02, 1e-6);
    near(model.core.perItemS, 0.05, 1e-6);
    assert.ok(coefficients.every(({ status }) => status === 'free'));
  });

  it('fixes host time where there is one memory clock, and says why', () => {
    const clocks = Array.from({ length: 8 }, (_, i) => 0.5 + i / 14);
    const made = points({ ...MODEL, host: { fixedS: 0, perItemS: 0 } }, clocks, [1], [1], [4]);
    const { model, coefficients } = fitStepTime(made);
    assert.equal(model.host.fixedS, 0);
    near(model.memory.fixedS, 0.28, 1e-5);
    near(model.core.fixedS, 0.3, 1e-5);
    const host = coefficients.find(({ name }) => name === 'host.fixedS');
    assert.equal(host?.status, 'fixed');
    assert.match(host.why, /one memory clock/);
    const perItem = coefficients.find(({ name }) => name === 'core.perItemS');
    assert.match(perItem?.why ?? '', /one batch size/);
  });

  it('takes all for core time at one clock and share, and says why', () => {
    const { model, coefficients } = fitStepTime([{ x: 1, xm: 1, share: 1, batch: 1, timeS: 2 }]);
    near(model.core.fixedS, 2);
    assert.equal(model.memory.fixedS, 0);
    assert.equal(model.q, 1);
    const memory = coefficients.find(({ name }) => name === 'memory.fixedS');
    assert.match(memory?.why ?? '', /one core clock and share/);
  });

  it('gives errors of the terms that grow with the noise', () => {
    const clocks = Array.from({ length: 12 }, (_, i) => 0.5 + i / 22);
    const clean = points({ ...MODEL, host: { fixedS: 0, perItemS: 0 } }, clocks, [1], [1], [4]);
    const errorAt = (noise: number): number => {
      const noisy = clean.map((point, i) => ({
        ...point,
        timeS: point.timeS * (1 + noise * Math.sin(5 * i)),
      }));
      const fit = fitStepTime(noisy, { exponents: [2] });
      return fit.coefficients.find(({ name }) => name === 'core.fixedS')?.standardError ?? 0;
    };
    const small = errorAt(0.001);
    assert.ok(small > 0);
    near(errorAt(0.01) / small, 10, 1);
  });

  it('refuses to fit nothing', () => {
    assert.throws(() => fitStepTime([]), /found none/);
  });
});
