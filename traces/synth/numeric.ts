import { errorFunction } from 'simple-statistics';

/** The x in [low, high] at which an increasing function reaches the target, by bisection. */
export function solveIncreasing(
  of: (x: number) => number,
  target: number,
  low: number,
  high: number,
): number {
  let [a, b] = [low, high];
  for (let step = 0; step < 48; step += 1) {
    const middle = (a + b) / 2;
    if (of(middle) < target) a = middle;
    else b = middle;
  }
  return (a + b) / 2;
}

/** Integral over [0, 1] by the midpoint rule, which never asks for the ends. */
export function integrateUnit(of: (x: number) => number, steps: number): number {
  let sum = 0;
  for (let step = 0; step < steps; step += 1) sum += of((step + 0.5) / steps);
  return sum / steps;
}

/** Part of the standard normal distribution below z, good to 1e-7. */
export function normalPart(z: number): number {
  return (1 + errorFunction(z / Math.SQRT2)) / 2;
}

/** Bounds beyond which nothing of a standard normal distribution is left. */
export const NORMAL_LIMIT = 8;

/** The z below which a part in [0, 1] of the standard normal distribution lies, within +-8. */
export function normalQuantile(part: number): number {
  return solveIncreasing(normalPart, part, -NORMAL_LIMIT, NORMAL_LIMIT);
}
