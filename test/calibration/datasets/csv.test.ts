import assert from 'node:assert/strict';
import { headerOf, MissingValue, parseCsv, readCsv } from '../../../calibration/datasets/csv.ts';
import {
  COUNT,
  GAUGE_PERCENT,
  isNoValue,
  parseQuantity,
  positive,
  SHARE,
} from '../../../calibration/datasets/quantity.ts';
import { Files, refuses } from './support.ts';

describe('a CSV file of measurements', () => {
  const files = new Files();
  after(() => {
    files.remove();
  });

  it('is read with any line ends, a byte order mark, blank lines and blanks in cells', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const table = parseCsv(`\uFEFFa, b${end}${end}1 , x y${end}2,"z, w"`, 'f');
      assert.deepEqual(table.header, ['a', 'b']);
      assert.deepEqual(
        table.rows.map((row) => [row.line, row.number('a', COUNT), row.text('b')]),
        [
          [3, 1, 'x y'],
          [4, 2, 'z, w'],
        ],
      );
    }
  });

  it('gives the place of a cell that is not what its column holds', () => {
    const [row] = parseCsv('name,power\nab,157 W\n', 'f.csv').rows;
    refuses(
      () => row?.number('power', positive('W')),
      /^f\.csv:2:4 power: expected a number of W \(no unit in the cell\), found '157 W'$/,
    );
  });

  it('tells a value that is not there from one that is wrong', () => {
    const [row] = parseCsv('a,b,c,d\nNaN,,x,-\n', 'f').rows;
    for (const column of ['a', 'b', 'd']) {
      assert.throws(() => row?.number(column, positive('s')), MissingValue);
      assert.equal(row?.numberOrNull(column, positive('s')), null);
    }
    assert.throws(() => row?.text('b'), MissingValue);
    assert.equal(row?.numberOrNull('absent', positive('s')), null);
    refuses(
      () => row.numberOrNull('c', positive('s')),
      /^f:2:6 c: expected a number of s, found 'x'/,
    );
  });

  it('is refused when it is empty, has no rows, repeats a column, or a row is of another length', () => {
    refuses(() => parseCsv('', 'f'), /^f:1:1 expected a header, found nothing/);
    refuses(() => parseCsv('a,b\n', 'f'), /^f:2:1 expected rows after the header, found none/);
    refuses(() => parseCsv('a,b,a\n1,2,3\n', 'f'), /^f:1 column 'a' occurs twice/);
    refuses(
      () => parseCsv('a,b\n1,2\n3\n', 'f'),
      /^f:3 expected 2 cells as in the header, found 1/,
    );
    refuses(() => parseCsv('a,b\n1,2,3\n', 'f'), /^f:2 expected 2 cells as in the header, found 3/);
    refuses(() => parseCsv('a,b\n1,"2\n', 'f'), /^f:\d/);
  });

  it('may have empty cells after the last column', () => {
    assert.equal(parseCsv('a,b\n1,2,\n', 'f').rows.length, 1);
  });

  it('is refused without a needed column, with the one that was perhaps meant', () => {
    const file = files.write('short.csv', 'powr,time\n1,2\n');
    refuses(
      () => readCsv(file, ['time', 'power']),
      /short\.csv:1:1 expected a column 'power', found: 'powr', 'time'; did you mean 'powr'\?/,
    );
    const wide = Array.from({ length: 20 }, (_, i) => `c${i}`).join(',');
    refuses(() => readCsv(files.write('wide.csv', `${wide}\n${wide}\n`), ['power']), /and 4 more/);
  });

  it('is refused when it is missing, a folder or binary', () => {
    refuses(() => readCsv(`${files.path}/none.csv`, []), /none\.csv no such file/);
    refuses(() => readCsv(files.path, []), /expected a file, found a folder/);
    const binary = files.write('b.csv', new Uint8Array([0, 159, 146, 150]));
    refuses(() => readCsv(binary, []), /expected UTF-8 text, found a binary file/);
  });

  it('shows its column names before it is parsed', () => {
    assert.deepEqual(headerOf('\uFEFF\n"a", b\r\n1,2'), ['a', 'b']);
    assert.deepEqual(headerOf(''), ['']);
  });
});

describe('a number in a cell', () => {
  it('is decimal and within bounds', () => {
    assert.equal(parseQuantity('1.5e2', positive('W')), 150);
    assert.equal(parseQuantity('.5', SHARE), 0.5);
    assert.equal(parseQuantity('3.0', COUNT), 3);
    const wrong: [string, typeof SHARE, RegExp][] = [
      ['-3', positive('s'), /^expected above 0 s, found '-3'$/],
      ['0', positive('s'), /^expected above 0 s/],
      ['1.01', SHARE, /^expected above 0 and at most 1, found '1\.01'$/],
      ['120', GAUGE_PERCENT, /^expected at least 0 and at most 105 %/],
      ['1e300', positive('W'), /^expected at most 1000000000000 W/],
      ['1e999', positive('W'), /^expected at most/],
      ['2.5', COUNT, /^expected a whole number, found '2\.5'$/],
      ['0x10', COUNT, /^expected a number, found '0x10'$/],
      ['1,5', COUNT, /^expected a number, found/],
      ['12 %', SHARE, /no unit in the cell/],
      ['inf', positive('s'), /^expected a number of s, found 'inf'$/],
    ];
    for (const [text, quantity, message] of wrong) {
      assert.match(String(parseQuantity(text, quantity)), message);
    }
  });

  it('may be spelled as absent in the ways of public sets', () => {
    for (const text of ['', 'NaN', 'nan', 'N/A', '[N/A]', 'None', 'null', '-']) {
      assert.ok(isNoValue(text), text);
    }
    assert.ok(!isNoValue('0'));
  });

  it('is cut in a message when long, with control characters spelled out', () => {
    const message = String(parseQuantity(`\u0007${'x'.repeat(90)}`, positive('W')));
    assert.ok(message.length < 100 && message.includes('\\u0007xx') && message.includes('...'));
  });
});
