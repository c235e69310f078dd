/**
 * A set of small integers that finds its lowest member, and the next above a given one, without
 * scanning: bits in words, and a summary bit for each word. Iteration is in ascending order.
 */
export class IndexSet {
  readonly #words: Int32Array;
  readonly #summary: Int32Array;
  #size = 0;

  /** @param capacity members are in 0 .. capacity - 1 */
  constructor(capacity: number) {
    this.#words = new Int32Array(((capacity + 31) >>> 5) + 1);
    this.#summary = new Int32Array(((this.#words.length + 31) >>> 5) + 1);
  }

  get size(): number {
    return this.#size;
  }

  has(index: number): boolean {
    return ((this.#words[index >>> 5] as number) & (1 << (index & 31))) !== 0;
  }

  add(index: number): void {
    const word = index >>> 5;
    const bits = this.#words[word] as number;
    const bit = 1 << (index & 31);
    if ((bits & bit) !== 0) return;
    this.#words[word] = bits | bit;
    this.#summary[word >>> 5] = (this.#summary[word >>> 5] as number) | (1 << (word & 31));
    this.#size += 1;
  }

  delete(index: number): void {
    const word = index >>> 5;
    const bits = this.#words[word] as number;
    const bit = 1 << (index & 31);
    if ((bits & bit) === 0) return;
    this.#words[word] = bits & ~bit;
    if ((bits & ~bit) === 0) {
      this.#summary[word >>> 5] = (this.#summary[word >>> 5] as number) & ~(1 << (word & 31));
    }
    this.#size -= 1;
  }

  /** Lowest member, or -1. */
  first(): number {
    return this.next(-1);
  }

  /** Lowest member above `after`, or -1. */
  next(after: number): number {
    if (this.#size === 0) return -1;
    const from = after + 1;
    const word = from >>> 5;
    if (word >= this.#words.length) return -1;
    const rest = (this.#words[word] as number) & (-1 << (from & 31));
    if (rest !== 0) return (word << 5) + lowestBit(rest);
    const nextWord = word + 1;
    let top = nextWord >>> 5;
    let summary =
      top < this.#summary.length ? (this.#summary[top] as number) & (-1 << (nextWord & 31)) : 0;
    while (summary === 0) {
      top += 1;
      if (top >= this.#summary.length) return -1;
      summary = this.#summary[top] as number;
    }
    const found = (top << 5) + lowestBit(summary);
    return (found << 5) + lowestBit(this.#words[found] as number);
  }

  *[Symbol.iterator](): Generator<number> {
    for (let index = this.first(); index >= 0; index = this.next(index)) yield index;
  }
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}
