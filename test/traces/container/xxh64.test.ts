import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Xxh64 } from '../../../traces/container/xxh64.ts';

const MASK = 2n ** 64n - 1n;
const [P1, P2, P3, P4, P5] = [
  0x9e3779b185ebca87n,
  0xc2b2ae3d27d4eb4fn,
  0x165667b19e3779f9n,
  0x85ebca77c2b2ae63n,
  0x27d4eb2f165667c5n,
];
const rotated = (x: bigint, by: bigint) => ((x << by) | (x >> (64n - by))) & MASK;
const round = (lane: bigint, word: bigint) => (rotated((lane + word * P2) & MASK, 31n) * P1) & MASK;

/** The specification read off, in integers of any size. */
function reference(bytes: Buffer): bigint {
  let at = 0;
  let hash = P5;
  if (bytes.length >= 32) {
    const lanes = [(P1 + P2) & MASK, P2, 0n, -P1 & MASK];
    for (; at + 32 <= bytes.length; at += 32) {
      for (const [i, lane] of lanes.entries()) {
        lanes[i] = round(lane, bytes.readBigUInt64LE(at + 8 * i));
      }
    }
    const turns = [1n, 7n, 12n, 18n];
    hash = lanes.reduce((sum, lane, i) => sum + rotated(lane, turns[i] ?? 0n), 0n) & MASK;
    for (const lane of lanes) hash = ((hash ^ round(0n, lane)) * P1 + P4) & MASK;
  }
  hash = (hash + BigInt(bytes.length)) & MASK;
  for (; at + 8 <= bytes.length; at += 8) {
    hash = (rotated(hash ^ round(0n, bytes.readBigUInt64LE(at)), 27n) * P1 + P4) & MASK;
  }
  if (at + 4 <= bytes.length) {
    hash ^= (BigInt(bytes.readUInt32LE(at)) * P1) & MASK;
    hash = (rotated(hash, 23n) * P2 + P3) & MASK;
    at += 4;
  }
  for (; at < bytes.length; at += 1) {
    hash = (rotated(hash ^ ((BigInt(bytes[at] ?? 0) * P5) & MASK), 11n) * P1) & MASK;
  }
  hash = ((hash ^ (hash >> 33n)) * P2) & MASK;
  hash = ((hash ^ (hash >> 29n)) * P3) & MASK;
  return hash ^ (hash >> 32n);
}

describe('XXH64', () => {
  it('of nothing is 0xEF46DB3751D8E999, as the specification says', () => {
    assert.equal(new Xxh64().low32(), 0x51d8e999);
    assert.equal(reference(Buffer.alloc(0)), 0xef46db3751d8e999n);
  });

  it('is that of the specification for any data, however it is cut', () => {
    const data = fc.uint8Array({ maxLength: 200 });
    fc.assert(
      fc.property(data, fc.integer({ min: 1, max: 70 }), (bytes, size) => {
        const hash = new Xxh64();
        for (let at = 0; at < bytes.length; at += size) hash.update(bytes.subarray(at, at + size));
        assert.equal(BigInt(hash.low32()), reference(Buffer.from(bytes)) & 0xffffffffn);
      }),
      { numRuns: 300 },
    );
  });
});
