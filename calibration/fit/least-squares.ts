import { differenceJacobian } from './jacobian.ts';
import { at, backSubstitute, dot, norm, type Triangle, triangulate } from './linear-algebra.ts';

export { at } from './linear-algebra.ts';

/** Residuals to be made small in the weighted sum of their squares. */
export interface LeastSquaresProblem {
  readonly residuals: (parameters: readonly number[]) => readonly number[];
  /**
   * Derivatives of the residuals, one column a parameter. Without it they are taken by central
   * differences, which cost two evaluations a parameter.
   */
  readonly jacobian?: (parameters: readonly number[]) => readonly (readonly number[])[];
  /** Weight of each squared residual, not negative; 1 each when absent. */
  readonly weights?: readonly number[];
  readonly start: readonly number[];
  /** A parameter whose bounds are equal is fixed there. */
  readonly lower: readonly number[];
  readonly upper: readonly number[];
  /** Relative gain in the cost below which a step is the last; next to nothing when absent. */
  readonly smallestGain?: number;
  /** Size that a parameter may be expected to have; its start, or 1 where that is 0. */
  readonly typical?: readonly number[];
}

/**
 * Why a search ended: `exact` no residual is left; `gradient` it is orthogonal to what the free
 * parameters can do; `step` or `cost` the last step moved them or the cost by next to nothing; `stuck`
 * no step helps; `iterations` it ran out of them and may not be at a minimum.
 */
export type Stop = 'exact' | 'gradient' | 'step' | 'cost' | 'stuck' | 'iterations';

export interface LeastSquaresSolution {
  readonly parameters: readonly number[];
  /** Half the weighted sum of squared residuals. */
  readonly cost: number;
  readonly iterations: number;
  readonly stop: Stop;
  /** Residuals at the solution, without weights. */
  readonly residuals: readonly number[];
}

const MAX_ITERATIONS = 1000;
const FIRST_DAMPING = 1e-3;
const LARGEST_DAMPING = 1e18;
/** Relative changes below which a search ends. Costs cannot tell steps apart below the last. */
const SMALLEST = { gradient: 1e-14, step: 1e-13, cost: 1e-15 };

/**
 * Bounded Levenberg-Marquardt: steps of `(J'WJ + damping D^2) s = -J'Wr` by orthogonal reduction,
 * with D the largest column norms seen (Marquardt 1963; More 1978) so that units of parameters do not
 * matter, and the damping by the gain of each step (Nielsen 1999). A step is projected onto the box;
 * a parameter on a bound whose gradient points outwards is left out of it.
 *
 * Finds a local minimum, is deterministic, and says why it stopped.
 */
export function leastSquares(problem: LeastSquaresProblem): LeastSquaresSolution {
  const { start, lower, upper } = problem;
  checkLengths(problem);
  const smallestGain = Math.max(SMALLEST.cost, problem.smallestGain ?? 0);
  const project = (p: readonly number[]): number[] =>
    p.map((value, i) => Math.min(at(upper, i), Math.max(at(lower, i), value)));
  const evaluate = weighted(problem);
  const jacobianAt = weightedJacobian(problem);

  let parameters = project(start);
  let residuals = evaluate(parameters);
  let cost = halfSquares(residuals);
  const scale = new Array<number>(start.length).fill(0);
  let damping = FIRST_DAMPING;
  let growth = 2;
  let iterations = 0;
  let stop: Stop | null = cost === 0 ? 'exact' : null;
  while (stop === null && iterations < MAX_ITERATIONS) {
    iterations += 1;
    const jacobian = jacobianAt(parameters);
    const norms = jacobian.map(norm);
    norms.forEach((length, i) => {
      scale[i] = Math.max(at(scale, i), length);
    });
    const gradient = jacobian.map((column) => dot(column, residuals));
    const free = freeParameters(parameters, gradient, lower, upper);
    const size = norm(residuals);
    const steepest = Math.max(
      0,
      ...free.map((i) => (at(norms, i) === 0 ? 0 : Math.abs(at(gradient, i)) / at(norms, i))),
    );
    if (steepest <= SMALLEST.gradient * size) {
      stop = 'gradient';
      break;
    }
    const columns = free.map((i) => at(jacobian, i));
    const weights = free.map((i) => at(scale, i) || 1);
    const triangle = reduce(columns, residuals);

    for (;;) {
      const step = dampedStep(triangle, weights, damping);
      const moved = [...parameters];
      free.forEach((i, k) => {
        moved[i] = at(parameters, i) - at(step, k);
      });
      const candidate = project(moved);
      const taken = free.map((i) => at(candidate, i) - at(parameters, i));
      const stepSize = norm(taken.map((value, k) => value * at(weights, k)));
      const reach = norm(free.map((i, k) => at(parameters, i) * at(weights, k)));
      if (stepSize <= SMALLEST.step * reach) {
        stop = 'step';
        break;
      }
      const tried = evaluate(candidate);
      const triedCost = halfSquares(tried);
      const predicted = cost - predictedCost(columns, residuals, taken);
      const gained = cost - triedCost;
      // Where the model itself foresees less than rounding, the cost cannot judge the last steps.
      const beyond = Math.abs(predicted) <= SMALLEST.cost * cost;
      if (gained > 0 || (beyond && gained === 0)) {
        const gain = predicted > 0 ? Math.min(2, gained / predicted) : 0;
        damping = Math.max(damping * Math.max(1 / 3, 1 - (2 * gain - 1) ** 3), 1e-15);
        growth = 2;
        if (Math.max(predicted, gained) <= smallestGain * cost) stop = 'cost';
        parameters = candidate;
        residuals = tried;
        cost = triedCost;
        if (cost === 0) stop = 'exact';
        break;
      }
      damping *= growth;
      growth *= 2;
      if (damping > LARGEST_DAMPING) {
        stop = beyond ? 'cost' : 'stuck';
        break;
      }
    }
  }
  return {
    parameters,
    cost,
    iterations,
    stop: stop ?? 'iterations',
    residuals: problem.residuals(parameters),
  };
}

