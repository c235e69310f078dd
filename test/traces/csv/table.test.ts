import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  cellColumn,
  columnIndex,
  readRecords,
  type TableRecord,
  type TableSyntax,
} from '../../../traces/csv/table.ts';
import { messageOf, sourceOf } from '../support.ts';

async function records(
  content: string,
  size?: number,
  syntax?: TableSyntax,
): Promise<TableRecord[]> {
  const read: TableRecord[] = [];
  for await (const record of readRecords(await sourceOf(content, size), syntax)) {
    read.push(record);
  }
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

  it('carry the right line behind CRLF within quotes, and in errors there', async () => {
    const head = 'a,b\r\n1,"x\r\ny\rz\nw"\r\n\r\n';
    for (const size of [1, 5, 64]) {
      const read = await records(`${head}2,z\r\n"q",3`, size);
      assert.deepEqual(
        read.map(({ cells, line, ended }) => [line, ended, ...cells]),
        [
          [1, true, 'a', 'b'],
          [2, true, '1', 'x\r\ny\rz\nw'],
          [7, true, '2', 'z'],
          [8, false, 'q', '3'],
        ],
      );
    }
    assert.match(await messageOf(records(`${head}2,"z"w\r\n`)), /^t\.csv:7 text after the/);
  });

  it('are the lines of a naive reading of text without quotes', async () => {
    const cell = fc.stringMatching(/^[a-z é€𝄞]{0,6}$/u);
    const rows = fc.array(
      fc.record({
        cells: fc.array(cell, { minLength: 2, maxLength: 4 }),
        end: fc.constantFrom('\n', '\r\n', '\n\n', '\r\n\r\n'),
      }),
      { minLength: 1, maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.boolean(),
        fc.integer({ min: 1, max: 9 }),
        async (all, cut, size) => {
          const text = all.map(({ cells, end }) => `${cells.join(',')}${end}`).join('');
          const whole = cut ? text.replace(/[\r\n]+$/, '') : text;
          const expected = whole
            .split(/\r?\n/)
            .map((line, index) => [index + 1, ...line.split(',')])
            .filter((line) => line.length > 2 || line[1] !== '');
          const read = await records(whole, size);
          assert.deepEqual(
            read.map(({ line, cells }) => [line, ...cells]),
            expected,
          );
          assert.deepEqual(
            read.map(({ ended }) => ended),
            read.map((_, index) => !cut || index < read.length - 1),
          );
        },
      ),
      { numRuns: 100 },
    );
  });

  it('may be separated by tabs, without quoting', async () => {
    const read = await records('a\tb "c"\t"d\n\t\t\n', 4, { delimiter: '\t' });
    assert.deepEqual(
      read.map(({ line, cells }) => [line, ...cells]),
      [
        [1, 'a', 'b "c"', '"d'],
        [2, '', '', ''],
      ],
    );
  });

  it('may be separated by runs of blanks and tabs, also around the line', async () => {
    const read = await records('  a \t b\n\n \t \nc d  e \r\n', 3, { delimiter: 'whitespace' });
    assert.deepEqual(
      read.map(({ line, cells }) => [line, ...cells]),
      [
        [1, 'a', 'b'],
        [4, 'c', 'd', 'e'],
      ],
    );
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
