import {
  agrees,
  controlledWaits,
  erlangWaitS,
  exponentialLaw,
  fifo,
  lognormalLaw,
  processorSharing,
  replicate,
} from '../support/queueing.ts';

// As test/validation/queueing.test.ts, at higher loads, for more GPUs and more variable service.

describe('queueing theory, at length', () => {
  for (const [gpus, rho, jobs] of [
    [1, 0.8, 400_000],
    [4, 0.9, 400_000],
    [16, 0.9, 300_000],
    [64, 0.9, 300_000],
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
    });
  }

  it('gives the mean wait of M/G/1 with lognormal service of variation 2', () => {
    const rho = 0.6;
    const runs = replicate({ gpus: 1, rho, law: lognormalLaw(4), jobs: 400_000, policy: fifo });
    const theory = (load: number): number => (load * 5) / (2 * (1 - load));
    agrees('wait', controlledWaits(runs, theory, rho), theory(rho));
  });

  for (const mode of ['mps', 'time-slice'] as const) {
    for (const variation2 of [0.25, 4]) {
      it(`gives the mean sojourn of processor sharing at 0.8 under ${mode}, variation^2 ${variation2}`, () => {
        const rho = 0.8;
        const law = lognormalLaw(variation2);
        const runs = replicate({
          gpus: 1,
          rho,
          law,
          jobs: 200_000,
          policy: processorSharing(mode),
        });
        agrees(
          'sojourn',
          runs.map(({ summary }) => summary.jctS.mean),
          1 / (1 - rho),
        );
      });
    }
  }
});