/** The best of several starts: the first of those with the least cost. */
export function leastSquaresFrom(
  problem: Omit<LeastSquaresProblem, 'start'>,
  starts: readonly (readonly number[])[],
): LeastSquaresSolution {
  let best: LeastSquaresSolution | null = null;
  for (const start of starts) {
    const found = leastSquares({ ...problem, start });
    if (best === null || found.cost < best.cost) best = found;
  }
  if (best === null) throw new RangeError('least squares needs a start, found none');
  return best;
}

/** Derivatives of the residuals, each row times the square root of its weight. */
export function weightedJacobian(
  problem: LeastSquaresProblem,
): (parameters: readonly number[]) => readonly (readonly number[])[] {
  const roots = problem.weights?.map(Math.sqrt);
  const plain = problem.jacobian ?? differenceJacobian(problem);
  if (roots === undefined) return plain;
  return (parameters) =>
    plain(parameters).map((column) => column.map((value, i) => value * at(roots, i)));
}

/** True where a parameter cannot move: fixed, or on a bound that its gradient pushes against. */
export function isHeld(value: number, slope: number, lower: number, upper: number): boolean {
  return (value <= lower && slope >= 0) || (value >= upper && slope <= 0);
}

function freeParameters(
  parameters: readonly number[],
  gradient: readonly number[],
  lower: readonly number[],
  upper: readonly number[],
): number[] {
  return parameters.flatMap((value, i) =>
    at(lower, i) === at(upper, i) || isHeld(value, at(gradient, i), at(lower, i), at(upper, i))
      ? []
      : [i],
  );
}

function weighted({ residuals, weights }: LeastSquaresProblem) {
  if (weights === undefined) return residuals;
  const roots = weights.map(Math.sqrt);
  return (p: readonly number[]): readonly number[] =>
    residuals(p).map((value, i) => value * at(roots, i));
}

/** Triangle of the residuals' problem; rows of zeros make up for fewer residuals than parameters. */
function reduce(columns: readonly (readonly number[])[], residuals: readonly number[]): Triangle {
  const missing = new Array<number>(Math.max(0, columns.length - residuals.length)).fill(0);
  if (missing.length === 0) return triangulate(columns, residuals);
  return triangulate(
    columns.map((column) => [...column, ...missing]),
    [...residuals, ...missing],
  );
}

/** The negative of the damped step, from the triangle of the undamped problem. */
function dampedStep(
  { rows, right }: Triangle,
  scale: readonly number[],
  damping: number,
): readonly number[] {
  const n = right.length;
  const root = Math.sqrt(damping);
  const columns = scale.map((length, j) => [
    ...rows.map((row) => at(row, j)),
    ...scale.map((_, i) => (i === j ? root * length : 0)),
  ]);
  return backSubstitute(triangulate(columns, [...right, ...new Array<number>(n).fill(0)]));
}

function predictedCost(
  columns: readonly (readonly number[])[],
  residuals: readonly number[],
  step: readonly number[],
): number {
  const linear = [...residuals];
  columns.forEach((column, k) => {
    const length = at(step, k);
    for (let i = 0; i < linear.length; i += 1) {
      linear[i] = (linear[i] as number) + length * (column[i] as number);
    }
  });
  return halfSquares(linear);
}

function halfSquares(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value * value;
  return Number.isFinite(sum) ? sum / 2 : Number.POSITIVE_INFINITY;
}

function checkLengths({ start, lower, upper }: LeastSquaresProblem): void {
  if (lower.length !== start.length || upper.length !== start.length) {
    throw new RangeError(
      `expected bounds for ${start.length} parameters, found ${lower.length} and ${upper.length}`,
    );
  }
}
