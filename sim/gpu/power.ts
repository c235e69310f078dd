import type { DynamicPowerModel, VoltageCurve } from './profile.ts';

/** Voltage relative to its flat part at x = clock / reference clock (calibration C2). */
export function voltage(curve: VoltageCurve, x: number): number {
  return x <= curve.knee ? 1 : 1 + curve.slope * (x - curve.knee);
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
