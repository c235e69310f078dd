import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { CatalogFile } from '../../../traces/catalog/index.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';
import { messageOf } from '../support.ts';
import {
  type Answer,
  content,
  cutAfter,
  cutAt,
  entryOf,
  fetched,
  file,
  type Heard,
  inTurn,
  served,
  sha256,
} from './server.ts';

const folder = temporaryFolder();
const BYTES = content(300_000);
const KNOWN = { bytes: BYTES.length, sha256: sha256(BYTES) };
const UNKNOWN = { bytes: null, sha256: null };
const target = () => folder.file('test/t.csv');
const listen = (): Heard => ({ lines: [], waits: [] });

/** Nothing but the file itself is left. */
function assertWhole(): void {
  assert.deepEqual(readFileSync(target()), BYTES);
  assert.deepEqual(readdirSync(folder.file('test')), ['t.csv']);
}

/** Nothing at all is left. */
function assertNothing(): void {
  assert.deepEqual(readdirSync(folder.file('test')), []);
}

describe('fetching a file', () => {
  it('puts it in its place, verified', async () => {
    await served(file(BYTES), async (url, server) => {
      const { files, folder: where } = await fetched(entryOf(url, KNOWN), folder.path);
      assert.deepEqual(files, [
        {
          path: target(),
          url: `${url}/t.csv`,
          state: 'fetched',
          bytes: BYTES.length,
          sha256: KNOWN.sha256,
          verified: true,
          unpacked: [],
        },
      ]);
      assert.equal(where, folder.file('test'));
      assertWhole();
      assert.deepEqual(server.asked, [{ path: '/t.csv', range: undefined, ifRange: undefined }]);
    });
  });

  it('says when no checksum is known', async () => {
    await served(file(BYTES), async (url) => {
      const [one] = (await fetched(entryOf(url), folder.path)).files;
      assert.deepEqual([one?.verified, one?.sha256], [false, KNOWN.sha256]);
    });
  });

  it('goes on where the connection was cut, as long as the server has the same file', async () => {
    const cut = cutAfter(BYTES, 100_000, { etag: '"v1"' });
    await served(inTurn(cut, file(BYTES)), async (url, server) => {
      const heard = listen();
      const [one] = (await fetched(entryOf(url, KNOWN), folder.path, {}, heard)).files;
      assert.equal(one?.state, 'resumed');
      assertWhole();
      assert.deepEqual(server.asked[1], {
        path: '/t.csv',
        range: 'bytes=100000-',
        ifRange: '"v1"',
      });
      assert.deepEqual(heard.waits, [1]);
      assert.match(heard.lines[0] ?? '', /^the connection was cut; trying again in 1 s$/);
    });
  });

  it('goes on by the date of change where there is no ETag', async () => {
    const date = 'Mon, 30 Nov 2020 10:00:00 GMT';
    const rest = file(BYTES, date);
    await served(
      inTurn(cutAfter(BYTES, 1000, { 'last-modified': date, etag: 'W/"weak"' }), rest),
      async (url, server) => {
        await fetched(entryOf(url, KNOWN), folder.path);
        assertWhole();
        assert.equal(server.asked[1]?.ifRange, date);
      },
    );
  });

  it('starts anew where the server does not say what file it is', async () => {
    await served(inTurn(cutAfter(BYTES, 1000), file(BYTES)), async (url, server) => {
      const [one] = (await fetched(entryOf(url, KNOWN), folder.path)).files;
      assert.equal(one?.state, 'fetched');
      assertWhole();
      assert.equal(server.asked[1]?.range, undefined);
    });
  });

  it('starts anew where the server ignores ranges', async () => {
    const whole = cutAfter(BYTES, BYTES.length, { etag: '"v1"' });
    await served(inTurn(cutAfter(BYTES, 1000, { etag: '"v1"' }), whole), async (url, server) => {
      await fetched(entryOf(url, KNOWN), folder.path);
      assertWhole();
      assert.equal(server.asked[1]?.range, 'bytes=1000-');
    });
  });

  it('starts anew where the file has changed meanwhile', async () => {
    const other = Buffer.from(BYTES).reverse();
    const first = cutAfter(other, 1000, { etag: '"v0"' });
    await served(inTurn(first, file(BYTES, '"v1"')), async (url) => {
      await fetched(entryOf(url, KNOWN), folder.path);
      assertWhole();
    });
  });

  it('starts anew where a server sends a part of another version all the same', async () => {
    const other = Buffer.from(BYTES).reverse();
    const wrong = file(BYTES, '"v2"');
    await served(
      inTurn(
        cutAfter(other, 1000, { etag: '"v0"' }),
        (request, response, turn) => {
          // Ignores If-Range.
          delete request.headers['if-range'];
          wrong(request, response, turn);
        },
        file(BYTES, '"v2"'),
      ),
      async (url, server) => {
        await fetched(entryOf(url, KNOWN), folder.path);
        assertWhole();
        assert.deepEqual(
          server.asked.map(({ range }) => range),
          [undefined, 'bytes=1000-', undefined],
        );
      },
    );
  });

  it('fetches anew, once, what has the wrong checksum after going on', async () => {
    const other = Buffer.from(BYTES).reverse();
    // The tag stays the same though the file is another.
    await served(inTurn(cutAfter(other, 1000, { etag: '"v1"' }), file(BYTES)), async (url) => {
      const heard = listen();
      await fetched(entryOf(url, KNOWN), folder.path, {}, heard);
      assertWhole();
      assert.match(
        heard.lines.at(-1) ?? '',
        /resumed file has the wrong checksum; fetching it anew/,
      );
    });
  });

  it('gives up in time, keeps what there is, and goes on from there the next time', async () => {
    const cut = (sent: number) => cutAfter(BYTES, sent, { etag: '"v1"' });
    await served(cut(1000), async (url, server) => {
      const heard = listen();
      const entry = entryOf(url, KNOWN);
      const message = await messageOf(fetched(entry, folder.path, { tries: 3 }, heard));
      assert.match(message, /cannot be fetched: the connection was cut; 1000 bytes are kept/);
      assert.equal(server.asked.length, 3);
      assert.deepEqual(heard.waits, [1, 2]);
      assert.deepEqual(readdirSync(folder.file('test')), ['t.csv.part', 't.csv.part.json']);
    });
    // The same address again, another server on it.
    const origin = JSON.parse(readFileSync(`${target()}.part.json`, 'utf8')) as { url: string };
    const url = new URL(origin.url);
    await served(file(BYTES), async (now, server) => {
      writeFileSync(
        `${target()}.part.json`,
        JSON.stringify({ ...origin, url: `${now}${url.pathname}` }),
      );
      const [one] = (await fetched(entryOf(now, KNOWN), folder.path)).files;
      assert.equal(one?.state, 'resumed');
      assert.equal(server.asked[0]?.range, 'bytes=1000-');
      assertWhole();
    });
  });

  it('goes on trying as long as there is progress', async () => {
    const PIECE = 1_300_000;
    const big = content(4 * 2 ** 20);
    const answer = file(big);
    const known = { bytes: big.length, sha256: sha256(big) };
    await served(
      (request, response, turn) => {
        const from = Number(/\d+/.exec(request.headers.range ?? '0')?.[0] ?? 0);
        if (from + PIECE >= big.length) {
          answer(request, response, turn);
          return;
        }
        const range = { 'content-range': `bytes ${from}-${big.length - 1}/${big.length}` };
        response.writeHead(from === 0 ? 200 : 206, {
          etag: '"v1"',
          'content-length': big.length - from,
          ...(from === 0 ? {} : range),
        });
        response.write(big.subarray(from, from + PIECE));
        cutAt(from + PIECE, response);
      },
      async (url) => {
        const heard = listen();
        await fetched(entryOf(url, known), folder.path, { tries: 2 }, heard);
        assert.deepEqual(readFileSync(target()), big);
        assert.ok(heard.waits.length >= 2 && heard.waits.every((seconds) => seconds === 1));
      },
    );
  });

  it('finishes a part that is whole already', async () => {
    await served(file(BYTES), async (url) => {
      mkdirSync(folder.file('test'));
      writeFileSync(`${target()}.part`, BYTES);
      const origin = { url: `${url}/t.csv`, validator: '"v1"' };
      writeFileSync(`${target()}.part.json`, JSON.stringify(origin));
      await fetched(entryOf(url, KNOWN), folder.path);
      assertWhole();
    });
  });

  it('throws away a part of something else', async () => {
    await served(file(BYTES), async (url, server) => {
      mkdirSync(folder.file('test'));
      for (const origin of ['', '{', '{"url":1}', '{"url":"http://x/","validator":"\\"v1\\""}']) {
        writeFileSync(`${target()}.part`, 'left by something else');
        writeFileSync(`${target()}.part.json`, origin);
        writeFileSync(target(), '');
        await messageOf(fetched(entryOf(url, KNOWN), folder.path));
      }
      const fresh = { ...entryOf(url, KNOWN), folder: 'other' };
      mkdirSync(folder.file('other'));
      writeFileSync(folder.file('other/t.csv.part'), 'left by something else');
      await fetched(fresh, folder.path);
      assert.deepEqual(readFileSync(folder.file('other/t.csv')), BYTES);
      assert.equal(server.asked.at(-1)?.range, undefined);
    });
  });

  it('notices the end that a server without sizes does not state', async () => {
    await served(
      inTurn((_request, response) => {
        // Chunked, and cut off.
        response.writeHead(200, { etag: '"v1"' });
        response.write(BYTES.subarray(0, 5000), () => setTimeout(() => response.destroy(), 20));
      }, file(BYTES)),
      async (url) => {
        await fetched(entryOf(url, KNOWN), folder.path);
        assertWhole();
      },
    );
  });

  it('keeps what is there already, and refuses to overwrite something else', async () => {
    await served(file(BYTES), async (url, server) => {
      const entry = entryOf(url, KNOWN);
      await fetched(entry, folder.path);
      const [again] = (await fetched(entry, folder.path)).files;
      assert.equal(again?.state, 'there already');
      assert.equal(server.asked.length, 1);
      writeFileSync(target(), 'mine');
      const message = await messageOf(fetched(entry, folder.path));
      assert.match(message, /t\.csv is there, but is not http.*: expected sha256 .*found sha256/);
      assert.equal(readFileSync(target(), 'utf8'), 'mine');
    });
  });

  it('ends when it is told to, and keeps what there is', async () => {
    const controller = new AbortController();
    await served(
      inTurn((_request, response) => {
        response.writeHead(200, { etag: '"v1"', 'content-length': BYTES.length });
        response.write(BYTES.subarray(0, 2000));
      }, file(BYTES)),
      async (url) => {
        const entry = entryOf(url, KNOWN);
        const progress = {
          file() {},
          line() {},
          bytes: (done: number) => {
            if (done === 2000) controller.abort();
          },
        };
        const { signal } = controller;
        await assert.rejects(fetched(entry, folder.path, { signal, progress }), {
          name: 'AbortError',
        });
        assert.equal(readFileSync(`${target()}.part`).length, 2000);
        const [one] = (await fetched(entry, folder.path)).files;
        assert.equal(one?.state, 'resumed');
        assertWhole();
      },
    );
  });
});

