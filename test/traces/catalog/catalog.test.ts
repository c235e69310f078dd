import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { CATALOG } from '../../../traces/catalog/index.ts';
import { fileFingerprint } from '../../../traces/csv/byte-source.ts';
import { FORMATS } from '../../../traces/formats.ts';
import { DATA_FOLDER } from '../support.ts';

const FILES = CATALOG.flatMap(({ files }) => files);

describe('the catalog', () => {
  it('has names that can be typed, once each, in order', () => {
    const names = CATALOG.map(({ name }) => name);
    assert.deepEqual(names, [...new Set(names)].toSorted());
    for (const name of names) assert.match(name, /^[a-z][a-z0-9-]*$/);
  });

  it('has every public trace, and formats that can read them', () => {
    const formats = new Set(CATALOG.map(({ format }) => format));
    for (const format of formats) assert.ok(FORMATS.has(format), format);
    // These have no source of their own: HeShare's, and one that PAI's simulator derives.
    const elsewhere = ['canonical-csv', 'pai-sim'];
    assert.deepEqual(
      [...FORMATS.keys()].filter((name) => !formats.has(name)).toSorted(),
      elsewhere,
    );
  });

  it('says of each trace what it is, its licence, whom to cite and where it is from', () => {
    for (const { name, title, licence, cite, source, files, main } of CATALOG) {
      for (const text of [title, licence, cite, main]) assert.ok(text.length > 2, name);
      assert.match(source, /^(https|s3):\/\//);
      assert.ok(files.length > 0);
    }
    const limited = CATALOG.filter(({ nonCommercial }) => nonCommercial);
    assert.deepEqual(
      limited.map(({ name }) => name),
      ['lucid'],
    );
    assert.match(limited[0]?.licence ?? '', /NON-COMMERCIAL/);
  });

  it('has files with addresses, sizes and checksums that can be such, and safe names', () => {
    for (const { name, url, bytes, sha256, unpack } of FILES) {
      assert.match(url, /^https:\/\/[^ ]+$/);
      assert.match(name, /^[A-Za-z0-9][A-Za-z0-9_.-]*$/);
      assert.ok(bytes === null || (Number.isSafeInteger(bytes) && bytes > 0), name);
      for (const hash of [sha256, ...Object.values(unpack?.sha256 ?? {})]) {
        assert.match(hash ?? '0'.repeat(64), /^[0-9a-f]{64}$/);
      }
    }
    for (const { folder, files } of CATALOG) {
      assert.match(folder, /^[a-z][a-z0-9-]*$/);
      assert.equal(new Set(files.map(({ name }) => name)).size, files.length);
    }
  });

  it('has the checksums and sizes of the files that were downloaded', async function () {
    if (DATA_FOLDER === null) this.skip();
    const known = new Map(
      FILES.flatMap(({ sha256, bytes }) => (sha256 === null ? [] : [[sha256, bytes]])),
    );
    const traces = path.join(DATA_FOLDER, 'traces');
    const found = new Map<string, number>();
    for (const name of readdirSync(traces, { recursive: true, encoding: 'utf8' })) {
      if (!/\.(csv|trace|gz)$/.test(name)) continue;
      const { sha256, bytes } = await fileFingerprint(path.join(traces, name));
      if (known.has(sha256)) found.set(sha256, bytes);
    }
    assert.ok(found.size >= 20, `${found.size} found`);
    for (const [sha256, bytes] of found) assert.equal(known.get(sha256), bytes);
  });
});
