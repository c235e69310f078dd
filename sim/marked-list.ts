/** A list of distinct indexes in the order of adding, emptied and refilled without allocation. */
export class MarkedList {
  readonly #isIn: Uint8Array;
  readonly #items: Int32Array;
  #size = 0;

  constructor(capacity: number) {
    this.#isIn = new Uint8Array(capacity);
    this.#items = new Int32Array(capacity);
  }

  get size(): number {
    return this.#size;
  }

  at(position: number): number {
    return this.#items[position] as number;
  }

  add(index: number): void {
    if (this.#isIn[index] === 1) return;
    this.#isIn[index] = 1;
    this.#items[this.#size] = index;
    this.#size += 1;
  }

  clear(): void {
    for (let i = 0; i < this.#size; i += 1) this.#isIn[this.#items[i] as number] = 0;
    this.#size = 0;
  }
}
