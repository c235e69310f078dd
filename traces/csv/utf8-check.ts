import { isUtf8 } from 'node:buffer';

/** Longest sequence of bytes that is one character. */
const SEQUENCE_BYTES = 4;

/** Bytes of the character that starts with this byte; 1 for what can start none. */
function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}

/** Where a character begins whose end is not in the bytes; their length when there is none. */
function unfinishedFrom(bytes: Buffer): number {
  const last = bytes.length - 1;
  for (let at = last; at > last - SEQUENCE_BYTES && at >= 0; at -= 1) {
    const byte = bytes[at] ?? 0;
    // Bytes 10xxxxxx continue a character that starts before them.
    if ((byte & 0xc0) === 0x80) continue;
    return at + sequenceLength(byte) > bytes.length ? at : bytes.length;
  }
  return bytes.length;
}

/** Offset of the first byte that is not part of a whole character. */
function firstFault(bytes: Buffer): number {
  let good = 0;
  let bad = bytes.length;
  // The longest prefix that is UTF-8 but for an unfinished end.
  while (good < bad) {
    const middle = Math.ceil((good + bad) / 2);
    const part = bytes.subarray(0, middle);
    if (isUtf8(part.subarray(0, unfinishedFrom(part)))) good = middle;
    else bad = middle - 1;
  }
  return unfinishedFrom(bytes.subarray(0, good));
}

/** Checks bytes that come in pieces for being UTF-8. */
export class Utf8Check {
  #unfinished = Buffer.alloc(0);
  #offset = 0;

  /** Takes the next piece; offset and value of a byte that is no UTF-8, or null while all is well. */
  add(piece: Buffer): { readonly offset: number; readonly byte: number } | null {
    const bytes = this.#unfinished.length === 0 ? piece : Buffer.concat([this.#unfinished, piece]);
    const end = unfinishedFrom(bytes);
    const whole = bytes.subarray(0, end);
    if (!isUtf8(whole)) {
      const at = firstFault(whole);
      return { offset: this.#offset + at, byte: whole[at] ?? 0 };
    }
    this.#unfinished = Buffer.from(bytes.subarray(end));
    this.#offset += end;
    return null;
  }

  /** Asked at the end: the byte that begins a character which never ends, or null. */
  end(): { readonly offset: number; readonly byte: number } | null {
    const [byte] = this.#unfinished;
    return byte === undefined ? null : { offset: this.#offset, byte };
  }
}
