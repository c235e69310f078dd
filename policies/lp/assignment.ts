/**
 * Assigns every row of a cost matrix to a column of its own so that the summed cost is least, by
 * shortest augmenting paths (Crouse, On implementing 2D rectangular assignment algorithms, IEEE
 * Transactions on Aerospace and Electronic Systems 52(4), 2016). Among equal costs an unassigned
 * column goes first, then the lowest number, which is what SciPy's `linear_sum_assignment` gives.
 * O(rows^2 x columns).
 *
 * @param cost by row, then column; Infinity forbids a cell
 * @param columns number of columns, at least that of the rows
 * @returns column by row, or null when no assignment avoids the forbidden cells
 * @throws {RangeError} when there are more rows than columns, or a cost is NaN or -Infinity
 */
export function assign(cost: readonly Float64Array[], columns: number): Int32Array | null {
  const rows = cost.length;
  if (rows > columns) {
    throw new RangeError(`assignment: ${rows} rows cannot have ${columns} columns of their own`);
  }
  for (const row of cost) {
    for (let j = 0; j < columns; j += 1) {
      const value = row[j] as number;
      if (!(value > -Infinity)) throw new RangeError(`assignment: a cost is ${value}`);
    }
  }
  const search = new Search(cost, columns);
  for (let row = 0; row < rows; row += 1) if (!search.add(row)) return null;
  return search.columnOfRow;
}

/** Rows that are assigned so far, with prices of rows and columns that prove them cheapest. */
class Search {
  readonly columnOfRow: Int32Array;
  readonly #cost: readonly Float64Array[];
  readonly #columns: number;
  readonly #rowOfColumn: Int32Array;
  readonly #rowPrice: Float64Array;
  readonly #columnPrice: Float64Array;
  /** Length of the shortest path to each column, and the row before it on that path. */
  readonly #distance: Float64Array;
  readonly #before: Int32Array;
  readonly #open: Int32Array;

  constructor(cost: readonly Float64Array[], columns: number) {
    this.#cost = cost;
    this.#columns = columns;
    this.columnOfRow = new Int32Array(cost.length).fill(-1);
    this.#rowOfColumn = new Int32Array(columns).fill(-1);
    this.#rowPrice = new Float64Array(cost.length);
    this.#columnPrice = new Float64Array(columns);
    this.#distance = new Float64Array(columns);
    this.#before = new Int32Array(columns);
    this.#open = new Int32Array(columns);
  }

  /** Assigns one more row, moving others where that is cheaper. */
  add(row: number): boolean {
    const columns = this.#columns;
    const open = this.#open;
    // Filled from the end, and emptied by moving the last into the gap: that decides ties.
    for (let i = 0; i < columns; i += 1) open[i] = columns - i - 1;
    this.#distance.fill(Infinity);
    const reachedRows = [row];
    const reachedColumns: number[] = [];
    let openCount = columns;
    let length = 0;
    let current = row;
    for (;;) {
      const at = this.#relax(current, length, openCount);
      const column = at < 0 ? -1 : (open[at] as number);
      length = at < 0 ? Infinity : (this.#distance[column] as number);
      if (length === Infinity) return false;
      reachedColumns.push(column);
      openCount -= 1;
      open[at] = open[openCount] as number;
      const holder = this.#rowOfColumn[column] as number;
      if (holder < 0) {
        this.#reprice(row, reachedRows, reachedColumns, length);
        this.#augment(row, column);
        return true;
      }
      current = holder;
      reachedRows.push(current);
    }
  }

  /** Extends paths from a row. @returns position in `open` of the nearest column, or -1 */
  #relax(row: number, length: number, openCount: number): number {
    const costs = this.#cost[row] as Float64Array;
    const price = this.#rowPrice[row] as number;
    let nearest = -1;
    let least = Infinity;
    for (let at = 0; at < openCount; at += 1) {
      const column = this.#open[at] as number;
      const through =
        length + (costs[column] as number) - price - (this.#columnPrice[column] as number);
      if (through < (this.#distance[column] as number)) {
        this.#distance[column] = through;
        this.#before[column] = row;
      }
      const distance = this.#distance[column] as number;
      if (distance < least || (distance === least && this.#rowOfColumn[column] === -1)) {
        least = distance;
        nearest = at;
      }
    }
    return nearest;
  }

  #reprice(
    row: number,
    reachedRows: readonly number[],
    reachedColumns: readonly number[],
    length: number,
  ): void {
    this.#rowPrice[row] = (this.#rowPrice[row] as number) + length;
    for (const other of reachedRows) {
      if (other === row) continue;
      const distance = this.#distance[this.columnOfRow[other] as number] as number;
      this.#rowPrice[other] = (this.#rowPrice[other] as number) + (length - distance);
    }
    for (const column of reachedColumns) {
      const distance = this.#distance[column] as number;
      this.#columnPrice[column] = (this.#columnPrice[column] as number) - (length - distance);
    }
  }

  #augment(row: number, freeColumn: number): void {
    let column = freeColumn;
    for (;;) {
      const holder = this.#before[column] as number;
      const left = this.columnOfRow[holder] as number;
      this.#rowOfColumn[column] = holder;
      this.columnOfRow[holder] = column;
      if (holder === row) return;
      column = left;
    }
  }
}
