// Dense vectors and symmetric matrices.

export type Vector = Float64Array;

export const plus = (a: Vector, b: Vector): Vector => a.map((value, i) => value + (b[i] as number));
export const minus = (a: Vector, b: Vector): Vector =>
  a.map((value, i) => value - (b[i] as number));
export const scaled = (a: Vector, factor: number): Vector => a.map((value) => value * factor);

export function dot(a: Vector, b: Vector): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

export const norm = (a: Vector): number => Math.sqrt(dot(a, a));

/** Adds a multiple in place. */
export function addTo(target: Vector, change: Vector, factor: number): void {
  for (let i = 0; i < target.length; i += 1) {
    target[i] = (target[i] as number) + factor * (change[i] as number);
  }
}

/**
 * Upper triangle R with `R'R = H'H`, by rows, from the columns of H (Gram-Schmidt, done twice); null where
 * columns depend on each other.
 */
export function triangleOf(columns: readonly Vector[]): Vector[] | null {
  const triangle = columns.map(() => new Float64Array(columns.length));
  const units: Vector[] = [];
  for (const [j, column] of columns.entries()) {
    const rest = column.slice();
    for (let pass = 0; pass < 2; pass += 1) {
      for (let i = 0; i < j; i += 1) {
        const unit = units[i] as Vector;
        const part = dot(unit, rest);
        const row = triangle[i] as Vector;
        row[j] = (row[j] as number) + part;
        addTo(rest, unit, -part);
      }
    }
    const length = norm(rest);
    if (!(length > 0)) return null;
    (triangle[j] as Vector)[j] = length;
    units.push(scaled(rest, 1 / length));
  }
  return triangle;
}

/** The same from `H'H` itself, its upper triangle, in place (Cholesky): faster, less accurate. */
export function triangleOfNormal(matrix: Vector[]): Vector[] | null {
  const size = matrix.length;
  for (let i = 0; i < size; i += 1) {
    const row = matrix[i] as Vector;
    const pivot = row[i] as number;
    if (!(pivot > 0)) return null;
    const root = Math.sqrt(pivot);
    for (let j = i; j < size; j += 1) row[j] = (row[j] as number) / root;
    for (let k = i + 1; k < size; k += 1) {
      const factor = row[k] as number;
      if (factor === 0) continue;
      const target = matrix[k] as Vector;
      for (let j = k; j < size; j += 1) {
        target[j] = (target[j] as number) - factor * (row[j] as number);
      }
    }
  }
  return matrix;
}

/** Solves `R'R x = right`. */
export function solveTriangle(triangle: readonly Vector[], right: Vector): Vector {
  const x = right.slice();
  const size = x.length;
  for (let i = 0; i < size; i += 1) {
    const row = triangle[i] as Vector;
    const value = (x[i] as number) / (row[i] as number);
    x[i] = value;
    for (let k = i + 1; k < size; k += 1) x[k] = (x[k] as number) - (row[k] as number) * value;
  }
  for (let i = size - 1; i >= 0; i -= 1) {
    const row = triangle[i] as Vector;
    let value = x[i] as number;
    for (let k = i + 1; k < size; k += 1) value -= (row[k] as number) * (x[k] as number);
    x[i] = value / (row[i] as number);
  }
  return x;
}
