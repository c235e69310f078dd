import { voltage } from '../../sim/gpu/power.ts';
import type { GpuType, InterferenceModel, WorkloadProfile } from '../../sim/gpu/profile.ts';
import { bareProfile } from './bare-profile.ts';
import { at } from './linear-algebra.ts';
import { atBatch, type BatchStepTime, batchStepTimeS, fitStepTime } from './step-time.ts';

/** A step of a workload alone under an MPS share, at the reference clocks. */
export interface ShareTime {
  readonly batch: number;
  /** SM share in (0, 1]. */
  readonly share: number;
  readonly stepS: number;
}

/** Power of the GPU while a workload runs alone under an MPS share, at the reference clocks. */
export interface SharePowerPoint {
  readonly batch: number;
  readonly share: number;
  readonly powerW: number;
}

/** Time over share and batch, and dynamic power, of one workload on one GPU type. */
export interface ShareWorkload {
  readonly time: BatchStepTime;
  /** Dynamic power on the whole GPU at the reference clocks by batch, ascending; empty if unknown. */
  readonly fullW: readonly (readonly [batch: number, powerW: number])[];
}

/**
 * Fits a workload's times and powers alone under shares. Time is the one form of step time with
 * q = 1, Amdahl's law in the share (calibration C6). Of the dynamic power of the whole GPU a share
 * draws as much as it achieves of the full speed (calibration C8); the full power of each batch has
 * the least squares of relative errors of total power.
 */
export function fitShareWorkload(
  times: readonly ShareTime[],
  powers: readonly SharePowerPoint[],
  contextW: number,
): ShareWorkload {
  const { model: time } = fitStepTime(
    times.map(({ batch, share, stepS }) => ({ x: 1, xm: 1, share, batch, timeS: stepS })),
    { exponents: [1] },
  );
  const batches = [...new Set(powers.map(({ batch }) => batch))].sort((a, b) => a - b);
  const fullW = batches.map((batch): [number, number] => {
    let above = 0;
    let below = 0;
    for (const { share, powerW } of powers.filter((point) => point.batch === batch)) {
      const speed = shareSpeed(time, batch, share);
      above += (speed * (powerW - contextW)) / powerW ** 2;
      below += (speed / powerW) ** 2;
    }
    return [batch, Math.max(0, above / below)];
  });
  return { time, fullW };
}

/** Speed alone with a share over that with the whole GPU. */
export function shareSpeed(time: BatchStepTime, batch: number, share: number): number {
  const stepS = (part: number): number => batchStepTimeS(time, { x: 1, xm: 1, share: part, batch });
  return stepS(1) / stepS(share);
}

/** Dynamic power on the whole GPU at a batch size: between known ones by the log of the batch. */
export function fullPowerW({ fullW }: ShareWorkload, batch: number): number {
  if (fullW.length === 0) return 0;
  const above = fullW.findIndex(([known]) => known >= batch);
  if (above <= 0) return at(fullW, above === 0 ? 0 : fullW.length - 1)[1];
  const [low, lowW] = at(fullW, above - 1);
  const [high, highW] = at(fullW, above);
  return lowW + ((highW - lowW) * Math.log(batch / low)) / Math.log(high / low);
}

/**
 * The profile that the simulator takes. All of the dynamic power counts as the core clock's: nothing
 * here was measured over clocks.
 */
export function shareProfile(
  name: string,
  workload: ShareWorkload,
  batch: number,
  type: GpuType,
  interference: InterferenceModel,
  bandwidthDemand: number,
): WorkloadProfile {
  const v = voltage(type.voltage, 1);
  return bareProfile({
    workload: name,
    gpuType: type.name,
    time: atBatch(workload.time, batch),
    power: { memoryW: 0, coreW: fullPowerW(workload, batch) / (v * v) },
    bandwidthDemand,
    interference,
  });
}
