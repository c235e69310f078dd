import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type HeliosDay,
  heliosDay,
  heliosNodes,
  readHeliosDays,
} from '../../../traces/importers/helios-clusters.ts';
import { importText, messageOf } from '../support.ts';
import { expectedOf, published, publishedSuite } from './published.ts';

const TEXT = 'date,vc1,vc2,total\n2020-04-01,72,0,72\n2020-04-02,64,20,84\n';

describe('helios gpus by day', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'helios-clusters-'));
  });
  after(async () => {
    await rm(folder, { recursive: true });
  });
  const read = async (text: string): Promise<readonly HeliosDay[]> => {
    const at = path.join(folder, 'days.csv');
    await writeFile(at, text);
    return await readHeliosDays(at);
  };

  it('gives the GPUs of each virtual cluster on a day', async () => {
    const days = await read(TEXT);
    const day = heliosDay('days.csv', days, '2020-04-02');
    assert.equal(day.gpus, 84);
    assert.deepEqual(
      [...day.gpusOf],
      [
        ['vc1', 64],
        ['vc2', 20],
      ],
    );
    assert.throws(
      () => heliosDay('days.csv', days, '2021-04-02'),
      /has no day '2021-04-02'; it has 2020-04-01 to 2020-04-02/,
    );
  });

  it('makes nodes of 8 GPUs', () => {
    assert.deepEqual(heliosNodes(84, 'V100'), [
      { gpuType: 'V100', gpusPerNode: 8, nodes: 10 },
      { gpuType: 'V100', gpusPerNode: 4, nodes: 1 },
    ]);
    assert.deepEqual(heliosNodes(64, 'V100'), [{ gpuType: 'V100', gpusPerNode: 8, nodes: 8 }]);
    assert.deepEqual(heliosNodes(0, 'V100'), []);
  });

  it('refuses bad rows, days out of order and wrong totals', async () => {
    const rows: readonly (readonly [string, RegExp])[] = [
      ['2020-04-03,1,1,3\n', /:4:\d+ total: expected the sum of the columns, 2, found '3'/],
      ['2020-04-02,1,1,2\n', /date: expected a day after 2020-04-02, found '2020-04-02'/],
      ['2020-04-31,1,1,2\n', /date: expected YYYY-MM-DD, found '2020-04-31'/],
      ['2020-04-03,1,-1,0\n', /vc2: expected 0 to 1000000, found '-1'/],
      ['2020-04-03,1,1\n', /expected 4 cells, found 3/],
    ];
    for (const [row, message] of rows) assert.match(await messageOf(read(TEXT + row)), message);
    assert.match(await messageOf(read('date,vc1,total\n')), /lists no days/);
    assert.match(await messageOf(read('date,vc1\n')), /column 'total' is missing/);
  });

  it('are refused as a trace by what they are', async () => {
    const message = await messageOf(importText(TEXT));
    assert.match(message, /is no trace of jobs but the GPUs of each virtual cluster by day/);
  });
});

publishedSuite('the published GPUs of Helios by day', () => {
  for (const cluster of ['Venus', 'Earth']) {
    it(`of ${cluster} have the known figures`, async () => {
      const name = `helios/${cluster}_cluster_gpu_number.csv`;
      const known = expectedOf(name);
      // Reading refuses a row whose sum is not its total.
      const days = await readHeliosDays(published(name));
      assert.equal(known.row_sum_equals_total, true);
      assert.equal(days.length, known.rows);
      assert.deepEqual([days.at(0)?.date, days.at(-1)?.date], [known.first, known.last]);
      const { gpus } = heliosDay(name, days, '2020-09-01');
      assert.equal(gpus, known.total_2020_09_01);
      assert.deepEqual(heliosNodes(gpus, 'V100'), [
        { gpuType: 'V100', gpusPerNode: 8, nodes: known.total_2020_09_01 / 8 },
      ]);
    });
  }
});
