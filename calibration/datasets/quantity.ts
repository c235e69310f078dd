/** What a numeric cell may hold: its unit, for messages, and its bounds. */
export interface Quantity {
  /** Unit of the cell, '' for a ratio. */
  readonly unit: string;
  readonly min: number;
  /** Whether `min` itself is out of bounds. */
  readonly aboveMin: boolean;
  readonly max: number;
  /** Whether it must be a whole number. */
  readonly whole?: true;
}

/** Far above anything that is measured; beyond it sums lose whole units. */
const HIGHEST = 1e12;
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const WITH_UNIT = /^(?!0x)[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*(?:[a-zA-Z%µ°][\w%/]*)$/;
const NO_VALUE = new Set(['', 'nan', 'na', 'n/a', '[n/a]', 'none', 'null', '-']);
const QUOTE_LIMIT = 40;

/** A number above zero in a unit. */
export const positive = (unit: string): Quantity => ({
  unit,
  min: 0,
  aboveMin: true,
  max: HIGHEST,
});

/** A batch size or another count from 1 on. */
export const COUNT: Quantity = { unit: '', min: 1, aboveMin: false, max: HIGHEST, whole: true };

/** Zero or more in a unit. */
export const notNegative = (unit: string): Quantity => ({
  unit,
  min: 0,
  aboveMin: false,
  max: HIGHEST,
});

/** A share of SMs in percent, above 0 and at most 100. */
export const SHARE_PERCENT: Quantity = { unit: '%', min: 0, aboveMin: true, max: 100 };

/** A share of SMs in (0, 1]. */
export const SHARE: Quantity = { unit: '', min: 0, aboveMin: true, max: 1 };

/** A reading of a utilisation counter in percent; counters overshoot a little. */
export const GAUGE_PERCENT: Quantity = { unit: '%', min: 0, aboveMin: false, max: 105 };

/** A reading of a utilisation counter as a fraction. */
export const GAUGE: Quantity = { unit: '', min: 0, aboveMin: false, max: 1.05 };

/** Whether a text spells "no value". */
export function isNoValue(text: string): boolean {
  return NO_VALUE.has(text.toLowerCase());
}

/** A value quoted for a message, cut when long, control characters spelled out. */
export function quoted(value: string): string {
  const text = value.length > QUOTE_LIMIT ? `${value.slice(0, QUOTE_LIMIT)}...` : value;
  return `'${text.replace(/\p{Cc}/gu, (mark) => JSON.stringify(mark).slice(1, -1))}'`;
}

/** The number that a text spells, or what is wrong with it. */
export function parseQuantity(text: string, quantity: Quantity): number | string {
  const { unit } = quantity;
  const wanted = unit === '' ? 'a number' : `a number of ${unit}`;
  if (!DECIMAL.test(text)) {
    const hint = WITH_UNIT.test(text) ? ' (no unit in the cell)' : '';
    return `expected ${wanted}${hint}, found ${quoted(text)}`;
  }
  return checkQuantity(Number(text), quantity, text);
}

/** The number itself when it is within bounds, or what is wrong with it. */
export function checkQuantity(value: number, quantity: Quantity, text: string): number | string {
  const { unit, min, aboveMin, max } = quantity;
  const low = aboveMin ? value <= min : value < min;
  if (quantity.whole === true && !Number.isInteger(value)) {
    return `expected a whole number, found ${quoted(text)}`;
  }
  if (!low && value <= max) return value;
  const lower = aboveMin ? `above ${min}` : `at least ${min}`;
  const upper = max < HIGHEST ? ` and at most ${max}` : '';
  const bounds = value > max && max === HIGHEST ? `at most ${max}` : `${lower}${upper}`;
  return `expected ${bounds}${unit === '' ? '' : ` ${unit}`}, found ${quoted(text)}`;
}
