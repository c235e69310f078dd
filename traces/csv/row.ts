/** A cell that is not what its column should hold; the importer loop adds file and line. */
export class RowError extends Error {
  override readonly name = 'RowError';
  /** Column at fault; null when the row as a whole is. */
  readonly column: string | null;

  constructor(column: string | null, detail: string) {
    super(detail);
    this.column = column;
  }
}

/** Closed bounds of a number. */
export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** Longest time that is still taken for one, about 31,700 years: above it sums lose whole seconds. */
export const TIME_S: Bounds = { min: 0, max: 1e12 };
/** No trace asks for more GPUs than this in one job. */
export const GPUS: Bounds = { min: 0, max: 1e6 };

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
/** Spellings of "no value" that public traces use. */
const NO_VALUE = new Set(['', 'NaN', 'nan', 'None', 'NULL', 'null', 'NA']);
const QUOTE_LIMIT = 40;

/** Whether a text is a spelling of "no value" that public traces use. */
export function isNoValue(text: string): boolean {
  return NO_VALUE.has(text);
}

/** A value quoted for a message, cut when long. */
export function quoted(value: string): string {
  const text = value.length > QUOTE_LIMIT ? `${value.slice(0, QUOTE_LIMIT)}...` : value;
  return `'${text.replace(/\p{Cc}/gu, (mark) => JSON.stringify(mark).slice(1, -1))}'`;
}

/** The decimal number that the whole text spells, or null: no hex, no blanks, no trailing letters. */
export function strictNumber(text: string): number | null {
  if (!DECIMAL.test(text)) return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

/** One record of a table, its cells read by column name and checked. Every reader throws `RowError`. */
export class Row {
  /** 1 is the first row after the header. */
  readonly number: number;
  readonly #columns: ReadonlyMap<string, number>;
  readonly #cells: readonly string[];

  constructor(columns: ReadonlyMap<string, number>, cells: readonly string[], number: number) {
    this.#columns = columns;
    this.#cells = cells;
    this.number = number;
  }

  #cell(name: string): string {
    const index = this.#columns.get(name);
    return index === undefined ? '' : (this.#cells[index] ?? '');
  }

  /** Text, or null for an absent column or a spelling of "no value". */
  textOrNull(name: string): string | null {
    const text = this.#cell(name);
    return NO_VALUE.has(text) ? null : text;
  }

  /** Text that must be there. */
  text(name: string): string {
    const text = this.#cell(name);
    if (text === '') throw new RowError(name, 'expected a value, found none');
    return text;
  }

  /** A finite decimal number within the bounds. */
  decimal(name: string, bounds: Bounds): number {
    const text = this.#cell(name);
    const value = strictNumber(text);
    if (value === null) throw new RowError(name, `expected a number, found ${quoted(text)}`);
    if (value < bounds.min || value > bounds.max) {
      const expected = `expected ${bounds.min} to ${bounds.max}`;
      throw new RowError(name, `${expected}, found ${quoted(text)}`);
    }
    return value;
  }

  /** Like `decimal`, but null for an absent column or a spelling of "no value". */
  decimalOrNull(name: string, bounds: Bounds): number | null {
    return this.textOrNull(name) === null ? null : this.decimal(name, bounds);
  }

  /** A whole number within the bounds; `1.0` is one. */
  integer(name: string, bounds: Bounds): number {
    const value = this.decimal(name, bounds);
    if (Number.isInteger(value)) return value;
    throw new RowError(name, `expected a whole number, found ${quoted(this.#cell(name))}`);
  }
}
