/**
 * XXH64 (Collet, xxHash specification 0.1.1), of which zstd frames keep the low 32 bits, over data given
 * in pieces. Numbers of 64 bits are pairs of 32: BigInt is ten times slower.
 */
export class Xxh64 {
  /** The four lanes, low and high word each. */
  readonly #lanes = new Int32Array(8);
  readonly #rest = Buffer.alloc(32);
  #restLength = 0;
  #length = 0;

  constructor() {
    setPair(this.#lanes, 0, sum(P1, P2));
    setPair(this.#lanes, 1, P2);
    setPair(this.#lanes, 2, ZERO);
    setPair(this.#lanes, 3, sum(ZERO, [-P1[0] | 0, P1[0] === 0 ? -P1[1] | 0 : ~P1[1]]));
  }

  update(data: Uint8Array): void {
    const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    this.#length += bytes.length;
    let at = 0;
    if (this.#restLength > 0) {
      at = bytes.copy(this.#rest, this.#restLength, 0, 32 - this.#restLength);
      this.#restLength += at;
      if (this.#restLength < 32) return;
      stripes(this.#lanes, this.#rest, 0, 32);
      this.#restLength = 0;
    }
    const end = bytes.length - ((bytes.length - at) % 32);
    stripes(this.#lanes, bytes, at, end);
    this.#restLength = bytes.copy(this.#rest, 0, end);
  }

  /** The low 32 bits of the hash of everything so far. */
  low32(): number {
    let hash: Pair;
    if (this.#length >= 32) {
      hash = sum(
        sum(rotated(pairAt(this.#lanes, 0), 1), rotated(pairAt(this.#lanes, 1), 7)),
        sum(rotated(pairAt(this.#lanes, 2), 12), rotated(pairAt(this.#lanes, 3), 18)),
      );
      for (let lane = 0; lane < 4; lane += 1) {
        const mixed = product(rotated(product(pairAt(this.#lanes, lane), P2), 31), P1);
        hash = sum(product(exclusive(hash, mixed), P1), P4);
      }
    } else hash = P5;
    hash = sum(hash, [this.#length | 0, Math.floor(this.#length / 2 ** 32) | 0]);
    let at = 0;
    for (; at + 8 <= this.#restLength; at += 8) {
      const word: Pair = [this.#rest.readInt32LE(at), this.#rest.readInt32LE(at + 4)];
      hash = exclusive(hash, product(rotated(product(word, P2), 31), P1));
      hash = sum(product(rotated(hash, 27), P1), P4);
    }
    if (at + 4 <= this.#restLength) {
      hash = exclusive(hash, product([this.#rest.readInt32LE(at), 0], P1));
      hash = sum(product(rotated(hash, 23), P2), P3);
      at += 4;
    }
    for (; at < this.#restLength; at += 1) {
      hash = exclusive(hash, product([this.#rest[at] ?? 0, 0], P5));
      hash = product(rotated(hash, 11), P1);
    }
    hash = product(exclusive(hash, shifted(hash, 33)), P2);
    hash = product(exclusive(hash, shifted(hash, 29)), P3);
    return exclusive(hash, shifted(hash, 32))[0] >>> 0;
  }
}

/** Low and high 32 bits, signed. */
type Pair = readonly [low: number, high: number];

const ZERO: Pair = [0, 0];
const P1: Pair = [0x85ebca87 | 0, 0x9e3779b1 | 0];
const P2: Pair = [0x27d4eb4f, 0xc2b2ae3d | 0];
const P3: Pair = [0x9e3779f9 | 0, 0x165667b1];
const P4: Pair = [0xc2b2ae63 | 0, 0x85ebca77 | 0];
const P5: Pair = [0x165667c5, 0x27d4eb2f];

function pairAt(lanes: Int32Array, lane: number): Pair {
  return [lanes[2 * lane] ?? 0, lanes[2 * lane + 1] ?? 0];
}

function setPair(lanes: Int32Array, lane: number, [low, high]: Pair): void {
  lanes[2 * lane] = low;
  lanes[2 * lane + 1] = high;
}

function sum([aLow, aHigh]: Pair, [bLow, bHigh]: Pair): Pair {
  const low = (aLow >>> 0) + (bLow >>> 0);
  return [low | 0, (aHigh + bHigh + (low > 0xffffffff ? 1 : 0)) | 0];
}

function exclusive([aLow, aHigh]: Pair, [bLow, bHigh]: Pair): Pair {
  return [aLow ^ bLow, aHigh ^ bHigh];
}

/** High word of the product of two unsigned words. */
function productHigh(a: number, b: number): number {
  const aLow = a & 0xffff;
  const aHigh = a >>> 16;
  const bLow = b & 0xffff;
  const bHigh = b >>> 16;
  // None of the sums reaches 2^32, so wrapping to 32 bits loses nothing.
  const middle = (Math.imul(aHigh, bLow) + (Math.imul(aLow, bLow) >>> 16)) | 0;
  const other = (Math.imul(aLow, bHigh) + (middle & 0xffff)) | 0;
  return (Math.imul(aHigh, bHigh) + (middle >>> 16) + (other >>> 16)) | 0;
}

function product([aLow, aHigh]: Pair, [bLow, bHigh]: Pair): Pair {
  const high = productHigh(aLow, bLow) + Math.imul(aLow, bHigh) + Math.imul(aHigh, bLow);
  return [Math.imul(aLow, bLow), high | 0];
}

/** Rotated left, by 1 to 31. */
function rotated([low, high]: Pair, by: number): Pair {
  return [(low << by) | (high >>> (32 - by)), (high << by) | (low >>> (32 - by))];
}

/** Shifted right, by 1 to 63. */
function shifted([low, high]: Pair, by: number): Pair {
  if (by >= 32) return [by === 32 ? high : high >>> (by - 32), 0];
  return [(low >>> by) | (high << (32 - by)), high >>> by];
}

/** Takes in whole stripes of 32 bytes: lane = rotate(lane + word * P2, 31) * P1. */
function stripes(lanes: Int32Array, bytes: Buffer, from: number, to: number): void {
  const [p1Low, p1High] = P1;
  const [p2Low, p2High] = P2;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let lane = 0; lane < 4; lane += 1) {
    let laneLow = lanes[2 * lane] ?? 0;
    let laneHigh = lanes[2 * lane + 1] ?? 0;
    for (let at = from + 8 * lane; at < to; at += 32) {
      const wordLow = view.getInt32(at, true);
      const wordHigh = view.getInt32(at + 4, true);
      const low = (laneLow >>> 0) + (Math.imul(wordLow, p2Low) >>> 0);
      const productTop =
        productHigh(wordLow, p2Low) + Math.imul(wordLow, p2High) + Math.imul(wordHigh, p2Low);
      const high = (laneHigh + productTop + (low > 0xffffffff ? 1 : 0)) | 0;
      const turnedLow = (low << 31) | (high >>> 1);
      const turnedHigh = (high << 31) | ((low | 0) >>> 1);
      laneLow = Math.imul(turnedLow, p1Low);
      laneHigh =
        (productHigh(turnedLow, p1Low) +
          Math.imul(turnedLow, p1High) +
          Math.imul(turnedHigh, p1Low)) |
        0;
    }
    lanes[2 * lane] = laneLow;
    lanes[2 * lane + 1] = laneHigh;
  }
}
