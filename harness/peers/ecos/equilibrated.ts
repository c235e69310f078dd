import type { ConeLayout } from './cones.ts';
import type { ConicProgram } from './conic-program.ts';
import type { Vector } from './vector.ts';

const ROUNDS = 3;
/** Largest entries below this are left as they are. */
const NOTHING = 1e-6;

interface Row {
  readonly variables: readonly number[];
  readonly factors: Float64Array;
}

/** `G x <= h` and the cost c with rows and columns scaled towards a largest entry of 1 (Ruiz). */
export class Equilibrated {
  readonly layout: ConeLayout;
  readonly c: Vector;
  readonly h: Vector;
  readonly #rows: readonly Row[];
  readonly #columnScale: Float64Array;

  constructor({ costs, rows, cones }: ConicProgram) {
    const all = [...rows, ...cones.flat()];
    this.layout = { linear: rows.length, sizes: cones.map((cone) => cone.length) };
    this.#rows = all.map(({ variables, factors }) => ({
      variables,
      factors: Float64Array.from(factors),
    }));
    this.#columnScale = new Float64Array(costs.length).fill(1);
    const rowScale = new Float64Array(all.length).fill(1);
    for (let round = 0; round < ROUNDS; round += 1) this.#scale(rowScale);
    this.c = Float64Array.from(costs, (cost, i) => cost / (this.#columnScale[i] as number));
    this.h = Float64Array.from(all, ({ bound }, i) => bound / (rowScale[i] as number));
  }

  #scale(rowScale: Float64Array): void {
    const columnMost = new Float64Array(this.#columnScale.length);
    const rowMost = Float64Array.from(this.#rows, ({ variables, factors }) => {
      let most = 0;
      variables.forEach((variable, k) => {
        const size = Math.abs(factors[k] as number);
        most = Math.max(most, size);
        columnMost[variable] = Math.max(columnMost[variable] as number, size);
      });
      return most;
    });
    // The rows of a cone have to keep their proportions.
    let start = this.layout.linear;
    for (const size of this.layout.sizes) {
      const sum = rowMost.slice(start, start + size).reduce((total, most) => total + most, 0);
      rowMost.fill(sum, start, start + size);
      start += size;
    }
    const root = (most: number): number => (most < NOTHING ? 1 : Math.sqrt(most));
    this.#rows.forEach(({ variables, factors }, row) => {
      const byRow = root(rowMost[row] as number);
      rowScale[row] = (rowScale[row] as number) * byRow;
      variables.forEach((variable, k) => {
        factors[k] = (factors[k] as number) / byRow / root(columnMost[variable] as number);
      });
    });
    columnMost.forEach((most, i) => {
      this.#columnScale[i] = (this.#columnScale[i] as number) * root(most);
    });
  }

  /** A solution in the variables of the program. */
  unscaled(x: Vector): Vector {
    return x.map((value, i) => value / (this.#columnScale[i] as number));
  }

  /** `G x` */
  times(x: Vector): Vector {
    return Float64Array.from(this.#rows, ({ variables, factors }) => {
      let sum = 0;
      for (let k = 0; k < variables.length; k += 1) {
        sum += (factors[k] as number) * (x[variables[k] as number] as number);
      }
      return sum;
    });
  }

  /** `G' z` */
  transposed(z: Vector): Vector {
    const sums = new Float64Array(this.c.length);
    this.#rows.forEach(({ variables, factors }, row) => {
      for (let k = 0; k < variables.length; k += 1) {
        const variable = variables[k] as number;
        sums[variable] = (sums[variable] as number) + (factors[k] as number) * (z[row] as number);
      }
    });
    return sums;
  }

  /** G by columns. */
  columns(): Float64Array[] {
    const columns = Array.from(this.c, () => new Float64Array(this.#rows.length));
    this.#rows.forEach(({ variables, factors }, row) => {
      variables.forEach((variable, k) => {
        (columns[variable] as Float64Array)[row] = factors[k] as number;
      });
    });
    return columns;
  }

  /** `G' D G` for a diagonal D, its upper triangle. */
  normalMatrix(diagonal: Vector): Float64Array[] {
    const matrix = Array.from(this.c, () => new Float64Array(this.c.length));
    this.#rows.forEach(({ variables, factors }, row) => {
      variables.forEach((first, k) => {
        const target = matrix[first] as Float64Array;
        const left = (diagonal[row] as number) * (factors[k] as number);
        variables.forEach((second, l) => {
          if (second < first) return;
          target[second] = (target[second] as number) + left * (factors[l] as number);
        });
      });
    });
    return matrix;
  }
}
