/** The bytes of something, in order; given up early, it closes what it came from. */
export type Chunks = AsyncIterable<Buffer>;

/** Reads a sequence of chunks in pieces of any size. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.alloc(0);
  #ended = false;

  constructor(chunks: Chunks) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Up to `length` bytes without taking them: fewer only where there are no more. */
  async peek(length: number): Promise<Buffer> {
    if (this.#held.length < length && !this.#ended) {
      const parts = [this.#held];
      let there = this.#held.length;
      while (there < length) {
        const step = await this.#chunks.next();
        if (step.done === true) {
          this.#ended = true;
          break;
        }
        parts.push(step.value);
        there += step.value.length;
      }
      this.#held = Buffer.concat(parts);
    }
    return this.#held.subarray(0, length);
  }

  /** Takes up to `length` bytes: fewer only where there are no more. */
  async take(length: number): Promise<Buffer> {
    const taken = await this.peek(length);
    this.#held = this.#held.subarray(taken.length);
    return taken;
  }

  /** The next chunk as it comes, or null at the end. */
  async next(): Promise<Buffer | null> {
    if (this.#held.length > 0) return await this.take(this.#held.length);
    if (this.#ended) return null;
    const step = await this.#chunks.next();
    if (step.done !== true) return step.value;
    this.#ended = true;
    return null;
  }

  /** Everything that is left. */
  async *rest(): AsyncGenerator<Buffer> {
    try {
      for (let chunk = await this.next(); chunk !== null; chunk = await this.next()) yield chunk;
    } finally {
      await this.close();
    }
  }

  /** Closes what the chunks come from. */
  async close(): Promise<void> {
    this.#ended = true;
    await this.#chunks.return?.();
  }
}
