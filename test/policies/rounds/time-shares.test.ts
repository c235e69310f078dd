import assert from 'node:assert/strict';
import { TimeShares } from '../../../policies/rounds/index.ts';

interface Named {
  readonly name: string;
  readonly gang: number;
}
const a: Named = { name: 'a', gang: 1 };
const b: Named = { name: 'b', gang: 1 };
const names = (books: TimeShares<Named>) => books.order(0).map(({ name }) => name);

/** Two jobs on one type, three quarters and a quarter of the time, in rounds of 360 s. */
function books(): TimeShares<Named> {
  const made = new TimeShares<Named>(1, 360);
  made.add(a);
  made.add(b);
  made.reset(0);
  made.setShares((job) => (job === a ? [0.75] : [0.25]));
  return made;
}

describe('the books of the rounds', () => {
  it('put first who is furthest behind its share', () => {
    // Each starts with half a round, 180 s of 360 s: priorities 0.75 / 0.5 and 0.25 / 0.5.
    const made = books();
    assert.deepEqual(names(made), ['a', 'b']);
    assert.deepEqual([made.priority(a, 0), made.priority(b, 0)], [1.5, 0.5]);
    // a has had 540 s of 720 s and b 180 s: both are where they should be, and the share decides.
    made.receive(a, 0, 360);
    assert.deepEqual(names(made), ['a', 'b']);
    assert.deepEqual([made.priority(a, 0), made.priority(b, 0)], [1, 1]);
    // a has had 900 s of 1080 s.
    made.receive(a, 0, 360);
    assert.deepEqual(names(made), ['b', 'a']);
    assert.equal(made.priority(a, 0).toFixed(12), '0.900000000000');
    assert.equal(made.priority(b, 0), 1.5);
  });

  it('carry what is owed over a reset, where it decides between equals', () => {
    const made = books();
    made.receive(a, 0, 720);
    made.receive(b, 0, 360);
    // Of 1080 s a was due 810 s and had 720 s; b was due 270 s and had 360 s.
    made.reset(1080);
    made.setShares(() => [0.5]);
    assert.deepEqual(names(made), ['a', 'b']);
    // In the next 1080 s a has all of it: due 540 s, had 1080 s, so it owes 540 - 90 s.
    made.receive(a, 0, 1080);
    made.reset(1080);
    made.setShares(() => [0.5]);
    assert.deepEqual(names(made), ['b', 'a']);
  });

  it('give who has never run its share times a large number, and who has no share nothing', () => {
    const made = books();
    const pair: Named = { name: 'pair', gang: 1 };
    const late: Named = { name: 'late', gang: 1 };
    made.add(pair, 0);
    made.setShares((job) => (job === a ? [0] : [0.1]));
    made.add(late);
    assert.deepEqual(names(made), ['pair', 'b', 'a', 'late']);
    assert.deepEqual([made.priority(pair, 0), made.priority(a, 0)], [0.1 * 1e9, 0]);
    assert.deepEqual([made.hasShare(a), made.hasShare(late)], [true, false]);
  });

  it('forget who is gone', () => {
    const made = books();
    made.remove(a);
    made.receive(a, 0, 100);
    assert.deepEqual([names(made), made.size, made.has(a)], [['b'], 1, false]);
    assert.equal(made.priority(a, 0), 0);
  });
});
