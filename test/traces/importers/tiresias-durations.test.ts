import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readDurationSample } from '../../../traces/importers/tiresias-durations.ts';
import { messageOf } from '../support.ts';
import { published, publishedSuite } from './published.ts';

describe('readDurationSample', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'durations-'));
  });
  after(() => rm(folder, { recursive: true }));
  const read = async (text: string) => {
    const file = path.join(folder, 'sample.csv');
    await writeFile(file, text);
    return await readDurationSample(file);
  };

  it('reads one column, in file order, with either line end', async () => {
    assert.deepEqual(await read('duration\r\n122\r\n121\r\n53294624'), [122, 121, 53_294_624]);
    assert.deepEqual(await read('duration\n1.5\n'), [1.5]);
  });

  it('refuses what is no sample', async () => {
    assert.match(await messageOf(read('duration\n')), /has no durations$/);
    assert.match(await messageOf(read('runtime\n1\n')), /column 'duration' is missing/);
    assert.match(await messageOf(read('duration\n1\nx\n')), /:3:1 duration: expected a number/);
  });
});

publishedSuite('readDurationSample on published files', () => {
  for (const [name, rows] of [
    ['yarn-gput1000', 1001],
    ['yarn-gput5000', 5000],
    ['yarn-gput10000', 9999],
  ] as const) {
    it(`reads ${name}`, async () => {
      const sample = await readDurationSample(published(`tiresias/${name}.csv`));
      assert.equal(sample.length, rows);
      assert.deepEqual([Math.min(...sample), Math.max(...sample)], [121, 53_294_624]);
    });
  }
});
