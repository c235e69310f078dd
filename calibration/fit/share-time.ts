import type { StepTimeModel } from '../../sim/gpu/profile.ts';
import { at, leastSquares } from './least-squares.ts';

/** Latency of one model at a batch size and an SM share, running alone. */
export interface ShareMeasurement {
  readonly batchSize: number;
  readonly share: number;
  readonly latencyMs: number;
}

/**
 * Coefficients of `t = fixed + perItem * B + (coreFixed + corePerItem * B) / share`, in
 * milliseconds (calibration C6): the Amdahl form in the SM share.
 */
export interface ShareTimeModel {
  readonly fixedMs: number;
  readonly perItemMs: number;
  readonly coreFixedMs: number;
  readonly corePerItemMs: number;
}

/** Latency of the model in milliseconds. */
export function latencyMs(model: ShareTimeModel, batchSize: number, share: number): number {
  return (
    model.fixedMs +
    model.perItemMs * batchSize +
    (model.coreFixedMs + model.corePerItemMs * batchSize) / share
  );
}

/** Fits the four non-negative coefficients by least squares of relative errors. */
export function fitShareTime(points: readonly ShareMeasurement[]): ShareTimeModel {
  const model = (p: readonly number[]): ShareTimeModel => ({
    fixedMs: at(p, 0),
    perItemMs: at(p, 1),
    coreFixedMs: at(p, 2),
    corePerItemMs: at(p, 3),
  });
  const found = leastSquares({
    residuals: (p) =>
      points.map(
        (point) => latencyMs(model(p), point.batchSize, point.share) / point.latencyMs - 1,
      ),
    start: [1, 0.1, 0.1, 0.5],
    lower: [0, 0, 0, 0],
    upper: [100, 100, 100, 100],
  });
  return model(found.parameters);
}

/**
 * The simulator's step time of one batch size. What does not shrink with the share counts as memory
 * time and not as the host's: the measured pairs slow down by the same factor whether that part is
 * large or small, and the simulator stretches only the GPU's part.
 */
export function stepTimeOfBatch(model: ShareTimeModel, batchSize: number): StepTimeModel {
  return {
    hostS: 0,
    memoryS: (model.fixedMs + model.perItemMs * batchSize) / 1000,
    coreS: (model.coreFixedMs + model.corePerItemMs * batchSize) / 1000,
    q: 1,
  };
}
