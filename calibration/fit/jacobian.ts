import { at } from './linear-algebra.ts';

/** What differences need to know of a problem. */
export interface DifferencedProblem {
  readonly residuals: (parameters: readonly number[]) => readonly number[];
  readonly start: readonly number[];
  readonly lower: readonly number[];
  readonly upper: readonly number[];
  readonly typical?: readonly number[];
}

/** Cube root of the machine's precision: the step at which truncation and rounding balance. */
const RELATIVE_STEP = Number.EPSILON ** (1 / 3);

/** Part of its typical size that a parameter is taken to have at least. */
const SMALLEST_PART = 0.01;

/**
 * Columns of the Jacobian by central differences taken inside the box; one-sided on a bound. A step
 * is a fixed part of the parameter, or of a hundredth of its typical size where it is smaller.
 */
export function differenceJacobian(
  problem: DifferencedProblem,
): (parameters: readonly number[]) => number[][] {
  const { residuals, start, lower, upper } = problem;
  const typical = problem.typical ?? start.map((value) => Math.abs(value) || 1);
  let count: number | null = null;
  return (parameters) =>
    parameters.map((value, i) => {
      const size =
        RELATIVE_STEP * Math.max(Math.abs(value), SMALLEST_PART * Math.abs(at(typical, i)));
      const above = Math.min(at(upper, i), value + size);
      const below = Math.max(at(lower, i), value - size);
      const width = above - below;
      const shifted = (to: number): readonly number[] =>
        residuals(parameters.map((other, j) => (j === i ? to : other)));
      if (width === 0) {
        count ??= residuals(parameters).length;
        return new Array<number>(count).fill(0);
      }
      const high = shifted(above);
      const low = shifted(below);
      return high.map((residual, k) => (residual - at(low, k)) / width);
    });
}
