import assert from 'node:assert/strict';
import fc from 'fast-check';
import { StringTable } from '../../../traces/columns/string-table.ts';

describe('a table of strings', () => {
  it('knows each string by its rank, and one that is there already', () => {
    const table = new StringTable();
    assert.deepEqual(
      [table.add('a'), table.add(''), table.add('é€𝄞'), table.add('a')],
      [0, 1, 2, -1],
    );
    assert.deepEqual([table.at(0), table.at(1), table.at(2), table.size], ['a', '', 'é€𝄞', 3]);
    assert.deepEqual([table.indexOf(''), table.indexOf('é€𝄞'), table.indexOf('b')], [1, 2, -1]);
    assert.deepEqual(table.bytesOf(2), Buffer.from('é€𝄞'));
  });

  it('works as a list and a map do', () => {
    const strings = fc.array(fc.string({ unit: 'grapheme', maxLength: 4 }), { maxLength: 400 });
    fc.assert(
      fc.property(strings, (all) => {
        const table = new StringTable();
        const ranks = new Map<string, number>();
        for (const text of all) {
          const known = ranks.has(text);
          if (!known) ranks.set(text, ranks.size);
          assert.equal(table.add(text), known ? -1 : ranks.size - 1);
        }
        for (const [text, rank] of ranks) {
          assert.equal(table.indexOf(text), rank);
          assert.equal(table.at(rank), text);
        }
      }),
    );
  });

  it('keeps strings that cross its pages of a mebibyte', () => {
    const table = new StringTable();
    const text = (index: number) => `${index}${'x'.repeat(99_990)}é`;
    for (let index = 0; index < 25; index += 1) table.add(text(index));
    for (let index = 0; index < 25; index += 1) {
      assert.equal(table.at(index), text(index));
      assert.equal(table.bytesOf(index).toString(), text(index));
    }
  });

  it('gives strings back without the memory to find them', () => {
    const table = new StringTable();
    table.add('a');
    table.forgetIndex();
    assert.equal(table.at(0), 'a');
    assert.throws(() => table.add('b'), RangeError);
    const restored = StringTable.over(Buffer.from('abc'), Uint32Array.from([1, 1, 3]));
    assert.deepEqual([restored.at(0), restored.at(1), restored.at(2)], ['a', '', 'bc']);
  });
});
