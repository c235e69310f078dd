import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { InputError } from '../../../sim/errors.ts';
import { gunzip } from '../../../traces/container/gzip.ts';
import { unxz } from '../../../traces/container/xz.ts';
import { unzstd } from '../../../traces/container/zstd.ts';
import { fixture, messageOf } from '../support.ts';
import { chunked, collect, packed } from './support.ts';

const CONTENT = readFileSync(fixture('philly-small.csv'));
const NUMBERS = Array.from({ length: 80_000 }, (_, index) => `${index % 1000}\n`).join('');

const KINDS = [
  { kind: 'gzip', decode: gunzip, bytes: gzipSync(CONTENT) },
  { kind: 'zstd', decode: unzstd, bytes: packed('philly-small.csv.zst') },
  { kind: 'xz', decode: unxz, bytes: packed('philly-small.csv.xz') },
];

for (const { kind, decode, bytes } of KINDS) {
  const unpacked = async (data: Uint8Array, size?: number) =>
    await collect(decode('t', chunked(data, size)));

  describe(`${kind} data`, () => {
    it('is unpacked, however it is cut into chunks', async () => {
      for (const size of [1, 7, 1000]) {
        assert.deepEqual(await unpacked(bytes, size), CONTENT);
      }
    });

    it('is unpacked to its end when it is several files one after the other', async () => {
      const three = Buffer.concat([bytes, bytes, bytes]);
      const expected = Buffer.concat([CONTENT, CONTENT, CONTENT]);
      for (const size of [50, 1000]) assert.deepEqual(await unpacked(three, size), expected);
    });

    it('is refused when it is cut off anywhere, saying so', async () => {
      for (let length = 6; length < bytes.length; length += 1) {
        const message = await messageOf(unpacked(bytes.subarray(0, length)));
        assert.match(message, /^t is cut off: the \w+ data end too early/, `${length} bytes`);
      }
    });

    it('is never unpacked to something else when a bit is wrong', async () => {
      let refused = 0;
      for (let at = 0; at < bytes.length; at += 1) {
        const wrong = Buffer.from(bytes);
        wrong[at] = (wrong[at] ?? 0) ^ 0x10;
        const content = await unpacked(wrong).catch((error: unknown) => {
          assert.ok(error instanceof InputError, String(error));
          refused += 1;
          return CONTENT;
        });
        assert.deepEqual(content, CONTENT, `byte ${at}`);
      }
      // The rest are bytes without meaning: dates, names of systems.
      assert.ok(refused > bytes.length - 12, `${refused} of ${bytes.length}`);
    });

    it('closes what it reads from when it is given up', async () => {
      const state = { closed: false };
      async function* source() {
        try {
          yield* chunked(Buffer.concat(new Array<Buffer>(500).fill(bytes)));
        } finally {
          state.closed = true;
        }
      }
      for await (const chunk of decode('t', source())) if (chunk.length > 0) break;
      while (!state.closed) await pause(1);
      assert.ok(state.closed);
    });
  });
}

describe('zstd data of several blocks', () => {
  it('is unpacked, with its checksum verified', async () => {
    const content = await collect(unzstd('t', chunked(packed('numbers.csv.zst'))));
    assert.equal(content.toString(), NUMBERS);
  });

  it('may have frames to be skipped', async () => {
    // Magic number 0x184D2A50, three bytes to skip.
    const skipped = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
    const bytes = packed('philly-small.csv.zst');
    const content = await collect(unzstd('t', chunked(Buffer.concat([skipped, bytes, skipped]))));
    assert.deepEqual(content, CONTENT);
  });

  it('is refused when it needs more memory for its window than zstd itself takes', async () => {
    // Frame header without content size: window descriptor 0x90 stands for 2^(10+18) = 256 MiB.
    const bytes = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x90, 1, 0, 0]);
    const message = await messageOf(collect(unzstd('t', chunked(bytes))));
    assert.match(message, /needs a zstd window of 256 MiB, expected at most 128 MiB/);
  });
});

describe('xz data', () => {
  it('of two files can be read side by side', async () => {
    const one = unxz('a', chunked(packed('philly-small.csv.xz')));
    const first = await one.next();
    // A decoder that lets others wait would wait here for ever.
    const whole = await collect(unxz('b', chunked(packed('philly-small.csv.xz'))));
    assert.deepEqual(whole, CONTENT);
    const rest = await collect(one);
    assert.deepEqual(Buffer.concat([first.value ?? Buffer.alloc(0), rest]), CONTENT);
  });
});
