import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import {
  bestBatch,
  efficiency,
  type GoodputModel,
  goodput,
  speedup,
  throughput,
} from '../../../policies/pollux/goodput.ts';
import { close } from '../../support/close.ts';

interface Recorded {
  readonly perf: Readonly<Record<string, number>>;
  readonly grad: { readonly sqr: number; readonly var: number };
  readonly init_batch_size: number;
  readonly evaluate: readonly Readonly<Record<string, number>>[];
  readonly optimize: readonly (Readonly<Record<string, number>> & {
    readonly atomic_range: readonly [number, number];
    readonly accumulation: boolean;
  })[];
  readonly speedup: readonly { nodes: number; replicas: number; speedup: number }[];
}

/** Recorded from petuum/adaptdl @542e123 (Apache-2.0), adaptdl/goodput.py. */
const cases = JSON.parse(
  readFileSync(new URL('../../peers/fixtures/pollux-goodput.json', import.meta.url), 'utf8'),
) as readonly Recorded[];

function modelOf({ perf, grad, init_batch_size }: Recorded): GoodputModel {
  const value = (name: string) => perf[name] ?? NaN;
  return {
    performance: {
      alphaC: value('alpha_c'),
      betaC: value('beta_c'),
      alphaN: value('alpha_n'),
      betaN: value('beta_n'),
      alphaR: value('alpha_r'),
      betaR: value('beta_r'),
      gamma: value('gamma'),
    },
    noise: { squaredNorm: grad.sqr, variance: grad.var },
    initialBatchSize: init_batch_size,
  };
}

describe('the goodput of Pollux', () => {
  it('is throughput times efficiency, by hand', () => {
    // Computing 1 + 2 x 4 = 9 s, synchronising 3 s, not overlapped: 2 x 4 examples in 12 s.
    const performance = { alphaC: 1, betaC: 2, alphaN: 9, betaN: 9, alphaR: 3, betaR: 0, gamma: 1 };
    const model = { performance, noise: { squaredNorm: 1, variance: 3 }, initialBatchSize: 4 };
    const config = { nodes: 1, replicas: 2, atomicBatchSize: 4, accumulationSteps: 0 };
    close(throughput(performance, config), 8 / 12);
    // Twice the batch: (3 + 1) / (1.5 + 1) = 1.6 times the gain for twice the examples.
    close(efficiency(model, 8), 0.8);
    close(goodput(model, config), (8 / 12) * 0.8);
  });

  for (const [index, recorded] of cases.entries()) {
    const model = modelOf(recorded);

    it(`equals the released functions to 1e-9, job ${index}`, () => {
      for (const row of recorded.evaluate) {
        const config = {
          nodes: row.nodes ?? NaN,
          replicas: row.replicas ?? NaN,
          atomicBatchSize: row.atomic_bsz ?? NaN,
          accumulationSteps: row.accum_steps ?? NaN,
        };
        const total = config.replicas * config.atomicBatchSize * (config.accumulationSteps + 1);
        close(throughput(model.performance, config), row.throughput ?? NaN, 1e-9);
        close(efficiency(model, total), row.efficiency ?? NaN, 1e-9);
        close(goodput(model, config), row.goodput ?? NaN, 1e-9);
      }
    });

    it(`finds the batch sizes that the released search finds, job ${index}`, () => {
      for (const row of recorded.optimize) {
        const found = bestBatch(model, row.nodes ?? NaN, row.replicas ?? NaN, {
          maxBatchSize: row.max_batch_size ?? NaN,
          minAtomicBatchSize: row.atomic_range[0],
          maxAtomicBatchSize: row.atomic_range[1],
          accumulation: row.accumulation,
        });
        close(found.goodput, row.goodput ?? NaN, 1e-9);
        assert.equal(found.atomicBatchSize, row.atomic_bsz);
        assert.equal(found.accumulationSteps, row.accum_steps);
      }
    });

    it(`has the released speedups, job ${index}`, () => {
      const limits = {
        maxBatchSize: 4096,
        minAtomicBatchSize: 32,
        maxAtomicBatchSize: 512,
        accumulation: true,
      };
      for (const row of recorded.speedup) {
        close(speedup(model, row.nodes, row.replicas, limits), row.speedup, 1e-9);
      }
    });
  }
});
