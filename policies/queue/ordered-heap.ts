/**
 * A binary heap in the total order (key, tie), lowest first; what it holds has no say in the order.
 * Nothing is allocated but when its arrays grow. Memory is kept when it empties.
 */
export class OrderedHeap<T> {
  readonly #keys: number[] = [];
  readonly #ties: number[] = [];
  readonly #items: T[] = [];

  get size(): number {
    return this.#items.length;
  }

  /** First item, or null when there is none. */
  get first(): T | null {
    return this.#items.length === 0 ? null : (this.#items[0] as T);
  }
  /** Key and tie of the first item; Infinity when there is none. */
  get firstKey(): number {
    return this.#keys.length === 0 ? Infinity : (this.#keys[0] as number);
  }
  get firstTie(): number {
    return this.#ties.length === 0 ? Infinity : (this.#ties[0] as number);
  }

  clear(): void {
    this.#keys.length = 0;
    this.#ties.length = 0;
    this.#items.length = 0;
  }

  push(key: number, tie: number, item: T): void {
    let at = this.#items.length;
    this.#keys.push(key);
    this.#ties.push(tie);
    this.#items.push(item);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#isBefore(parent, key, tie)) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#put(at, key, tie, item);
  }

  /** Takes the first item off, or returns null when there is none. */
  pop(): T | null {
    const first = this.first;
    const key = this.#keys.pop();
    const tie = this.#ties.pop();
    const item = this.#items.pop();
    if (key === undefined || tie === undefined || this.#items.length === 0) return first;
    this.#sink(key, tie, item as T);
    return first;
  }

  /** Gives the first item another place; the same as `pop` and `push` in one step. */
  replaceFirst(key: number, tie: number, item: T): void {
    this.#sink(key, tie, item);
  }

  #sink(key: number, tie: number, item: T): void {
    const size = this.#items.length;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      const right = child + 1;
      if (
        right < size &&
        this.#isBefore(right, this.#keys[child] as number, this.#ties[child] as number)
      ) {
        child = right;
      }
      if (!this.#isBefore(child, key, tie)) break;
      this.#move(child, at);
      at = child;
    }
    this.#put(at, key, tie, item);
  }

  /** Whether what is in a slot comes before (key, tie). */
  #isBefore(slot: number, key: number, tie: number): boolean {
    const slotKey = this.#keys[slot] as number;
    return slotKey < key || (slotKey === key && (this.#ties[slot] as number) < tie);
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#keys[from] as number, this.#ties[from] as number, this.#items[from] as T);
  }

  #put(at: number, key: number, tie: number, item: T): void {
    this.#keys[at] = key;
    this.#ties[at] = tie;
    this.#items[at] = item;
  }
}
