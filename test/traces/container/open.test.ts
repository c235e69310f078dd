import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { InputError } from '../../../sim/errors.ts';
import { openByteSource } from '../../../traces/csv/byte-source.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';
import { fixture, messageOf } from '../support.ts';
import { collect, packed, tarOf, textOf, zipOf } from './support.ts';

const folder = temporaryFolder();
const CONTENT = readFileSync(fixture('philly-small.csv'));
const TEXT = CONTENT.toString();

function file(name: string, content: string | Uint8Array): string {
  writeFileSync(folder.file(name), content);
  return folder.file(name);
}

describe('a trace file', () => {
  it('is unpacked by what it is, whatever its name', async () => {
    const one = [{ name: 'a/jobs.csv', content: CONTENT }];
    const tar = await tarOf(one);
    const forms = {
      plain: CONTENT,
      gzip: gzipSync(CONTENT),
      zstd: packed('philly-small.csv.zst'),
      xz: packed('philly-small.csv.xz'),
      tar,
      tarGzip: gzipSync(tar),
      tarZstd: packed('one.tar.zst'),
      zip: zipOf(one),
      gzipTwice: gzipSync(gzipSync(CONTENT)),
      gzipInTar: await tarOf([{ name: 'jobs.csv.gz', content: gzipSync(CONTENT) }]),
      gzipInZip: zipOf([{ name: 'jobs.csv.gz', content: gzipSync(CONTENT) }]),
    };
    for (const [form, bytes] of Object.entries(forms)) {
      assert.equal(await textOf(file('t.csv', bytes)), TEXT, form);
    }
  });

  it('has the fingerprint of the file on disk, as it is there', async () => {
    const tar = await tarOf([
      { name: 'jobs.csv', content: CONTENT },
      { name: '._jobs.csv', content: 'litter of a Mac' },
    ]);
    for (const bytes of [CONTENT, gzipSync(tar), zipOf([{ name: 'j', content: CONTENT }])]) {
      const path = file('t', bytes);
      const source = await openByteSource(path);
      const whole = await source.wholeFingerprint();
      await collect(source.chunks());
      assert.deepEqual(source.fingerprint(), {
        path,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        bytes: bytes.length,
      });
      assert.deepEqual(whole, source.fingerprint());
    }
  });

  it('in an archive of several is named behind ::', async () => {
    const files = [
      { name: 'data/Earth/log.csv', content: 'earth\n' },
      { name: 'data/Venus/log.csv', content: 'venus\n' },
      { name: 'data/', content: '' },
    ];
    const archives = [file('a.tgz', gzipSync(await tarOf(files))), file('a.zip', zipOf(files))];
    for (const archive of archives) {
      assert.equal(await textOf(`${archive}::data/Venus/log.csv`), 'venus\n');
      assert.match(
        await messageOf(textOf(archive)),
        /is an archive of 2 files; name one as .*::data\/Earth\/log\.csv; it has 'data\/Earth\/log\.csv', 'data\/Venus\/log\.csv'$/,
      );
      assert.match(
        await messageOf(textOf(`${archive}::data/Venus/lag.csv`)),
        /has no file 'data\/Venus\/lag\.csv'; it has .*; did you mean 'data\/Venus\/log\.csv'\?$/,
      );
    }
    assert.equal(await textOf(`${file('two', packed('two.tar.xz'))}::other.csv`), 'a,b\n1,2\n');
  });

  it('with :: in its own name is that file', async () => {
    assert.equal(await textOf(file('a::b.csv', 'x\n')), 'x\n');
    assert.match(await messageOf(textOf(`${file('t.csv', 'x\n')}::b`)), /t\.csv is no archive$/);
    assert.match(await messageOf(textOf('none.zip::b')), /^none\.zip::b no such file$/);
  });

  it('that is an archive without files, or of an archive, is refused', async () => {
    const empty = file('e.tar', await tarOf([{ name: 'folder/' }]));
    assert.match(await messageOf(textOf(empty)), /is an archive without files/);
    assert.match(await messageOf(textOf(file('e.zip', zipOf([])))), /is an archive without files/);
    const nested = await tarOf([{ name: 'a.zip', content: zipOf([{ name: 'b' }]) }]);
    assert.match(await messageOf(textOf(file('n.tar', nested))), /'a\.zip' is an archive in an/);
    const zipped = file('z.gz', gzipSync(zipOf([{ name: 'b' }])));
    assert.match(await messageOf(textOf(zipped)), /is a compressed zip archive; uncompress it/);
  });

  it('wrapped over and over is refused', async () => {
    let bytes: Buffer = CONTENT;
    for (let layer = 0; layer < 6; layer += 1) bytes = gzipSync(bytes);
    assert.match(await messageOf(textOf(file('t', bytes))), /is compressed more than 4 times over/);
  });

  it('may grow only so much', async () => {
    const bytes = gzipSync(Buffer.alloc(100_000, 'a'));
    const path = file('t.gz', bytes);
    const zip = file('t.zip', zipOf([{ name: 'a', content: Buffer.alloc(100_000, 'a') }]));
    for (const each of [path, zip]) {
      assert.equal((await textOf(each, { growth: { bytes: 100_000, ratio: 500 } })).length, 1e5);
      const less = textOf(each, { growth: { bytes: 99_999, ratio: 500 } });
      assert.match(await messageOf(less), /unpacks to more than 99999 bytes; unpack it yourself/);
    }
  });

  it('may grow without measure only up to 256 MiB', async () => {
    // 257 MiB of zeros in 257 members of 1 kB each: a thousandfold.
    const member = gzipSync(Buffer.alloc(2 ** 20, 'a'));
    const path = file('bomb.gz', Buffer.concat(new Array<Buffer>(257).fill(member)));
    const source = await openByteSource(path);
    const read = async () => {
      for await (const _chunk of source.chunks());
    };
    assert.match(await messageOf(read()), /bytes unpack to more than \d+, over 500-fold/);
  });
});

