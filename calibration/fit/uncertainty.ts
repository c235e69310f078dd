import { isHeld, type LeastSquaresProblem, weightedJacobian } from './least-squares.ts';
import { at, dot, norm, singularValues } from './linear-algebra.ts';

/**
 * What the data says of a parameter: `free` it is pinned, with a standard error; `fixed` its bounds
 * are equal; `at lower bound` and `at upper bound` the data pushes it out of the box; `not
 * identifiable` it can move, with others or alone, and next to no residual changes.
 */
export type ParameterStatus =
  | 'free'
  | 'fixed'
  | 'at lower bound'
  | 'at upper bound'
  | 'not identifiable';

/** How well a least-squares solution is pinned by its residuals. */
export interface Uncertainty {
  readonly status: readonly ParameterStatus[];
  /** One for each parameter; null where its status is not `free`. */
  readonly standardErrors: readonly (number | null)[];
  /** Covariance by parameter; zero in rows and columns of those that are not free. */
  readonly covariance: readonly (readonly number[])[];
  /** Weighted sum of squared residuals. */
  readonly sumOfSquares: number;
  /** Residuals less parameters that could move. */
  readonly degreesOfFreedom: number;
  /** Square root of the sum of squares over the degrees of freedom; null without any. */
  readonly residualDeviation: number | null;
  /** Smallest over largest singular value of the scaled Jacobian of the parameters that can move. */
  readonly conditioning: number;
}

/** Singular values below this part of the largest are directions that the data does not see. */
const UNSEEN = 1e-9;

/** A parameter with at least this component of an unseen direction is not identifiable. */
const COMPONENT = 0.01;

/**
 * Linearised uncertainty at a solution: covariance `s^2 (J'WJ)^-1` over the parameters that can move,
 * with `s^2` the weighted sum of squares over the degrees of freedom (Bates and Watts 1988, section
 * 2.3). Columns are scaled to length 1 first, so that units play no part in what counts as singular.
 *
 * @param unseen part of the largest singular value below which a direction counts as unseen
 */
export function uncertainty(
  problem: LeastSquaresProblem,
  parameters: readonly number[],
  unseen = UNSEEN,
): Uncertainty {
  const { lower, upper } = problem;
  const jacobian = weightedJacobian(problem)(parameters);
  const residuals = problem
    .residuals(parameters)
    .map((value, i) => value * Math.sqrt(problem.weights?.[i] ?? 1));
  const status = parameters.map((value, i): ParameterStatus => {
    if (at(lower, i) === at(upper, i)) return 'fixed';
    const slope = dot(at(jacobian, i), residuals);
    if (!isHeld(value, slope, at(lower, i), at(upper, i))) return 'free';
    return value <= at(lower, i) ? 'at lower bound' : 'at upper bound';
  });
  const lengths = jacobian.map(norm);
  const moving = status.flatMap((kind, i) => (kind === 'free' ? [i] : []));
  const seen = moving.filter((i) => {
    if (at(lengths, i) > 0) return true;
    status[i] = 'not identifiable';
    return false;
  });
  const scaled = seen.map((i) => at(jacobian, i).map((value) => value / at(lengths, i)));
  const { values, vectors } = singularValues(scaled);
  const largest = Math.max(0, ...values);
  values.forEach((value, k) => {
    if (value > unseen * largest) return;
    seen.forEach((i, j) => {
      if (Math.abs(at(at(vectors, k), j)) >= COMPONENT) status[i] = 'not identifiable';
    });
  });

  const sumOfSquares = dot(residuals, residuals);
  const degreesOfFreedom = residuals.length - moving.length;
  const variance = degreesOfFreedom > 0 ? sumOfSquares / degreesOfFreedom : null;
  const covariance = parameters.map(() => parameters.map(() => 0));
  if (variance !== null) {
    seen.forEach((i, a) => {
      seen.forEach((j, b) => {
        if (status[i] !== 'free' || status[j] !== 'free') return;
        let sum = 0;
        values.forEach((value, k) => {
          if (value <= unseen * largest) return;
          sum += (at(at(vectors, k), a) * at(at(vectors, k), b)) / value ** 2;
        });
        at(covariance, i)[j] = (variance * sum) / (at(lengths, i) * at(lengths, j));
      });
    });
  }
  return {
    status,
    standardErrors: status.map((kind, i) =>
      kind === 'free' && variance !== null ? Math.sqrt(at(at(covariance, i), i)) : null,
    ),
    covariance,
    sumOfSquares,
    degreesOfFreedom,
    residualDeviation: variance === null ? null : Math.sqrt(variance),
    conditioning: largest === 0 ? 0 : Math.min(...values) / largest,
  };
}
