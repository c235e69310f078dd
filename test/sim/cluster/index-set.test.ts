import assert from 'node:assert/strict';
import fc from 'fast-check';
import { IndexSet } from '../../../sim/cluster/index-set.ts';

// By hand: {3, 31, 32, 1023, 1024}. Words hold 32 members and a summary word 32 words, so 31 | 32 is
// the border of two words and 1023 | 1024 that of two summary words.

function setOf(members: Iterable<number>, capacity: number): IndexSet {
  const set = new IndexSet(capacity);
  for (const member of members) set.add(member);
  return set;
}

describe('sim/cluster/index-set', () => {
  it('walks its members in ascending order over the borders of its words', () => {
    const set = setOf([1024, 3, 32, 1023, 31], 2000);
    assert.deepEqual([...set], [3, 31, 32, 1023, 1024]);
    assert.equal(set.size, 5);
    assert.equal(set.first(), 3);
    assert.equal(set.next(3), 31);
    assert.equal(set.next(31), 32);
    assert.equal(set.next(32), 1023);
    assert.equal(set.next(1023), 1024);
    assert.equal(set.next(1024), -1);
    assert.equal(set.next(10), 31);
  });

  it('counts a member once however often it is added or deleted', () => {
    const set = setOf([7, 7], 8);
    assert.equal(set.size, 1);
    set.delete(7);
    set.delete(7);
    assert.equal(set.size, 0);
    assert.equal(set.has(7), false);
    assert.equal(set.first(), -1);
  });

  it('holds its last possible member and nothing behind it', () => {
    for (const capacity of [1, 31, 32, 33, 1023, 1024, 1025, 32768, 32769, 1_100_000]) {
      const set = setOf([capacity - 1], capacity);
      assert.equal(set.first(), capacity - 1, `capacity ${capacity}`);
      assert.equal(set.next(capacity - 1), -1);
      assert.equal(set.next(capacity + 5000), -1);
    }
  });

  it('lets members leave while it is walked', () => {
    const set = setOf([1, 2, 40, 41], 64);
    const seen: number[] = [];
    for (const member of set) {
      seen.push(member);
      set.delete(member);
    }
    assert.deepEqual(seen, [1, 2, 40, 41]);
    assert.equal(set.size, 0);
  });

  it('agrees with a sorted set of numbers under any additions and deletions', () => {
    const step = fc.tuple(fc.boolean(), fc.nat(2999));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), fc.nat(3100), (steps, probe) => {
        const set = new IndexSet(3000);
        const expected = new Set<number>();
        for (const [adds, member] of steps) {
          if (adds) {
            set.add(member);
            expected.add(member);
          } else {
            // Half of the deletions hit a member.
            const victim = member % 2 === 0 ? ([...expected][member % 7] ?? member) : member;
            set.delete(victim);
            expected.delete(victim);
          }
        }
        const ascending = [...expected].sort((a, b) => a - b);
        assert.equal(set.size, ascending.length);
        assert.deepEqual([...set], ascending);
        assert.equal(set.first(), ascending[0] ?? -1);
        assert.equal(set.next(probe), ascending.find((member) => member > probe) ?? -1);
        if (probe < 3000) assert.equal(set.has(probe), expected.has(probe));
      }),
      { numRuns: 300, seed: 2 },
    );
  });
});
