import { Pages } from './pages.ts';

const floats = (length: number) => new Float64Array(length);

/** Numbers that mostly differ from row to row; null where there is none. */
export class NumberColumn {
  /** Null while every value is null, as it is for most columns of most traces. */
  #values: Pages<Float64Array> | null = null;
  #length = 0;

  /** Fills an empty column with values, NaN standing for null; null for nothing but nulls. */
  restore(values: Float64Array | null, length: number): void {
    this.#values = values === null ? null : Pages.over(floats, values);
    this.#length = length;
  }

  /** Whether every value is null. */
  get isNull(): boolean {
    return this.#values === null;
  }

  push(value: number | null): void {
    if (value !== null) this.#values ??= this.#nulls();
    this.#values?.push(value ?? Number.NaN);
    this.#length += 1;
  }

  /** Changes the value of a row that is there. */
  set(index: number, value: number | null): void {
    if (value !== null) this.#values ??= this.#nulls();
    this.#values?.set(index, value ?? Number.NaN);
  }

  #nulls(): Pages<Float64Array> {
    const values = new Pages(floats);
    for (let index = 0; index < this.#length; index += 1) values.push(Number.NaN);
    return values;
  }

  /** NaN stands for null. */
  raw(index: number): number {
    return this.#values === null ? Number.NaN : this.#values.at(index);
  }

  at(index: number): number | null {
    const value = this.raw(index);
    return Number.isNaN(value) ? null : value;
  }
}

const WIDTHS = [
  { make: (length: number) => new Uint8Array(length), values: 2 ** 8 },
  { make: (length: number) => new Uint16Array(length), values: 2 ** 16 },
  { make: (length: number) => new Uint32Array(length), values: 2 ** 32 },
] as const;
type Codes = Uint8Array | Uint16Array | Uint32Array;
type Key = string | number | null;

/** Values of which there are few: each is kept once, rows keep its number in one, two or four bytes. */
export class DictionaryColumn<T> {
  readonly #keyOf: (value: T) => Key;
  readonly #codeOf = new Map<Key, number>();
  readonly #values: T[] = [];
  #width = 0;
  /** Null while there is one value only. */
  #codes: Pages<Codes> | null = null;
  #length = 0;

  /** @param keyOf what makes two values the same */
  constructor(keyOf: (value: T) => Key) {
    this.#keyOf = keyOf;
  }

  /**
   * Fills an empty column.
   * @param values the different values, by number
   * @param codes numbers of the values of the rows; null when all rows have the first
   */
  restore(values: readonly unknown[], codes: Codes | null, length: number): void {
    for (const value of values) this.#add(value as T);
    this.#codes = codes === null ? null : Pages.over<Codes>(WIDTHS[2].make, codes);
    this.#length = length;
  }

  /** The different values, by number. */
  get values(): readonly T[] {
    return this.#values;
  }

  push(value: T): void {
    const code = this.#codeFor(value);
    this.#codes?.push(code);
    this.#length += 1;
  }

  /** Changes the value of a row that is there. */
  set(index: number, value: T): void {
    const code = this.#codeFor(value);
    this.#codes?.set(index, code);
  }

  /** Number of the value in a row. */
  code(index: number): number {
    return this.#codes === null ? 0 : this.#codes.at(index);
  }

  at(index: number): T {
    return this.#values[this.code(index)] as T;
  }

  /** Number of a value, new or not, in columns wide enough for it. */
  #codeFor(value: T): number {
    const code = this.#codeOf.get(this.#keyOf(value)) ?? this.#add(value);
    if (this.#codes === null && code > 0) {
      this.#codes = new Pages<Codes>(WIDTHS[0].make);
      for (let index = 0; index < this.#length; index += 1) this.#codes.push(0);
    }
    if (code >= (WIDTHS[this.#width]?.values ?? 0)) this.#widen();
    return code;
  }

  #add(value: T): number {
    this.#codeOf.set(this.#keyOf(value), this.#values.length);
    this.#values.push(value);
    return this.#values.length - 1;
  }

  #widen(): void {
    this.#width += 1;
    const wider = new Pages<Codes>((WIDTHS[this.#width] ?? WIDTHS[2]).make);
    for (let index = 0; index < this.#length; index += 1) wider.push(this.code(index));
    this.#codes = wider;
  }
}
