import type { DynamicPowerModel, GpuType, VoltageCurve } from './profile.ts';

/** Voltage relative to its flat part at x = clock / reference clock (calibration C2). */
export function voltage(curve: VoltageCurve, x: number): number {
  return x <= curve.knee ? 1 : 1 + curve.slope * (x - curve.knee);
}

/**
 * Power of a GPU with a context resident and nothing running, in watts:
 * `contextPowerW - contextClockW * (1 - V(x)^2 x / V(1)^2)`.
 */
export function contextPowerW(type: GpuType, x: number): number {
  if (type.contextClockW === 0) return type.contextPowerW;
  const atClock = voltage(type.voltage, x) ** 2 * x;
  const atReference = voltage(type.voltage, 1) ** 2;
  return type.contextPowerW - type.contextClockW * (1 - atClock / atReference);
}

/**
 * Solo dynamic power above the context level, in watts (calibration C3 a):
 * `memoryW * xm + coreW * V(x)^2 * x`.
 */
export function dynamicPowerW(
  power: DynamicPowerModel,
  curve: VoltageCurve,
  x: number,
  xm: number,
): number {
  const v = voltage(curve, x);
  return power.memoryW * xm + power.coreW * v * v * x;
}
