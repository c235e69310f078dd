import { evaluateGpu, type OperatingPoint, soloStepS } from '../../sim/gpu/evaluate.ts';
import { voltage } from '../../sim/gpu/power.ts';
import type {
  DynamicPowerModel,
  GpuType,
  InterferenceModel,
  WorkloadProfile,
} from '../../sim/gpu/profile.ts';
import { stepTimeS } from '../../sim/gpu/step-time.ts';
import { bareProfile } from '../fit/bare-profile.ts';
import { fitInterference, type InterferenceObservation } from '../fit/interference.ts';
import { fitShareTime, type ShareTimeModel, stepTimeOfBatch } from '../fit/share-time.ts';
import type { IgniterData, PairObservation, SharePoint, SharePower } from './igniter-data.ts';

/** A clock this far below the reference means that the card was throttled by its power limit. */
const THROTTLED_BELOW = 0.99;

/** Rounds of fitting interference on what throttling leaves, each with the powers of the last. */
const ROUNDS = 5;

/** Time over share and dynamic power of one model, for every batch size. */
export interface InferenceModel {
  readonly time: ShareTimeModel;
  /** Dynamic power on the whole GPU at the reference clock, by batch size, ascending. */
  readonly fullW: readonly (readonly [batchSize: number, powerW: number])[];
  /** Part of the dynamic power at the reference clock that does not follow the core clock. */
  readonly memoryPart: number;
}

const isThrottled = (point: SharePower, type: GpuType): boolean =>
  point.clockMhz < THROTTLED_BELOW * type.referenceClockMhz;

/** The latencies that were measured at the reference clock, as far as the clock was recorded. */
export function unthrottled(
  points: readonly SharePoint[],
  powers: readonly SharePower[],
  type: GpuType,
): SharePoint[] {
  return points.filter(
    (point) =>
      !powers.some(
        (power) =>
          power.batchSize === point.batchSize &&
          power.share === point.share &&
          isThrottled(power, type),
      ),
  );
}

/**
 * Fits one model: latency over batch and share on all unthrottled rows; then for each batch size
 * with recorded power the dynamic power of the full GPU, of which a share draws as much as it
 * achieves of the full speed (calibration C8), by least squares of relative errors.
 */
export function fitInferenceModel(
  points: readonly SharePoint[],
  powers: readonly SharePower[],
  type: GpuType,
  memoryPart: number,
): InferenceModel {
  const time = fitShareTime(unthrottled(points, powers, type));
  const batchSizes = [...new Set(powers.map(({ batchSize }) => batchSize))].sort((a, b) => a - b);
  const fullW = batchSizes.map((batchSize): [number, number] => {
    const step = stepTimeOfBatch(time, batchSize);
    let above = 0;
    let below = 0;
    for (const point of powers) {
      if (point.batchSize !== batchSize || isThrottled(point, type)) continue;
      const speed = stepTimeS(step, 1, 1, 1, 1) / stepTimeS(step, 1, 1, 1, point.share);
      above += (speed * (point.powerW - type.contextPowerW)) / point.powerW ** 2;
      below += (speed / point.powerW) ** 2;
    }
    return [batchSize, above / below];
  });
  return { time, fullW, memoryPart };
}

/** Profile of a fitted model at any batch size; power between recorded ones by log batch size. */
export function inferenceProfile(
  name: string,
  model: InferenceModel,
  batchSize: number,
  type: GpuType,
  interference: InterferenceModel,
  bandwidthDemand: number,
): WorkloadProfile {
  return bareProfile({
    workload: name,
    gpuType: type.name,
    time: stepTimeOfBatch(model.time, batchSize),
    power: splitPower(interpolate(model.fullW, batchSize), model.memoryPart, type),
    bandwidthDemand,
    interference,
  });
}

function splitPower(fullW: number, memoryPart: number, type: GpuType): DynamicPowerModel {
  const v = voltage(type.voltage, 1);
  return { memoryW: fullW * memoryPart, coreW: (fullW * (1 - memoryPart)) / (v * v) };
}

function interpolate(points: InferenceModel['fullW'], batchSize: number): number {
  let [previous] = points;
  for (const point of points) {
    if (point[0] >= batchSize && previous !== undefined) {
      if (point[0] === previous[0]) return point[1];
      const part = Math.log(batchSize / previous[0]) / Math.log(point[0] / previous[0]);
      return previous[1] + part * (point[1] - previous[1]);
    }
    previous = point;
  }
  return previous?.[1] ?? 0;
}

const NO_INTERFERENCE: InterferenceModel = { sensitivity: 0, aggressiveness: 0 };

/** What the simulator says of a measured pair, the first resident being the observed one. */
export function simulatePair(
  pair: PairObservation,
  models: ReadonlyMap<string, InferenceModel>,
  interference: ReadonlyMap<string, InterferenceModel>,
  type: GpuType,
): {
  readonly slowdown: number;
  readonly point: OperatingPoint;
  readonly profile: WorkloadProfile;
} {
  const resident = (name: string, batchSize: number, share: number, dram: number) => {
    const model = models.get(name);
    if (model === undefined) throw new RangeError(`expected solo rows of '${name}'`);
    const mine = interference.get(name) ?? NO_INTERFERENCE;
    // Measured at this very share, so the whole GPU would use as much more as it is faster.
    const profile = inferenceProfile(name, model, batchSize, type, mine, 0);
    const alone = stepTimeS(profile.time, 1, 1, 1, share);
    const bandwidthDemand = Math.min(1, (dram * alone) / soloStepS(profile));
    return { profile: { ...profile, bandwidthDemand }, share, alone };
  };
  const me = resident(pair.model, pair.batchSize, pair.share, pair.dramUtilisation);
  const it = resident(pair.other, pair.otherBatchSize, pair.otherShare, pair.otherDramUtilisation);
  const point = evaluateGpu(type, [me, it], {
    mode: 'mps',
    clockX: 1,
    memoryX: 1,
    powerCapW: type.powerLimitW.default,
    switchingLoss: 0,
  });
  return { slowdown: (point.stepS[0] ?? Number.NaN) / me.alone, point, profile: me.profile };
}

/**
 * Fits the residual interference of the pairs: what is left of the measured slowdown when the
 * simulator's own throttling and bandwidth contention are taken out, since it adds them again.
 */
export function fitResidualInterference(
  data: IgniterData,
  models: ReadonlyMap<string, InferenceModel>,
  type: GpuType,
): ReadonlyMap<string, InterferenceModel> {
  let interference: ReadonlyMap<string, InterferenceModel> = new Map();
  for (let round = 0; round < ROUNDS; round += 1) {
    interference = fitInterference(residuals(data, models, interference, type));
  }
  return interference;
}

/** What interference must explain of each pair, given the throttling under the last estimate. */
export function residuals(
  data: IgniterData,
  models: ReadonlyMap<string, InferenceModel>,
  interference: ReadonlyMap<string, InterferenceModel>,
  type: GpuType,
): InterferenceObservation[] {
  return data.pairs.map((pair) => {
    const { slowdown } = simulatePair(pair, models, interference, type);
    const mine = interference.get(pair.model) ?? NO_INTERFERENCE;
    const its = interference.get(pair.other) ?? NO_INTERFERENCE;
    const factor = 1 + mine.sensitivity * its.aggressiveness;
    return {
      workload: pair.model,
      other: pair.other,
      extra: pair.slowdown / (slowdown / factor) - 1,
    };
  });
}
