import assert from 'node:assert/strict';
import {
  cellColumn,
  columnIndex,
  readRecords,
  type TableRecord,
} from '../../../traces/csv/table.ts';
import { messageOf, sourceOf } from '../support.ts';

async function records(content: string, size?: number): Promise<TableRecord[]> {
  const read: TableRecord[] = [];
  for await (const record of readRecords(await sourceOf(content, size))) read.push(record);
  return read;
}

describe('CSV records', () => {
  it('carry the line on which they start, past blank lines and quoted line ends', async () => {
    const read = await records('a,b\n\n1,"x\ny"\n\n\n2,z\n');
    assert.deepEqual(
      read.map(({ cells, line }) => [line, ...cells]),
      [
        [1, 'a', 'b'],
        [3, '1', 'x\ny'],
        [7, '2', 'z'],
      ],
    );
  });

  it('are the same for every line end and with a byte order mark', async () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const read = await records(`\uFEFFa,b${end}1,2${end}3,4`, 3);
      assert.deepEqual(
        read.map(({ cells, line, ended }) => [line, ended, ...cells]),
        [
          [1, true, 'a', 'b'],
          [2, true, '1', '2'],
          [3, false, '3', '4'],
        ],
      );
    }
  });

  it('end in an error with the line where quoting breaks', async () => {
    assert.match(
      await messageOf(records('a,b\n1,"x"y\n')),
      /^t\.csv:2 text after the closing quote/,
    );
    assert.match(await messageOf(records('a,b\n1,x"y\n')), /^t\.csv:2 a quote inside a cell/);
    assert.match(await messageOf(records('a,b\n1,"x\n')), /a quote is opened and never closed/);
  });

  it('end in an error when one of them would fill the memory', async () => {
    const long = `a,b\n1,"${'x\n'.repeat(100_000)}`;
    assert.match(await messageOf(records(long, 4096)), /longer than 128000 bytes/);
  });
});

describe('column index', () => {
  const index = (header: string[], required: string[]) =>
    Promise.resolve().then(() => columnIndex('t.csv', header, required));

  it('finds columns in any order and with blanks around their names', async () => {
    const columns = await index([' b', 'a '], ['a', 'b']);
    assert.deepEqual([columns.get('a'), columns.get('b')], [1, 0]);
  });

  it('names the missing column, those there are and the one that was meant', async () => {
    assert.equal(
      await messageOf(index(['timestamp', 'num_gpu'], ['num_gpus'])),
      "t.csv:1:1 column 'num_gpus' is missing; found: 'timestamp', 'num_gpu'; did you mean 'num_gpu'?",
    );
  });

  it('sees another separator', async () => {
    const message = await messageOf(index(['id;submit_s'], ['id']));
    assert.match(message, /cells must be separated by ',', not ';'/);
  });

  it('refuses a name that occurs twice', async () => {
    assert.match(await messageOf(index(['a', 'a'], ['a'])), /column 'a' occurs twice/);
  });
});

describe('cell column', () => {
  it('counts characters from 1', () => {
    assert.equal(cellColumn(['ab', 'c', 'd'], 0), 1);
    assert.equal(cellColumn(['ab', 'c', 'd'], 2), 6);
  });
});
