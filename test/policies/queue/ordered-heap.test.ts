import assert from 'node:assert/strict';
import fc from 'fast-check';
import { OrderedHeap } from '../../../policies/queue/ordered-heap.ts';

describe('policies/queue/ordered-heap', () => {
  it('gives items back by key, then by tie', () => {
    const heap = new OrderedHeap<string>();
    heap.push(2, 1, 'c');
    heap.push(1, 5, 'b');
    heap.push(1, 4, 'a');
    assert.deepEqual([heap.firstKey, heap.firstTie, heap.first], [1, 4, 'a']);
    assert.deepEqual([heap.pop(), heap.pop(), heap.pop(), heap.pop()], ['a', 'b', 'c', null]);
    assert.deepEqual([heap.firstKey, heap.firstTie, heap.size], [Infinity, Infinity, 0]);
  });

  it('is a sort by (key, tie) under any pushes, pops and replacements', () => {
    const entry = fc.tuple(fc.integer({ min: 0, max: 5 }), fc.nat());
    const change = fc.record({ kind: fc.constantFrom('push', 'pop', 'replace'), entry });
    fc.assert(
      fc.property(fc.array(change), (changes) => {
        const heap = new OrderedHeap<readonly [number, number]>();
        const list: (readonly [number, number])[] = [];
        for (const { kind, entry: made } of changes) {
          list.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
          if (kind === 'push') {
            heap.push(...made, made);
            list.push(made);
          } else if (kind === 'pop') {
            assert.deepEqual(heap.pop(), list.shift() ?? null);
          } else if (list.length > 0) {
            heap.replaceFirst(...made, made);
            list[0] = made;
          }
          assert.equal(heap.size, list.length);
        }
      }),
    );
  });
});
