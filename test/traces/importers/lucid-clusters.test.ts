import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readLucidClusters } from '../../../traces/importers/lucid-clusters.ts';
import { messageOf } from '../support.ts';
import { published, publishedSuite } from './published.ts';

describe('readLucidClusters', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'lucid-'));
  });
  after(() => rm(folder, { recursive: true }));
  const read = async (text: string) => {
    const file = path.join(folder, 'vc_config.csv');
    await writeFile(file, text);
    return await readLucidClusters(file);
  };

  it('reads nodes by virtual cluster', async () => {
    assert.deepEqual(
      [...(await read(',num\nvcA,9\nvcB,5\n'))],
      [
        ['vcA', 9],
        ['vcB', 5],
      ],
    );
  });

  it('refuses rows that say something else', async () => {
    assert.match(await messageOf(read(',num\nvcA,9\nvcA,5\n')), /:3 lists vcA for the second time/);
    assert.match(await messageOf(read(',num\nvcA,-1\n')), /num: expected 0 to/);
    assert.match(await messageOf(read(',num\n,3\n')), /expected a value, found none/);
    assert.match(await messageOf(read(',num\n')), /lists no virtual clusters/);
  });
});

publishedSuite('readLucidClusters on the published file', () => {
  it('finds 15 virtual clusters', async () => {
    const nodes = await readLucidClusters(published('lucid/Venus_vc_config.csv'));
    assert.equal(nodes.size, 15);
    assert.deepEqual([nodes.get('vcEwI'), nodes.get('vcgkz')], [9, 1]);
  });
});