describe('a table next to another', () => {
  async function siblingText(of: string, name: string): Promise<string | null> {
    const source = await openByteSource(of);
    const sibling = await source.sibling(name);
    const text = sibling === null ? null : (await collect(sibling.chunks())).toString();
    source.close();
    return text;
  }

  it('is found by its name, without suffixes, in any form', async () => {
    const task = file(
      'pai_task_table.tar.gz',
      gzipSync(await tarOf([{ name: 'pai_task_table.csv', content: 't\n' }])),
    );
    assert.equal(await siblingText(task, 'pai_job_table'), null);
    const job = await tarOf([{ name: 'pai_job_table.csv', content: 'in tar\n' }]);
    file('pai_job_table.tar.gz', gzipSync(job));
    assert.equal(await siblingText(task, 'pai_job_table'), 'in tar\n');
    file('pai_job_table.csv.gz', gzipSync('in gzip\n'));
    assert.equal(await siblingText(task, 'pai_job_table'), 'in gzip\n');
    file('pai_job_table.csv', 'plain\n');
    assert.equal(await siblingText(task, 'pai_job_table'), 'plain\n');
  });

  it('is first looked for in the same archive', async () => {
    file('jobs.csv', 'in the folder\n');
    const files = [
      { name: 'x/tasks.csv', content: 't\n' },
      { name: 'x/jobs.csv', content: 'in the archive\n' },
    ];
    for (const archive of [file('a.tar', await tarOf(files)), file('a.zip', zipOf(files))]) {
      assert.equal(await siblingText(`${archive}::x/tasks.csv`, 'jobs'), 'in the archive\n');
      assert.equal(await siblingText(`${archive}::x/tasks.csv`, 'users'), null);
    }
    const alone = file('one.zip', zipOf([{ name: 'tasks.csv', content: 't\n' }]));
    assert.equal(await siblingText(alone, 'jobs'), 'in the folder\n');
  });

  it('is neither the file itself nor a folder', async () => {
    const jobs = file('jobs.csv', 'a\n');
    mkdirSync(folder.file('users.csv'));
    assert.equal(await siblingText(jobs, 'jobs'), null);
    assert.equal(await siblingText(jobs, 'users'), null);
  });

  it('is listed with the other files that were read, by content', async () => {
    const jobs = file('jobs.csv', 'a\n');
    file('users.csv', 'u\n');
    const source = await openByteSource(jobs);
    // One is read to its end, one is only opened, one is not there.
    await collect((await source.sibling('users'))?.chunks() ?? source.chunks());
    await source.other(file('rates.csv', 'r\n'));
    await source.sibling('machines');
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
    assert.deepEqual(
      await source.companions(),
      [
        {
          name: folder.file('rates.csv'),
          where: 'path',
          file: { path: folder.file('rates.csv'), sha256: sha256('r\n'), bytes: 2 },
        },
        { name: 'machines', where: 'beside', file: null },
        {
          name: 'users',
          where: 'beside',
          file: { path: folder.file('users.csv'), sha256: sha256('u\n'), bytes: 2 },
        },
      ].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    );
  });
});

