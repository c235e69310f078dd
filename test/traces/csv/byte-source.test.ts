import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openByteSource } from '../../../traces/csv/byte-source.ts';
import { fixture, messageOf, sourceOf } from '../support.ts';

async function contentOf(content: string, size: number): Promise<string> {
  const source = await sourceOf(content, size);
  const chunks: Buffer[] = [];
  for await (const chunk of source.chunks()) chunks.push(chunk);
  const whole = Buffer.concat(chunks);
  assert.deepEqual(source.fingerprint(), {
    path: 't.csv',
    sha256: createHash('sha256').update(whole).digest('hex'),
    bytes: whole.length,
  });
  return whole.toString();
}

describe('byte source', () => {
  it('gives the whole content and its hash, however it is cut into chunks', async () => {
    for (const size of [1, 3, 64]) assert.equal(await contentOf('a,b\n1,2\n', size), 'a,b\n1,2\n');
  });

  it('knows the first line without byte order mark and line end', async () => {
    for (const content of ['\uFEFFa,b\r\n1,2', 'a,b\n', 'a,b', 'a,b\r1,2\r']) {
      assert.equal((await sourceOf(content, 2)).firstLine, 'a,b');
    }
  });

  it('says what is wrong with a path', async () => {
    assert.match(await messageOf(openByteSource('no/such.csv')), /^no\/such\.csv no such file$/);
    assert.match(await messageOf(openByteSource(fixture('.'))), /is a folder; expected a file$/);
  });

  it('refuses an empty file', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'heshare-'));
    try {
      const file = path.join(folder, 'empty.csv');
      await writeFile(file, '');
      assert.match(await messageOf(openByteSource(file)), /empty\.csv is empty$/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('refuses what is no UTF-8 text and says what it looks like', async () => {
    const cases: [Buffer, RegExp][] = [
      [Buffer.from('BZh91AY'), /bzip2/],
      [Buffer.from('PAR1'), /Parquet/],
      [Buffer.from([0xff, 0xfe, 97, 0]), /UTF-16/],
      [Buffer.from('id,submit_s\n', 'utf16le'), /UTF-16/],
      [Buffer.from('id,submit_s\n', 'utf16le').swap16(), /UTF-16/],
      [Buffer.from('version https://git-lfs.github.com/spec/v1\n'), /Git LFS pointer/],
      [Buffer.from('a,\0b\n'), /NUL byte at offset 2/],
    ];
    for (const [content, expected] of cases) {
      assert.match(await messageOf(sourceOf(content)), expected);
    }
  });

  it('refuses text that is not UTF-8, with the byte and where it is', async () => {
    // A latin-1 e with an accent, at every place in its chunk.
    const text = Buffer.from(`${'1,2\n'.repeat(20_000)}j\u00e9,2\n`, 'latin1');
    for (const size of [1, 2, 3, 64]) {
      const read = async () => {
        for await (const _chunk of (await sourceOf(text, size)).chunks());
      };
      assert.equal(
        await messageOf(read()),
        't.csv is not UTF-8 (byte 0xE9 at offset 80001); convert it to UTF-8',
      );
    }
    const early = sourceOf(Buffer.from('j\u00e9,2\n', 'latin1'));
    assert.match(await messageOf(early), /byte 0xE9 at offset 1/);
  });

  it('finds a NUL byte far into the file', async () => {
    // Beyond the 64 KiB that are looked at on opening.
    const source = await sourceOf(`a,b\n${'1,2\n'.repeat(20_000)}\0`, 4096);
    const read = async () => {
      for await (const _chunk of source.chunks());
    };
    assert.match(await messageOf(read()), /NUL byte at offset 80004/);
  });
});
