import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { recordedRows } from '../../../harness/peers/recorded-rows.ts';
import { readTable, refuseRepeatedIds } from '../../../harness/peers/table-file.ts';
import { RowError } from '../../../traces/csv/row.ts';
import { temporaryFolder } from '../temporary-folder.ts';

describe('harness/peers/table-file', () => {
  const folder = temporaryFolder();
  const read = (text: string) => {
    writeFileSync(folder.file('t.csv'), text);
    return readTable(folder.file('t.csv'), ['id', 'n'], (row, cells) => {
      if (row.text('id') === 'bad') throw new RowError(null, 'is bad as a whole');
      return { id: row.text('id'), n: row.integer('n', { min: 0, max: 9 }), cells: cells.length };
    });
  };

  it('reads rows in order, with their lines', async () => {
    assert.deepEqual(await read('x,n,id\n,1,a\n\n,2,b\n'), [
      { item: { id: 'a', n: 1, cells: 3 }, line: 2 },
      { item: { id: 'b', n: 2, cells: 3 }, line: 4 },
    ]);
  });

  it('refuses the first bad row, and a file without any', async () => {
    await assert.rejects(read('id,n\na,1\nb,x\n'), /t\.csv:3:3 n: expected a number, found 'x'/);
    await assert.rejects(read('id,n\na,1\nb\n'), /t\.csv:3 expected 2 cells, found 1/);
    await assert.rejects(read('id,n\nbad,1\n'), /t\.csv:2 is bad as a whole/);
    await assert.rejects(read('id,m\na,1\n'), /column 'n' is missing/);
    await assert.rejects(read('id,n\n'), /has no rows/);
    await assert.rejects(
      readTable('nowhere.csv', [], () => 0),
      /nowhere\.csv no such file/,
    );
    await assert.rejects(
      readTable(folder.file('t.csv'), ['id'], () => {
        throw new TypeError('a fault');
      }),
      /has no rows|a fault/,
    );
  });

  it('tells where an id stood before', async () => {
    const rows = await read('id,n\na,1\nb,2\na,3\n');
    assert.throws(() => {
      refuseRepeatedIds('t.csv', rows);
    }, /t\.csv:4 job 'a' stands on line 2 already/);
  });

  it('reads recorded outputs: numbers, words and nothing', async () => {
    writeFileSync(folder.file('o.csv'), 'a,b,c\n1.5,"x, y",\n');
    assert.deepEqual(await recordedRows(folder.path, 'o.csv'), {
      columns: ['a', 'b', 'c'],
      rows: [{ a: 1.5, b: 'x, y', c: null }],
    });
  });
});
