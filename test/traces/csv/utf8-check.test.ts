import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Utf8Check } from '../../../traces/csv/utf8-check.ts';

/** Checks bytes in pieces of a size. */
function fault(bytes: Uint8Array, size: number): { offset: number; byte: number } | null {
  const check = new Utf8Check();
  for (let at = 0; at < bytes.length; at += size) {
    const found = check.add(Buffer.from(bytes.subarray(at, at + size)));
    if (found !== null) return found;
  }
  return check.end();
}

describe('the check for UTF-8', () => {
  it('takes text of any characters, however it is cut', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 9 }), (text, size) => {
        assert.equal(fault(Buffer.from(text), size), null);
      }),
    );
  });

  it('names the byte that no character has', () => {
    const cases: [number[], { offset: number; byte: number }][] = [
      [[0x61, 0xe9, 0x62], { offset: 1, byte: 0xe9 }],
      [[0x61, 0xff], { offset: 1, byte: 0xff }],
      [[0xc3, 0xa9, 0x80], { offset: 2, byte: 0x80 }],
      // A euro sign without its end, and an encoded half of a pair.
      [[0x61, 0xe2, 0x82], { offset: 1, byte: 0xe2 }],
      [[0xed, 0xa0, 0x80], { offset: 0, byte: 0xed }],
    ];
    for (const [bytes, expected] of cases) {
      for (const size of [1, 2, 10]) {
        assert.deepEqual(
          fault(Uint8Array.from(bytes), size),
          expected,
          `${bytes.join(' ')} by ${size}`,
        );
      }
    }
  });

  it('agrees with a strict decoder on any bytes', () => {
    const bytes = fc.uint8Array({ maxLength: 40 });
    fc.assert(
      fc.property(bytes, fc.integer({ min: 1, max: 9 }), (all, size) => {
        let valid = true;
        try {
          new TextDecoder('utf-8', { fatal: true }).decode(all);
        } catch {
          valid = false;
        }
        assert.equal(fault(all, size) === null, valid);
      }),
      { numRuns: 1000 },
    );
  });
});
