import { InputError } from '../../sim/errors.ts';
import type { Chunks } from './bytes.ts';

/** How much compressed data may grow: a file made to fill the machine is given up. */
export interface GrowthLimits {
  /** Most bytes that come out. */
  readonly bytes: number;
  /** Most bytes that come out for each byte that went in, once 256 MiB are out. */
  readonly ratio: number;
}

/** 64 GiB, and 500 bytes out for a byte in. Public traces grow up to twentyfold, to 7 GB at most. */
export const DEFAULT_GROWTH: GrowthLimits = { bytes: 64 * 2 ** 30, ratio: 500 };
const RATIO_FROM_BYTES = 256 * 2 ** 20;

/** Counts what goes into a decoder and what comes out. */
export class Growth {
  readonly #path: string;
  readonly #limits: GrowthLimits;
  #bytesIn = 0;
  #bytesOut = 0;

  constructor(path: string, limits: GrowthLimits) {
    this.#path = path;
    this.#limits = limits;
  }

  /** @throws {InputError} once more has come out than may */
  add(bytesIn: number, bytesOut: number): void {
    this.#bytesIn += bytesIn;
    this.#bytesOut += bytesOut;
    const { bytes, ratio } = this.#limits;
    if (this.#bytesOut > bytes) {
      const detail = `unpacks to more than ${bytes} bytes; unpack it yourself if that is right`;
      throw new InputError(this.#path, null, null, detail);
    }
    if (this.#bytesOut > RATIO_FROM_BYTES && this.#bytesOut > ratio * this.#bytesIn) {
      const found = `${this.#bytesIn} bytes unpack to more than ${this.#bytesOut}`;
      const detail = `${found}, over ${ratio}-fold; unpack it yourself if that is right`;
      throw new InputError(this.#path, null, null, detail);
    }
  }
}

/** Runs a decoder, giving up when more comes out of it than may. */
export async function* bounded(
  path: string,
  input: Chunks,
  decode: (input: Chunks) => Chunks,
  limits: GrowthLimits,
): AsyncGenerator<Buffer> {
  const growth = new Growth(path, limits);
  async function* counted() {
    for await (const chunk of input) {
      growth.add(chunk.length, 0);
      yield chunk;
    }
  }
  for await (const chunk of decode(counted())) {
    growth.add(0, chunk.length);
    yield chunk;
  }
}