describe('a file that is not what it should be', () => {
  async function refused(answer: Answer, given: Partial<CatalogFile> = KNOWN): Promise<string> {
    return await served(answer, async (url) => {
      const message = await messageOf(fetched(entryOf(url, given), folder.path, { tries: 2 }));
      assert.ok(!existsSync(target()));
      return message;
    });
  }

  it('by its checksum is not kept, and what was expected and found is said', async () => {
    const wrong = Buffer.from(BYTES);
    wrong[5] = (wrong[5] ?? 0) ^ 1;
    const message = await refused(file(wrong));
    assert.match(message, new RegExp(`expected sha256 ${KNOWN.sha256}, found ${sha256(wrong)}`));
    assert.match(message, /fetch it again, or take it from the publisher and check it yourself/);
    assertNothing();
  });

  it('by its size is not kept, and not fetched to its end', async () => {
    const message = await refused(file(content(500_000)));
    assert.match(message, /is another file than expected: expected 300000 bytes, found 500000;/);
    assertNothing();
    assert.match(await refused(file(content(10))), /expected 300000 bytes, found 10;/);
  });

  it('but a web page is called one, even where nothing is known of the file', async () => {
    const page = '<html>Please log in to the network</html>';
    for (const given of [KNOWN, UNKNOWN]) {
      const message = await refused((_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
        response.end(page);
      }, given);
      assert.match(message, /is a web page, not the data: something on the way answers/);
      assertNothing();
    }
  });

  it('but a Git LFS pointer is called one', async () => {
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1055988361\n';
    for (const given of [KNOWN, UNKNOWN]) {
      const message = await refused(file(Buffer.from(pointer)), given);
      assert.match(message, /is a Git LFS pointer, not the data: the quota of the repository/);
      assertNothing();
    }
  });
});

