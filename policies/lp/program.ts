/** A coefficient of a row: the number of its variable, and its factor. */
export type Term = readonly [variable: number, factor: number];

export interface VariableSpec {
  /** Factor in the objective; 0 when absent. */
  readonly cost?: number;
  /** 0 when absent. */
  readonly lower?: number;
  /** Infinity when absent. */
  readonly upper?: number;
  readonly integer?: boolean;
}

/**
 * A linear program, mixed-integer when a variable is an integer, under construction: variables and
 * rows are numbered from 0 in the order in which they are added.
 */
export class LinearProgram {
  readonly sense: 'maximise' | 'minimise';
  readonly costs: number[] = [];
  readonly lower: number[] = [];
  readonly upper: number[] = [];
  readonly isInteger: boolean[] = [];
  readonly rowLower: number[] = [];
  readonly rowUpper: number[] = [];
  /** Terms of row r are those from `rowStarts[r]` to before `rowStarts[r + 1]`. */
  readonly rowStarts: number[] = [0];
  readonly termVariables: number[] = [];
  readonly termFactors: number[] = [];

  constructor(sense: 'maximise' | 'minimise') {
    this.sense = sense;
  }

  get variableCount(): number {
    return this.costs.length;
  }
  get rowCount(): number {
    return this.rowLower.length;
  }
  get isMixedInteger(): boolean {
    return this.isInteger.includes(true);
  }

  /** @returns the number of the variable @throws {RangeError} on a NaN or an empty range */
  addVariable({ cost = 0, lower = 0, upper = Infinity, integer }: VariableSpec = {}): number {
    if (!Number.isFinite(cost) || !(lower <= upper) || lower === Infinity || upper === -Infinity) {
      throw new RangeError(
        `variable ${this.costs.length}: cost is ${cost}, range is ${lower} .. ${upper}, expected a finite cost and a range that is not empty`,
      );
    }
    this.lower.push(lower);
    this.upper.push(upper);
    this.isInteger.push(integer === true);
    return this.costs.push(cost) - 1;
  }

  /**
   * Adds `lower <= sum of factor * variable <= upper`. Each variable may stand in a row once.
   * @returns the number of the row @throws {RangeError} on an unknown variable or a NaN
   */
  addRow(terms: readonly Term[], lower: number, upper: number): number {
    const row = this.rowLower.length;
    if (!(lower <= upper)) {
      throw new RangeError(
        `row ${row}: range is ${lower} .. ${upper}, expected one that is not empty`,
      );
    }
    for (const [variable, factor] of terms) {
      if (!(variable in this.costs) || !Number.isFinite(factor)) {
        throw new RangeError(
          `row ${row}: factor of variable ${variable} is ${factor}, expected a finite factor of a variable 0 .. ${this.costs.length - 1}`,
        );
      }
      this.termVariables.push(variable);
      this.termFactors.push(factor);
    }
    this.rowStarts.push(this.termVariables.length);
    this.rowUpper.push(upper);
    return this.rowLower.push(lower) - 1;
  }

  atMost(terms: readonly Term[], upper: number): number {
    return this.addRow(terms, -Infinity, upper);
  }
  atLeast(terms: readonly Term[], lower: number): number {
    return this.addRow(terms, lower, Infinity);
  }
  equal(terms: readonly Term[], value: number): number {
    return this.addRow(terms, value, value);
  }
}
