import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DictionaryColumn, NumberColumn } from '../../../traces/columns/value-columns.ts';

const numbers = fc.array(fc.option(fc.double({ noNaN: true })), { maxLength: 50 });

describe('a column of numbers', () => {
  it('keeps them exactly, and nulls', () => {
    fc.assert(
      fc.property(numbers, (values) => {
        const column = new NumberColumn();
        for (const value of values) column.push(value);
        for (const [index, value] of values.entries())
          assert.ok(Object.is(column.at(index), value));
        assert.equal(
          column.isNull,
          values.every((value) => value === null),
        );
      }),
    );
  });

  it('takes another value for one, the first number of all among them', () => {
    const column = new NumberColumn();
    for (let index = 0; index < 3; index += 1) column.push(null);
    column.set(1, 5);
    assert.deepEqual([column.at(0), column.at(1), column.at(2)], [null, 5, null]);
    column.set(1, null);
    assert.equal(column.at(1), null);
  });

  it('grows over pages of 65,536', () => {
    const column = new NumberColumn();
    for (let index = 0; index < 200_000; index += 1) column.push(index);
    for (const index of [0, 65_535, 65_536, 131_072, 199_999])
      assert.equal(column.at(index), index);
  });
});

describe('a column of few values', () => {
  const text = () => new DictionaryColumn<string | null>((value) => value);

  it('keeps any number of different ones', () => {
    // One byte a row is enough for 256, two for 65,536.
    for (const different of [1, 2, 256, 257, 65_536, 65_537]) {
      const column = text();
      for (let index = 0; index < 70_000; index += 1) column.push(`v${index % different}`);
      assert.equal(column.values.length, Math.min(different, 70_000));
      for (const index of [0, 1, 255, 256, 65_535, 65_536, 69_999]) {
        assert.equal(column.at(index), `v${index % different}`, `${different} at ${index}`);
      }
    }
  });

  it('takes another value for one', () => {
    const column = text();
    column.push('a');
    column.push('a');
    column.set(1, null);
    assert.deepEqual([column.at(0), column.at(1)], ['a', null]);
    column.set(1, 'a');
    assert.deepEqual([column.at(0), column.at(1), column.values.length], ['a', 'a', 2]);
  });

  it('takes for the same what its key says', () => {
    const column = new DictionaryColumn<readonly string[]>((names) => names.join('\n'));
    const first = ['a', 'b'];
    column.push(first);
    column.push(['a', 'b']);
    column.push(['a']);
    assert.equal(column.at(1), first);
    assert.deepEqual(column.values, [['a', 'b'], ['a']]);
  });
});
