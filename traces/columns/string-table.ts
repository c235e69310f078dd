import { Pages } from './pages.ts';

const BLOB_BITS = 20;
const BLOB_BYTES = 1 << BLOB_BITS;
const IN_BLOB = BLOB_BYTES - 1;
/** A character of a JavaScript string takes at most this many bytes of UTF-8. */
const BYTES_PER_UNIT = 3;
const FIRST_SLOTS = 1024;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** FNV-1a over the UTF-16 units, its bits mixed for use as an index. */
function hashOf(text: string): number {
  let hash = FNV_OFFSET;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), FNV_PRIME);
  }
  return (hash ^ (hash >>> 15)) >>> 0;
}

const words = (length: number) => new Uint32Array(length);

/**
 * Many different strings as bytes, each known by its rank: about 50 bytes for an id of 30 characters,
 * where a set of strings takes 130. Strings are well-formed, as decoded text is.
 */
export class StringTable {
  readonly #blobs: Buffer[] = [];
  #ends = new Pages<Uint32Array>(words);
  #hashes = new Pages<Uint32Array>(words);
  /** Rank + 1 of the string in each slot, 0 for none; null when not needed (any more). */
  #slots: Uint32Array | null = words(FIRST_SLOTS);
  #scratch = Buffer.allocUnsafeSlow(1024);
  #bytes = 0;

  /** A table of strings whose bytes and ends (one past each string's last byte) are there already. */
  static over(bytes: Buffer, ends: Uint32Array): StringTable {
    const table = new StringTable();
    for (let from = 0; from < bytes.length; from += BLOB_BYTES) {
      table.#blobs.push(bytes.subarray(from, from + BLOB_BYTES));
    }
    table.#ends = Pages.over<Uint32Array>(words, ends);
    table.#bytes = bytes.length;
    table.#slots = null;
    return table;
  }

  get size(): number {
    return this.#ends.length;
  }

  /** Rank of the string, or -1. Throws `RangeError` once `forgetIndex` was called. */
  indexOf(text: string): number {
    return (this.#slotsOrThrow()[this.#slotOf(text, hashOf(text))] ?? 0) - 1;
  }

  /** Adds a string and gives its rank, or -1 when it is there already. */
  add(text: string): number {
    const hash = hashOf(text);
    const slots = this.#slotsOrThrow();
    const slot = this.#slotOf(text, hash);
    if (slots[slot] !== 0) return -1;
    this.#append(text);
    this.#hashes.push(hash);
    slots[slot] = this.size;
    if (2 * this.size > slots.length) this.#grow(2 * slots.length);
    return this.size - 1;
  }

  /** The string of this rank. */
  at(index: number): string {
    const start = index === 0 ? 0 : this.#ends.at(index - 1);
    const end = this.#ends.at(index);
    const blob = this.#blobs[start >>> BLOB_BITS];
    const from = start & IN_BLOB;
    if (blob === undefined || end === start) return '';
    if (from + end - start <= BLOB_BYTES) return blob.toString('utf8', from, from + end - start);
    return this.bytesOf(index).toString('utf8');
  }

  /** The string of this rank as UTF-8. */
  bytesOf(index: number): Buffer {
    const end = this.#ends.at(index);
    const parts: Buffer[] = [];
    for (let at = index === 0 ? 0 : this.#ends.at(index - 1); at < end; ) {
      const from = at & IN_BLOB;
      const length = Math.min(end - at, BLOB_BYTES - from);
      parts.push(this.#blobs[at >>> BLOB_BITS]?.subarray(from, from + length) ?? Buffer.alloc(0));
      at += length;
    }
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
  }

  /** Gives back the memory that finding strings takes; only `at` works after it. */
  forgetIndex(): void {
    this.#slots = null;
    this.#hashes = new Pages(words);
  }

  #slotsOrThrow(): Uint32Array {
    if (this.#slots === null) throw new RangeError('the index of this table was given back');
    return this.#slots;
  }

  /** Slot that holds the string, or the free one where it belongs. */
  #slotOf(text: string, hash: number): number {
    const slots = this.#slotsOrThrow();
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const rank = (slots[slot] ?? 0) - 1;
      if (rank < 0) return slot;
      if (this.#hashes.at(rank) === hash && this.at(rank) === text) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #grow(length: number): void {
    const slots = words(length);
    const mask = length - 1;
    for (let rank = 0; rank < this.size; rank += 1) {
      let slot = this.#hashes.at(rank) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = rank + 1;
    }
    this.#slots = slots;
  }

  #append(text: string): void {
    if (text.length * BYTES_PER_UNIT > this.#scratch.length) {
      this.#scratch = Buffer.allocUnsafeSlow(2 * text.length * BYTES_PER_UNIT);
    }
    const length = this.#scratch.write(text, 'utf8');
    for (let from = 0; from < length; ) {
      const at = this.#bytes & IN_BLOB;
      let blob = this.#blobs[this.#bytes >>> BLOB_BITS];
      if (blob === undefined) {
        blob = Buffer.allocUnsafeSlow(BLOB_BYTES);
        this.#blobs.push(blob);
      }
      const copied = this.#scratch.copy(blob, at, from, length);
      from += copied;
      this.#bytes += copied;
    }
    this.#ends.push(this.#bytes);
  }
}
