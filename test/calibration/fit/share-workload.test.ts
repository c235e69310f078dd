import {
  fitShareWorkload,
  fullPowerW,
  shareProfile,
  shareSpeed,
} from '../../../calibration/fit/share-workload.ts';
import { evaluateGpu } from '../../../sim/gpu/evaluate.ts';
import { close } from '../../support/close.ts';
import { flatGpu } from '../../support/flat.ts';

// By hand: a step of 1 ms + 1 ms * B + 2 ms * B / share; context 50 W, 200 W on the whole GPU.
//   B 2: 7 ms on the whole GPU, 11 ms on half: speed 7 / 11, power 50 + 200 * 7 / 11

const stepS = (batch: number, share: number): number => 0.001 * (1 + batch + (2 * batch) / share);
const grid = [1, 2, 4].flatMap((batch) =>
  [0.25, 0.5, 1].map((share) => ({ batch, share, stepS: stepS(batch, share) })),
);
const made = fitShareWorkload(
  grid,
  [
    { batch: 2, share: 0.5, powerW: 50 + (200 * 7) / 11 },
    { batch: 8, share: 1, powerW: 350 },
  ],
  50,
);

describe('calibration/fit/share-workload', () => {
  it('finds the times that made the rows, and their speed at a share', () => {
    close(shareSpeed(made.time, 2, 0.5), 7 / 11, 1e-6);
    close(shareSpeed(made.time, 16, 0.1), (17 + 32) / (17 + 320), 1e-6);
  });

  it('finds the power of the whole GPU from that of a share, and between batches by their logs', () => {
    close(fullPowerW(made, 2), 200, 1e-6);
    close(fullPowerW(made, 8), 300, 1e-9);
    close(fullPowerW(made, 4), 250, 1e-6);
    close(fullPowerW(made, 1), 200, 1e-6);
    close(fullPowerW(made, 64), 300, 1e-9);
    close(fullPowerW({ ...made, fullW: [] }, 4), 0);
  });

  it('gives the simulator what was measured', () => {
    const gpu = flatGpu();
    const none = { sensitivity: 0, aggressiveness: 0 };
    const profile = shareProfile('w', made, 2, gpu, none, 0);
    const point = evaluateGpu(gpu, [{ profile, share: 0.5 }], {
      mode: 'mps',
      clockX: 1,
      memoryX: 1,
      powerCapW: 1000,
      switchingLoss: 0,
    });
    close(point.stepS[0] ?? NaN, 0.011, 1e-6);
    close(point.powerW, 50 + (200 * 7) / 11, 1e-6);
  });
});
