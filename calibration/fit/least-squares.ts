/** Residuals to be made small in the sum of their squares. */
export interface LeastSquaresProblem {
  readonly residuals: (parameters: readonly number[]) => readonly number[];
  readonly start: readonly number[];
  readonly lower: readonly number[];
  readonly upper: readonly number[];
}

export interface LeastSquaresSolution {
  readonly parameters: readonly number[];
  /** Half the sum of squared residuals. */
  readonly cost: number;
  readonly iterations: number;
}

const MAX_ITERATIONS = 300;
const DIFFERENCE_STEP = 1e-6;
const SMALLEST_IMPROVEMENT = 1e-13;
const LARGEST_DAMPING = 1e12;

/**
 * Levenberg-Marquardt with bounds: a step is projected onto the box, and a parameter that sits on a
 * bound with its gradient pointing outwards is left out of the step (Marquardt 1963; the projection
 * is the usual active-set simplification). Finds a local minimum, is deterministic, and stops when a
 * step improves the cost by less than 1e-13 of it. Parameters should be scaled to about 1.
 */
export function leastSquares(problem: LeastSquaresProblem): LeastSquaresSolution {
  const { residuals, lower, upper } = problem;
  const project = (p: readonly number[]): number[] =>
    p.map((value, i) => Math.min(at(upper, i), Math.max(at(lower, i), value)));
  let parameters = project(problem.start);
  let current = residuals(parameters);
  let cost = halfSquares(current);
  let damping = 1e-3;
  let iterations = 0;
  while (iterations < MAX_ITERATIONS) {
    iterations += 1;
    const jacobian = differences(residuals, parameters, current, lower, upper);
    const gradient = jacobian.map((column) => dot(column, current));
    const free = gradient.flatMap((slope, i) => {
      const value = at(parameters, i);
      const held = (value <= at(lower, i) && slope >= 0) || (value >= at(upper, i) && slope <= 0);
      return held ? [] : [i];
    });
    if (free.length === 0) break;
    const normal = free.map((i) => free.map((j) => dot(at(jacobian, i), at(jacobian, j))));
    const largest = Math.max(...normal.map((row, i) => at(row, i)), Number.MIN_VALUE);
    let improvement = 0;
    while (damping <= LARGEST_DAMPING) {
      const damped = normal.map((row, i) =>
        row.map((value, j) =>
          i === j ? value + damping * Math.max(value, 1e-9 * largest) : value,
        ),
      );
      const step = solve(
        damped,
        free.map((i) => -at(gradient, i)),
      );
      const moved = [...parameters];
      free.forEach((i, k) => {
        moved[i] = at(parameters, i) + at(step, k);
      });
      const candidate = project(moved);
      const tried = residuals(candidate);
      const triedCost = halfSquares(tried);
      if (triedCost < cost) {
        improvement = (cost - triedCost) / cost;
        parameters = candidate;
        current = tried;
        cost = triedCost;
        damping = Math.max(damping / 5, 1e-12);
        break;
      }
      damping *= 4;
    }
    if (improvement < SMALLEST_IMPROVEMENT) break;
  }
  return { parameters, cost, iterations };
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

function halfSquares(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value * value;
  return Number.isFinite(sum) ? sum / 2 : Number.POSITIVE_INFINITY;
}

/** Columns of the Jacobian, by differences taken inside the box. */
function differences(
  residuals: LeastSquaresProblem['residuals'],
  parameters: readonly number[],
  current: readonly number[],
  lower: readonly number[],
  upper: readonly number[],
): number[][] {
  return parameters.map((value, i) => {
    const size = DIFFERENCE_STEP * Math.max(1, Math.abs(value));
    const above = Math.min(at(upper, i), value + size);
    const below = Math.max(at(lower, i), value - size);
    const shifted = (to: number): readonly number[] =>
      residuals(parameters.map((other, j) => (j === i ? to : other)));
    const high = above === value ? current : shifted(above);
    const low = below === value ? current : shifted(below);
    const width = above - below;
    return high.map((residual, k) => (width === 0 ? 0 : (residual - at(low, k)) / width));
  });
}

/** Gaussian elimination with row pivots; the matrix is small and positive definite. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, at(right, i)]);
  const n = rows.length;
  for (let i = 0; i < n; i += 1) {
    let pivot = i;
    for (let k = i + 1; k < n; k += 1) {
      if (Math.abs(at(at(rows, k), i)) > Math.abs(at(at(rows, pivot), i))) pivot = k;
    }
    const pivotRow = at(rows, pivot);
    rows[pivot] = at(rows, i);
    rows[i] = pivotRow;
    for (let k = i + 1; k < n; k += 1) {
      const row = at(rows, k);
      const factor = at(row, i) / at(pivotRow, i);
      for (let j = i; j <= n; j += 1) row[j] = at(row, j) - factor * at(pivotRow, j);
    }
  }
  const solution = new Array<number>(n).fill(0);
  for (let i = n - 1; i >= 0; i -= 1) {
    const row = at(rows, i);
    let sum = at(row, n);
    for (let j = i + 1; j < n; j += 1) sum -= at(row, j) * at(solution, j);
    solution[i] = sum / at(row, i);
  }
  return solution;
}

function dot(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += at(a, i) * at(b, i);
  return sum;
}

/** The element at an index that must exist. @throws {RangeError} when it does not */
export function at<T>(values: readonly T[], index: number): T {
  const value = values[index];
  if (value === undefined) throw new RangeError(`no element ${index} of ${values.length}`);
  return value;
}
