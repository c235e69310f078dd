import assert from 'node:assert/strict';
import {
  IGNITER_EXAMPLE,
  IGNITER_MODELS,
  IGNITER_V100,
  predictLatencies,
  provision,
} from '../../../calibration/literature/igniter.ts';

const near = (actual: number | undefined, expected: number, tolerance: number): void => {
  assert.ok(Math.abs((actual ?? Number.NaN) - expected) <= tolerance, `${actual} vs ${expected}`);
};

describe("iGniter's model", () => {
  it('is the formula with numbers put in by hand', () => {
    // AlexNet b = 4 at 50 %: (0.0042 * 16 + 8.7116 * 4 + 23.7361) / 50.0555 + 0.346, then 0.0318 ms
    // idle and 606112 * 4 bytes at 10 GB/s.
    const workload = { model: IGNITER_MODELS.alexnet, ratePerS: 500, sloMs: 15 };
    const [latency] = predictLatencies([{ workload, batch: 4, share: 50 }], IGNITER_V100);
    near(latency, 58.6497 / 50.0555 + 0.346 + 0.0318 + 0.2424448, 1e-5);
  });

  it('slows both when two share a GPU, the more when they exceed the cap', () => {
    const vgg = { model: IGNITER_MODELS.vgg19, ratePerS: 200, sloMs: 60 };
    const one = { workload: vgg, batch: 16, share: 50 };
    const [alone = 0] = predictLatencies([one], IGNITER_V100);
    const [together = 0] = predictLatencies([one, one], IGNITER_V100);
    assert.ok(together > alone);
    const [uncapped = 0] = predictLatencies([one, one], { ...IGNITER_V100, capW: 1000 });
    assert.ok(together > uncapped && uncapped > alone);
  });
});

describe("iGniter's provisioning", () => {
  it('gives the example of its documentation exactly', () => {
    const gpus = provision(IGNITER_EXAMPLE, IGNITER_V100);
    assert.equal(gpus.length, 1);
    const placed = gpus[0]?.map(({ workload, batch, share }) => [
      workload.model.name,
      batch,
      share,
    ]);
    assert.deepEqual(placed?.sort(), [
      ['alexnet', 4, 10],
      ['resnet50', 8, 30],
      ['vgg19', 6, 37.5],
    ]);
  });

  it('opens another GPU where one has no room', () => {
    const gpus = provision([...IGNITER_EXAMPLE, ...IGNITER_EXAMPLE], IGNITER_V100);
    assert.equal(gpus.length, 2);
    for (const gpu of gpus) {
      assert.ok(gpu.reduce((sum, { share }) => sum + share, 0) <= 100);
      const latencies = predictLatencies(gpu, IGNITER_V100);
      gpu.forEach(({ workload }, i) => {
        assert.ok((latencies[i] ?? Number.NaN) <= workload.sloMs / 2);
      });
    }
  });

  it('refuses an objective that a whole GPU cannot meet', () => {
    const workload = { model: IGNITER_MODELS.vgg19, ratePerS: 400, sloMs: 2 };
    assert.throws(
      () => provision([workload], IGNITER_V100),
      /vgg19 can meet on one gpu, found 2 ms/,
    );
  });
});
