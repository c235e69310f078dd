/**
 * A set of small integers that finds its lowest member, and the next above a given one, without
 * scanning: bits in words, and above them levels in which a bit says that a word below is not empty.
 * Every operation is O(log32 capacity); iteration is in ascending order.
 */
export class IndexSet {
  readonly #levels: readonly Int32Array[];
  #size = 0;

  /** @param capacity members are in 0 .. capacity - 1 */
  constructor(capacity: number) {
    const levels: Int32Array[] = [];
    let bits = Math.max(capacity, 1);
    do {
      bits = (bits + 31) >>> 5;
      levels.push(new Int32Array(bits));
    } while (bits > 1);
    this.#levels = levels;
  }

  get size(): number {
    return this.#size;
  }

  has(index: number): boolean {
    const [words] = this.#levels as [Int32Array];
    return ((words[index >>> 5] as number) & (1 << (index & 31))) !== 0;
  }

  add(index: number): void {
    if (this.has(index)) return;
    this.#size += 1;
    let position = index;
    for (const words of this.#levels) {
      const bits = words[position >>> 5] as number;
      words[position >>> 5] = bits | (1 << (position & 31));
      if (bits !== 0) return;
      position >>>= 5;
    }
  }

  delete(index: number): void {
    if (!this.has(index)) return;
    this.#size -= 1;
    let position = index;
    for (const words of this.#levels) {
      const bits = (words[position >>> 5] as number) & ~(1 << (position & 31));
      words[position >>> 5] = bits;
      if (bits !== 0) return;
      position >>>= 5;
    }
  }

  /** Lowest member, or -1. */
  first(): number {
    return this.next(-1);
  }

  /** Lowest member above `after`, or -1. */
  next(after: number): number {
    const levels = this.#levels;
    let position = after + 1;
    for (let level = 0; level < levels.length; level += 1) {
      const words = levels[level] as Int32Array;
      const word = position >>> 5;
      if (word >= words.length) return -1;
      const rest = (words[word] as number) & (-1 << (position & 31));
      if (rest !== 0) return this.#descend(level, (word << 5) + lowestBit(rest));
      position = word + 1;
    }
    return -1;
  }

  *[Symbol.iterator](): Generator<number> {
    for (let index = this.first(); index >= 0; index = this.next(index)) yield index;
  }

  #descend(fromLevel: number, fromPosition: number): number {
    let position = fromPosition;
    for (let level = fromLevel - 1; level >= 0; level -= 1) {
      position =
        (position << 5) + lowestBit((this.#levels[level] as Int32Array)[position] as number);
    }
    return position;
  }
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}
