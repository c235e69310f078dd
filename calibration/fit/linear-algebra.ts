/** The element at an index that must exist. @throws {RangeError} when it does not */
export function at<T>(values: readonly T[], index: number): T {
  const value = values[index];
  if (value === undefined) throw new RangeError(`no element ${index} of ${values.length}`);
  return value;
}

/** A tall matrix by its columns, all of one length. */
export type Columns = readonly (readonly number[])[];

export function dot(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

/** Euclidean norm; infinite when the sum of squares overflows. */
export function norm(values: readonly number[]): number {
  return Math.sqrt(dot(values, values));
}

/** The upper triangle R of `A = Q R`, row by row, and `Q' b`; as long as A has columns. */
export interface Triangle {
  readonly rows: readonly (readonly number[])[];
  readonly right: readonly number[];
}

/**
 * Reduces `A x = b` to a triangle by Householder reflections (Golub and Van Loan, Matrix
 * Computations, algorithm 5.2.1). A needs at least as many rows as columns.
 */
export function triangulate(columns: Columns, right: readonly number[]): Triangle {
  const n = columns.length;
  const m = right.length;
  const a = columns.map((column) => [...column]);
  const b = [...right];
  for (let k = 0; k < n; k += 1) {
    const pivot = at(a, k);
    let squares = 0;
    for (let i = k; i < m; i += 1) squares += (pivot[i] as number) ** 2;
    const length = Math.sqrt(squares);
    if (length === 0) continue;
    const head = pivot[k] as number;
    const alpha = head > 0 ? -length : length;
    // The reflection's vector is v = x - alpha e; v'v / 2 = length * (length + |head|).
    const half = length * (length + Math.abs(head));
    pivot[k] = head - alpha;
    const reflect = (other: number[]): void => {
      let projection = 0;
      for (let i = k; i < m; i += 1) projection += (pivot[i] as number) * (other[i] as number);
      const factor = projection / half;
      for (let i = k; i < m; i += 1) {
        other[i] = (other[i] as number) - factor * (pivot[i] as number);
      }
    };
    for (let j = k + 1; j < n; j += 1) reflect(at(a, j));
    reflect(b);
    pivot[k] = alpha;
  }
  const rows = Array.from({ length: n }, (_, i) =>
    Array.from({ length: n }, (__, j) => (j < i ? 0 : at(at(a, j), i))),
  );
  return { rows, right: b.slice(0, n) };
}

/** Solves `R x = right`; an unknown whose pivot is zero gets 0. */
export function backSubstitute({ rows, right }: Triangle): number[] {
  const n = right.length;
  const solution = new Array<number>(n).fill(0);
  for (let i = n - 1; i >= 0; i -= 1) {
    const row = at(rows, i);
    let sum = at(right, i);
    for (let j = i + 1; j < n; j += 1) sum -= (row[j] as number) * (solution[j] as number);
    const pivot = at(row, i);
    solution[i] = pivot === 0 ? 0 : sum / pivot;
  }
  return solution;
}

/** Singular values, and the right singular vector of each, as `vectors[k][j]`. */
export interface SingularValues {
  readonly values: readonly number[];
  readonly vectors: readonly (readonly number[])[];
}

const MAX_SWEEPS = 60;

/**
 * Singular values and right vectors by one-sided Jacobi rotations (Hestenes 1958), which keep small
 * singular values to full relative accuracy where the columns are scaled alike. Unordered.
 */
export function singularValues(columns: Columns): SingularValues {
  const n = columns.length;
  const u = columns.map((column) => [...column]);
  const v = columns.map((_, j) => columns.map((__, k) => (j === k ? 1 : 0)));
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep += 1) {
    let rotated = false;
    for (let p = 0; p < n - 1; p += 1) {
      for (let q = p + 1; q < n; q += 1) {
        const alpha = dot(at(u, p), at(u, p));
        const beta = dot(at(u, q), at(u, q));
        const gamma = dot(at(u, p), at(u, q));
        if (gamma === 0 || Math.abs(gamma) <= 1e-15 * Math.sqrt(alpha * beta)) continue;
        rotated = true;
        const zeta = (beta - alpha) / (2 * gamma);
        const t = (zeta >= 0 ? 1 : -1) / (Math.abs(zeta) + Math.hypot(1, zeta));
        const c = 1 / Math.hypot(1, t);
        rotate(at(u, p), at(u, q), c, c * t);
        rotate(at(v, p), at(v, q), c, c * t);
      }
    }
    if (!rotated) break;
  }
  return { values: u.map(norm), vectors: v };
}

function rotate(a: number[], b: number[], c: number, s: number): void {
  for (let i = 0; i < a.length; i += 1) {
    const x = a[i] as number;
    const y = b[i] as number;
    a[i] = c * x - s * y;
    b[i] = s * x + c * y;
  }
}
