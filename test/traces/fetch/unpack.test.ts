import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { unpack } from '../../../traces/fetch/unpack.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';
import { type PackedFile, tarOf, zipOf } from '../container/support.ts';
import { messageOf } from '../support.ts';
import { entryOf, fetched, file, served, sha256 } from './server.ts';

const folder = temporaryFolder();
const { signal } = new AbortController();
const ALL = { only: null, sha256: {} };

function archive(name: string, bytes: Uint8Array): string {
  writeFileSync(folder.file(name), bytes);
  return folder.file(name);
}

/** The same files as a tar archive and as a zip archive. */
async function both(files: readonly PackedFile[]): Promise<string[]> {
  return [archive('a.tar.gz', gzipSync(await tarOf(files))), archive('a.zip', zipOf(files))];
}

describe('unpacking', () => {
  it('gives the files of an archive, in their folders', async () => {
    const files = [
      { name: 'data/' },
      { name: 'data/Earth/log.csv', content: 'earth\n' },
      { name: './top.csv', content: 'top\n' },
      { name: '__MACOSX/._top.csv', content: 'litter' },
    ];
    for (const path of await both(files)) {
      const out = `${path}-out`;
      const unpacked = await unpack(path, out, ALL, signal);
      assert.deepEqual(unpacked, [
        {
          path: `${out}/data/Earth/log.csv`,
          bytes: 6,
          sha256: sha256('earth\n'),
          verified: false,
        },
        { path: `${out}/top.csv`, bytes: 4, sha256: sha256('top\n'), verified: false },
      ]);
      assert.equal(readFileSync(`${out}/data/Earth/log.csv`, 'utf8'), 'earth\n');
      assert.deepEqual(readdirSync(out).toSorted(), ['data', 'top.csv']);
      // Again, over what is there.
      await unpack(path, out, ALL, signal);
    }
  });

  it('gives only what is wanted, in whatever folder, and misses what is not there', async () => {
    const files = [
      { name: 'x/log', content: 'log\n' },
      { name: 'x/big', content: 'big\n' },
    ];
    for (const path of await both(files)) {
      const out = `${path}-out`;
      await unpack(path, out, { only: ['log'], sha256: {} }, signal);
      assert.deepEqual(readdirSync(`${out}/x`), ['log']);
      const missing = unpack(path, out, { only: ['log', 'list'], sha256: {} }, signal);
      assert.match(await messageOf(missing), /has no file 'list'$/);
    }
  });

  it('never leaves the folder', async () => {
    const names = ['../out.csv', 'a/../../out.csv', '/out.csv', 'a\\..\\out.csv', 'C:/out.csv'];
    for (const name of names) {
      for (const path of await both([{ name, content: 'x' }])) {
        const message = await messageOf(unpack(path, folder.file('in/here'), ALL, signal));
        assert.match(message, /has an unsafe entry/, name);
        for (const outside of ['out.csv', 'in/out.csv'])
          assert.ok(!existsSync(folder.file(outside)));
      }
    }
  });

  it('makes no links and follows none', async () => {
    const target = folder.file('outside.csv');
    writeFileSync(target, 'mine');
    const files = [
      { name: 'link.csv', link: target },
      { name: 'file.csv', content: 'x' },
    ];
    for (const path of await both(files)) {
      const out = `${path}-out`;
      await unpack(path, out, ALL, signal);
      assert.deepEqual(readdirSync(out), ['file.csv']);
    }
    assert.equal(readFileSync(target, 'utf8'), 'mine');
  });

  it('verifies what has a known checksum, and keeps nothing else', async () => {
    for (const path of await both([{ name: 'a.csv', content: 'x' }])) {
      const out = `${path}-out`;
      const known = { only: null, sha256: { 'a.csv': sha256('x') } };
      assert.equal((await unpack(path, out, known, signal))[0]?.verified, true);
      const other = { only: null, sha256: { 'a.csv': sha256('y') } };
      const message = await messageOf(unpack(path, `${out}2`, other, signal));
      assert.match(
        message,
        /'a\.csv' has the wrong checksum: expected sha256 .*, found [0-9a-f]{64}$/,
      );
      assert.deepEqual(readdirSync(`${out}2`), []);
    }
  });

  it('ends where too much comes out, and keeps no part of it', async () => {
    for (const path of await both([{ name: 'a.csv', content: Buffer.alloc(100_000) }])) {
      const limits = { bytes: 50_000, ratio: 500 };
      const message = await messageOf(unpack(path, `${path}-out`, ALL, signal, limits));
      assert.match(message, /unpacks to more than 50000 bytes/);
      const out = `${path}-out`;
      assert.deepEqual(existsSync(out) ? readdirSync(out) : [], []);
    }
  });

  it('ends when it is told to', async () => {
    const [path = ''] = await both([{ name: 'a.csv', content: 'x' }]);
    await assert.rejects(unpack(path, folder.file('o'), ALL, AbortSignal.abort()), {
      name: 'AbortError',
    });
  });

  it('refuses what is no archive', async () => {
    const path = archive('a.csv', Buffer.from('a,b\n'));
    assert.match(await messageOf(unpack(path, folder.path, ALL, signal)), /a\.csv is no archive$/);
  });
});

describe('fetching an archive', () => {
  it('unpacks it beside itself', async () => {
    const zip = zipOf([{ name: 'data/Venus/log.csv', content: 'venus\n' }]);
    await served(file(zip), async (url) => {
      const entry = entryOf(url, { name: 'data.zip', unpack: ALL });
      const [one] = (await fetched(entry, folder.path)).files;
      assert.deepEqual(
        one?.unpacked.map(({ path }) => path),
        [folder.file('test/data/Venus/log.csv')],
      );
      assert.deepEqual(readdirSync(folder.file('test')).toSorted(), ['data', 'data.zip']);
    });
  });

  it('that would write elsewhere is an error', async () => {
    const zip = zipOf([{ name: '../log.csv', content: 'venus\n' }]);
    await served(file(zip), async (url) => {
      const entry = entryOf(url, { name: 'data.zip', unpack: ALL });
      assert.match(await messageOf(fetched(entry, folder.path)), /data\.zip has an unsafe entry/);
      assert.ok(!existsSync(folder.file('log.csv')));
    });
  });
});