describe('a damaged archive', () => {
  it('is refused when it is cut off anywhere, saying so', async () => {
    const files = [
      { name: 'jobs.csv', content: CONTENT },
      { name: 'jobs.txt', content: 'x\n' },
    ];
    const zip = zipOf(files);
    const tar = await tarOf(files);
    const lengths = [
      ...Array.from({ length: zip.length - 4 }, (_, at) => [zip, at + 4] as const).filter(
        ([, length]) => length % 3 === 0 || length > zip.length - 30,
      ),
      // Shorter than a header it is not known to be an archive; the last block of zeros may be missing.
      ...Array.from({ length: tar.length - 1024 }, (_, at) => [tar, at + 512] as const).filter(
        ([, length]) => length % 37 === 0 || length % 512 < 2,
      ),
    ];
    assert.ok(lengths.length > 180, String(lengths.length));
    for (const [bytes, length] of lengths) {
      const path = file('t', bytes.subarray(0, length));
      const message = await messageOf(textOf(`${path}::jobs.csv`));
      assert.match(message, /is cut off: the (zip|tar) data end too early/, `${length}`);
    }
  });

  it('gives its content or an input error, whatever is wrong in it', async () => {
    const files = [{ name: 'jobs.csv', content: CONTENT }];
    const tar = await tarOf(files);
    const whole = [
      zipOf(files),
      tar,
      gzipSync(tar),
      packed('one.tar.zst'),
      packed('philly-small.csv.zst'),
    ];
    const damage = fc.record({
      of: fc.constantFrom(...whole),
      hits: fc.array(
        fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), byte: fc.nat(255) }),
        { minLength: 1, maxLength: 5 },
      ),
      cut: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    });
    await fc.assert(
      fc.asyncProperty(damage, async ({ of, hits, cut }) => {
        const bytes = Buffer.from(cut === null ? of : of.subarray(0, cut * of.length));
        for (const { at, byte } of hits) bytes[Math.floor(at * bytes.length)] = byte;
        const text = await textOf(file('t', bytes)).catch((error: unknown) => {
          assert.ok(error instanceof InputError, String(error));
          return null;
        });
        // Tar has no checksum of content, and a header that is wrong enough is no tar.
        if (text !== null && of !== tar) assert.equal(text, TEXT);
      }),
      { numRuns: 300 },
    );
  });

  it('with nothing but the right start is refused', async () => {
    const starts = ['\x1f\x8b', '\x28\xb5\x2f\xfd', '\xfd7zXZ\0', 'PK\x03\x04', 'PK\x05\x06'];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...starts),
        fc.uint8Array({ maxLength: 2000 }),
        async (start, rest) => {
          const bytes = Buffer.concat([Buffer.from(start, 'latin1'), rest]);
          await messageOf(textOf(file('t', bytes)));
        },
      ),
      { numRuns: 100 },
    );
  });
});