describe('a server that does not answer with the file', () => {
  async function answered(status: number, headers: Record<string, string> = {}) {
    return await served(
      (_request, response) => {
        response.writeHead(status, headers);
        response.end();
      },
      async (url, server) => {
        const heard = listen();
        const message = await messageOf(fetched(entryOf(url), folder.path, { tries: 3 }, heard));
        assertNothing();
        return { message, asked: server.asked.length, waits: heard.waits };
      },
    );
  }

  it('is not asked again where that cannot help', async () => {
    const { message, asked } = await answered(404);
    assert.match(message, /cannot be fetched: 127\.0\.0\.1:\d+ answers 404: it is not there any/);
    assert.equal(asked, 1);
    assert.equal((await answered(403)).asked, 1);
  });

  it('is asked again where it is busy, as late as it wants', async () => {
    assert.deepEqual((await answered(503)).waits, [1, 2]);
    assert.deepEqual((await answered(429, { 'retry-after': '7' })).waits, [7, 7]);
    assert.deepEqual((await answered(500, { 'retry-after': '9999' })).waits, [60, 60]);
    assert.match((await answered(503)).message, /answers 503: the server is busy/);
  });

  it('and then does is no matter', async () => {
    await served(
      inTurn((_request, response) => {
        response.writeHead(503);
        response.end();
      }, file(BYTES)),
      async (url) => {
        await fetched(entryOf(url, KNOWN), folder.path);
        assertWhole();
      },
    );
  });

  it('but names another address is followed there, so many times', async () => {
    const answer = file(BYTES);
    await served(
      (request, response, turn) => {
        if (request.url === '/there') answer(request, response, turn);
        else {
          response.writeHead(302, { location: '/there' });
          response.end();
        }
      },
      async (url) => {
        await fetched(entryOf(url, KNOWN), folder.path);
        assertWhole();
      },
    );
    await served(
      (_request, response) => {
        response.writeHead(302, { location: '/again' });
        response.end();
      },
      async (url) => {
        const other = { ...entryOf(url), folder: 'loop' };
        assert.match(await messageOf(fetched(other, folder.path)), /redirect|answers 302/i);
      },
    );
  });

  it('and has a name that nobody knows is not asked again', async () => {
    const heard = listen();
    const entry = entryOf('http://heshare.invalid');
    const message = await messageOf(fetched(entry, folder.path, { tries: 2 }, heard));
    assert.match(
      message,
      /heshare\.invalid cannot be reached: its name is not known|cannot be looked up/,
    );
    if (/not known/.test(message)) assert.deepEqual(heard.waits, []);
  });

  it('and is not there at all is named, with what to do', async () => {
    const gone = await served(file(BYTES), (url) => Promise.resolve(url));
    const message = await messageOf(fetched(entryOf(gone), folder.path, { tries: 2 }));
    assert.match(message, /cannot be reached: the connection is refused; where a proxy leads/);
  });
});

describe('a mirror', () => {
  it('has the files by their names below its address', async () => {
    await served(file(BYTES), async (url, server) => {
      const entry = entryOf('https://example.invalid/far/away', { ...KNOWN, name: 'a b.csv' });
      await fetched(entry, folder.path, { baseUrl: `${url}/mirror` });
      assert.equal(server.asked[0]?.path, '/mirror/a%20b.csv');
      assert.deepEqual(readFileSync(folder.file('test/a b.csv')), BYTES);
    });
  });

  it('that is no address is refused', async () => {
    for (const baseUrl of ['mirror', 'ftp://x/', 'file:///etc/']) {
      const message = await messageOf(fetched(entryOf('http://x'), folder.path, { baseUrl }));
      assert.match(message, /^--base-url expected an address like https:\/\/host\/folder, found/);
    }
  });
});
