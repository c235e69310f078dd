import assert from 'node:assert/strict';
import { simulate } from '../../sim/simulate.ts';
import { close } from '../support/close.ts';
import { clusterOf, worldOf } from '../support/flat.ts';
import {
  agrees,
  constantLaw,
  controlledWaits,
  erlangWaitS,
  exponentialLaw,
  fifo,
  lognormalLaw,
  processorSharing,
  QUEUE_PROFILES,
  queue,
  replicate,
} from '../support/queueing.ts';

// Queueing theory, service time S of mean 1 s, load rho = arrival rate * E[S] / c.
// By hand, at rho = 0.5 and c = 1: M/M/1 waits rho / (1 - rho) = 1 s, M/D/1 half of that; processor
// sharing has a mean sojourn of E[S] / (1 - rho) = 2 s whatever the distribution of S.
// Power: a GPU idles at 50 W and runs at 300 W, so c GPUs draw c * (50 + 250 rho) on average.
// Each value must lie in the 99 % interval of ten replications, whose mean must be within 3 % of it.

describe('queueing theory', function () {
  // A few seconds each on a free machine.
  this.timeout(600_000);

  it('is stated right: the formulas give the textbook values', () => {
    close(erlangWaitS(1, 0.5), 1);
    // M/M/2 at load 1: the wait probability is 1/3.
    close(erlangWaitS(2, 0.5), 1 / 3);
  });

  it('agrees job by job with the recursion for first in, first out on c GPUs', () => {
    for (const gpus of [1, 3, 16]) {
      const jobs = queue(2000, 0.9 * gpus, lognormalLaw(2), gpus);
      const world = worldOf({
        jobs,
        cluster: clusterOf({ nodes: gpus }),
        profiles: QUEUE_PROFILES,
      });
      const result = simulate(world, fifo());
      const freeAtS = new Array<number>(gpus).fill(0);
      jobs.forEach(({ submitS, durationS }, index) => {
        freeAtS.sort((a, b) => a - b);
        const startS = Math.max(submitS, freeAtS[0] ?? NaN);
        freeAtS[0] = startS + durationS;
        close(result.jobRow(index).startS, startS, 1e-12);
      });
    }
  });

  for (const [gpus, rho, jobs] of [
    [1, 0.5, 20_000],
    [4, 0.7, 20_000],
    [16, 0.8, 100_000],
  ] as const) {
    it(`gives the mean wait and the mean power of M/M/${gpus} at a load of ${rho}`, () => {
      const runs = replicate({ gpus, rho, law: exponentialLaw, jobs, policy: fifo });
      const theory = (load: number): number => erlangWaitS(gpus, load);
      agrees('wait', controlledWaits(runs, theory, rho), theory(rho));
      agrees(
        'power',
        runs.map(({ summary }) => summary.meanPowerW),
        gpus * (50 + rho * 250),
      );
      agrees(
        'utilisation',
        runs.map(({ summary }) => summary.gpuUtilisation),
        rho,
      );
    });
  }

  for (const [name, law, variation2, jobs] of [
    ['M/D/1', constantLaw, 0, 10_000],
    ['M/G/1 with lognormal service', lognormalLaw(0.5), 0.5, 20_000],
  ] as const) {
    it(`gives the mean wait of ${name} after Pollaczek and Khinchine`, () => {
      const rho = 0.5;
      const runs = replicate({ gpus: 1, rho, law, jobs, policy: fifo });
      const theory = (load: number): number => (load * (1 + variation2)) / (2 * (1 - load));
      agrees('wait', controlledWaits(runs, theory, rho), theory(rho));
    });
  }

  for (const [mode, name, law] of [
    ['mps', 'exponential', exponentialLaw],
    ['mps', 'constant', constantLaw],
    ['mps', 'lognormal', lognormalLaw(2)],
    ['time-slice', 'lognormal', lognormalLaw(2)],
  ] as const) {
    it(`gives the mean sojourn of processor sharing under ${mode}, for ${name} service`, () => {
      const rho = 0.5;
      const policy = processorSharing(mode);
      const runs = replicate({ gpus: 1, rho, law, jobs: 10_000, policy });
      agrees(
        'sojourn',
        runs.map(({ summary }) => summary.jctS.mean),
        1 / (1 - rho),
      );
      agrees(
        'power',
        runs.map(({ summary }) => summary.meanPowerW),
        50 + rho * 250,
      );
      for (const { summary } of runs) assert.equal(summary.queueS.max, 0);
    });
  }
});
