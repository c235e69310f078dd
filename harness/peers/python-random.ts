const STATE_WORDS = 624;
const SHIFT_WORDS = 397;
const UPPER_BIT = 0x80000000;
const LOWER_BITS = 0x7fffffff;
const TWIST = 0x9908b0df;

/** Populations up to this size are copied by `sample` of few elements; larger ones are probed. */
const POOL_LIMIT = 21;

/**
 * The generator behind Python's `random.Random(seed)`: the Mersenne Twister MT19937 (Matsumoto and
 * Nishimura, 1998), seeded by array, with what CPython 3.2 to 3.13 makes of its words. Simulators
 * written in Python draw from it, and so does a replay of them.
 */
export class PythonRandom {
  readonly #state = new Uint32Array(STATE_WORDS);
  #next = STATE_WORDS;

  /** @throws {RangeError} unless the seed is a whole number from 0 to 2^53 - 1 */
  constructor(seed: number) {
    if (!Number.isSafeInteger(seed) || seed < 0) {
      throw new RangeError(`seed is ${seed}, expected a whole number from 0`);
    }
    const high = Math.floor(seed / 2 ** 32);
    this.#seed(high === 0 ? [seed] : [seed >>> 0, high]);
  }

  /** `random()`: uniform in [0, 1) with 53 bits. */
  random(): number {
    const high = this.#word() >>> 5;
    const low = this.#word() >>> 6;
    return (high * 2 ** 26 + low) / 2 ** 53;
  }

  /** `randrange(n)`, for n from 1 to 2^32 - 1. */
  below(n: number): number {
    const shift = Math.clz32(n);
    let draw = this.#word() >>> shift;
    while (draw >= n) draw = this.#word() >>> shift;
    return draw;
  }

  /** `shuffle(list)`, in place. */
  shuffle(list: unknown[]): void {
    for (let i = list.length - 1; i > 0; i -= 1) {
      const j = this.below(i + 1);
      [list[i], list[j]] = [list[j], list[i]];
    }
  }

  /** `sample(list, 2)`: two elements at different places. */
  pair<T>(list: readonly T[]): [T, T] {
    const n = list.length;
    if (n < 2) throw new RangeError(`cannot draw 2 of ${n}`);
    const first = this.below(n);
    let second: number;
    if (n <= POOL_LIMIT) {
      second = this.below(n - 1);
      if (second === first) second = n - 1;
    } else {
      second = this.below(n);
      while (second === first) second = this.below(n);
    }
    return [list[first] as T, list[second] as T];
  }

  #seed(key: readonly number[]): void {
    const state = this.#state;
    state[0] = 19650218;
    for (let i = 1; i < STATE_WORDS; i += 1)
      state[i] = Math.imul(1812433253, this.#mixed(i - 1)) + i;
    let i = 1;
    let j = 0;
    for (let k = Math.max(STATE_WORDS, key.length); k > 0; k -= 1) {
      const mixed = Math.imul(this.#mixed(i - 1), 1664525);
      state[i] = ((state[i] as number) ^ mixed) + (key[j] as number) + j;
      i = this.#following(i);
      j = (j + 1) % key.length;
    }
    for (let k = STATE_WORDS - 1; k > 0; k -= 1) {
      const mixed = Math.imul(this.#mixed(i - 1), 1566083941);
      state[i] = ((state[i] as number) ^ mixed) - i;
      i = this.#following(i);
    }
    state[0] = UPPER_BIT;
  }

  #mixed(i: number): number {
    const word = this.#state[i] as number;
    return word ^ (word >>> 30);
  }

  #following(i: number): number {
    if (i + 1 < STATE_WORDS) return i + 1;
    this.#state[0] = this.#state[STATE_WORDS - 1] as number;
    return 1;
  }

  #word(): number {
    if (this.#next === STATE_WORDS) this.#twist();
    let word = this.#state[this.#next] as number;
    this.#next += 1;
    word ^= word >>> 11;
    word ^= (word << 7) & 0x9d2c5680;
    word ^= (word << 15) & 0xefc60000;
    word ^= word >>> 18;
    return word >>> 0;
  }

  #twist(): void {
    const state = this.#state;
    for (let i = 0; i < STATE_WORDS; i += 1) {
      const next = state[(i + 1) % STATE_WORDS] as number;
      const joined = ((state[i] as number) & UPPER_BIT) | (next & LOWER_BITS);
      const shifted = state[(i + SHIFT_WORDS) % STATE_WORDS] as number;
      state[i] = shifted ^ (joined >>> 1) ^ ((joined & 1) === 0 ? 0 : TWIST);
    }
    this.#next = 0;
  }
}
