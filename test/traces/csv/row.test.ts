import assert from 'node:assert/strict';
import { quoted, Row, RowError, strictNumber } from '../../../traces/csv/row.ts';

describe('strict number', () => {
  it('takes decimals', () => {
    const cases: [string, number][] = [
      ['12', 12],
      ['-1.5', -1.5],
      ['66.0', 66],
      ['.5', 0.5],
      ['1e3', 1000],
      ['+7', 7],
    ];
    for (const [text, value] of cases) assert.equal(strictNumber(text), value);
  });

  it('takes nothing else', () => {
    const texts = ['', ' ', '12abc', '1 ', ' 1', 'NaN', 'Infinity', '0x10', '0b1', '1_000', '1,5'];
    for (const text of [...texts, '1e999', '--1', '.', 'e5', '１']) {
      assert.equal(strictNumber(text), null, text);
    }
  });
});

describe('row', () => {
  const columns = new Map([
    ['n', 0],
    ['t', 1],
  ]);
  const row = (...cells: string[]) => new Row(columns, cells, 1);
  const bounds = { min: 0, max: 10 };
  const fault = (column: string, message: RegExp) => (error: unknown) =>
    error instanceof RowError && error.column === column && message.test(error.message);

  it('reads numbers within bounds and says what it found otherwise', () => {
    assert.equal(row('3.5', '').decimal('n', bounds), 3.5);
    assert.throws(() => row('x', '').decimal('n', bounds), fault('n', /a number, found 'x'/));
    assert.throws(() => row('11', '').decimal('n', bounds), fault('n', /0 to 10, found '11'/));
  });

  it('reads whole numbers, 1.0 among them', () => {
    assert.equal(row('1.0', '').integer('n', bounds), 1);
    assert.throws(() => row('1.5', '').integer('n', bounds), fault('n', /whole number/));
  });

  it('takes every usual spelling of no value for null, and an absent column', () => {
    for (const text of ['', 'NaN', 'nan', 'None', 'NULL', 'null', 'NA']) {
      assert.equal(row(text, text).decimalOrNull('n', bounds), null);
      assert.equal(row(text, text).textOrNull('t'), null);
    }
    assert.equal(row('1', 'x').textOrNull('absent'), null);
    assert.throws(() => row('1', '').text('t'), fault('t', /expected a value/));
  });

  it('quotes long and strange cells briefly', () => {
    assert.equal(quoted('a\nb'), "'a\\nb'");
    assert.equal(quoted('x'.repeat(60)), `'${'x'.repeat(40)}...'`);
  });
});
