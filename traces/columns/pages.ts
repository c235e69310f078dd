/** Arrays that columns are kept in. */
export type Words = Uint8Array | Uint16Array | Uint32Array | Float64Array;

const PAGE_BITS = 16;
const PAGE_LENGTH = 1 << PAGE_BITS;
const IN_PAGE = PAGE_LENGTH - 1;

/**
 * A growing list of numbers in pages of a typed array: 65,536 a page, so that growth copies nothing and
 * leaves nothing behind.
 */
export class Pages<A extends Words> {
  readonly #make: (length: number) => A;
  readonly #pages: A[] = [];
  #length = 0;

  constructor(make: (length: number) => A) {
    this.#make = make;
  }

  /** Pages over an array that is there already; it is not copied. */
  static over<A extends Words>(make: (length: number) => A, values: A): Pages<A> {
    const pages = new Pages(make);
    for (let from = 0; from < values.length; from += PAGE_LENGTH) {
      pages.#pages.push(values.subarray(from, from + PAGE_LENGTH) as A);
    }
    pages.#length = values.length;
    return pages;
  }

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    const at = this.#length & IN_PAGE;
    let page = this.#pages[this.#length >>> PAGE_BITS];
    if (page === undefined) {
      page = this.#make(PAGE_LENGTH);
      this.#pages.push(page);
    }
    page[at] = value;
    this.#length += 1;
  }

  /** Changes a value that is there. */
  set(index: number, value: number): void {
    const page = this.#pages[index >>> PAGE_BITS];
    if (page !== undefined && index < this.#length) page[index & IN_PAGE] = value;
  }

  /** NaN past the end. */
  at(index: number): number {
    return this.#pages[index >>> PAGE_BITS]?.[index & IN_PAGE] ?? Number.NaN;
  }
}
