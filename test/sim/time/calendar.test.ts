import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Calendar, EVENT, type EventId, type EventKind } from '../../../sim/time/calendar.ts';

// By hand: scheduled are, in this order,
//   A arrival at 5, B completion at 5, C arrival at 3, D completion at 5, E boundary at 0.
// Order (time, kind, age): E (0), C (3), then at 5 the completions B and D by age, then arrival A.

const KINDS = Object.values(EVENT);

interface Scheduled {
  readonly timeS: number;
  readonly kind: EventKind;
  readonly age: number;
  readonly target: number;
}

function byOrder(a: Scheduled, b: Scheduled): number {
  return a.timeS - b.timeS || a.kind - b.kind || a.age - b.age;
}

function drain(calendar: Calendar): number[] {
  const targets: number[] = [];
  while (calendar.size > 0) {
    calendar.pop();
    targets.push(calendar.poppedTarget);
  }
  return targets;
}

describe('sim/time/calendar', () => {
  it('takes events in the order of time, then kind, then age', () => {
    const calendar = new Calendar();
    calendar.schedule(5, EVENT.arrival, 1);
    calendar.schedule(5, EVENT.completion, 2);
    calendar.schedule(3, EVENT.arrival, 3);
    calendar.schedule(5, EVENT.completion, 4);
    calendar.schedule(0, EVENT.boundary, 5);
    assert.equal(calendar.size, 5);
    assert.equal(calendar.nextS, 0);
    assert.equal(calendar.pop(), EVENT.boundary);
    assert.deepEqual(drain(calendar), [3, 2, 4, 1]);
    assert.equal(calendar.nextS, Infinity);
  });

  it('handles completions before failures, both before arrivals, and boundaries last', () => {
    const calendar = new Calendar();
    for (const kind of [...KINDS].reverse()) calendar.schedule(1, kind, kind);
    assert.deepEqual(drain(calendar), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
    assert.equal(EVENT.completion, 0);
    assert.equal(EVENT.boundary, 14);
  });

  it('forgets a cancelled event and gives its number to a later one', () => {
    const calendar = new Calendar();
    const first = calendar.schedule(1, EVENT.arrival, 1);
    calendar.schedule(2, EVENT.arrival, 2);
    calendar.cancel(first);
    assert.equal(calendar.size, 1);
    assert.equal(calendar.schedule(3, EVENT.arrival, 3), first);
    assert.equal(calendar.timeOf(first), 3);
    assert.deepEqual(drain(calendar), [2, 3]);
  });

  it('refuses to cancel an event that has fired, was cancelled, or never was', () => {
    const calendar = new Calendar();
    const fired = calendar.schedule(1, EVENT.arrival, 1);
    calendar.pop();
    assert.throws(() => {
      calendar.cancel(fired);
    }, /event 0 is not scheduled/);
    const cancelled = calendar.schedule(1, EVENT.arrival, 1);
    calendar.cancel(cancelled);
    assert.throws(() => {
      calendar.cancel(cancelled);
    }, RangeError);
    assert.throws(() => {
      calendar.cancel(1000);
    }, /event 1000 is not scheduled/);
  });

  it('refuses a time that is negative or not a number, and to pop when empty', () => {
    const calendar = new Calendar();
    assert.throws(() => calendar.schedule(NaN, EVENT.arrival, 0), /event time NaN s/);
    assert.throws(() => calendar.schedule(-1, EVENT.arrival, 0), RangeError);
    assert.throws(() => calendar.pop(), /the calendar is empty/);
    assert.equal(calendar.size, 0);
  });

  it('keeps an event at infinity behind all others', () => {
    const calendar = new Calendar();
    calendar.schedule(Infinity, EVENT.completion, 1);
    calendar.schedule(1e300, EVENT.boundary, 2);
    assert.deepEqual(drain(calendar), [2, 1]);
  });

  it('agrees with a sorted array under any mix of scheduling, cancelling and popping', () => {
    const action = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          type: fc.constant('schedule' as const),
          // Few distinct times, so that ties are common.
          timeS: fc.oneof(
            fc.integer({ min: 0, max: 6 }),
            fc.double({ min: 0, max: 6, noNaN: true }),
          ),
          kind: fc.constantFrom(...KINDS),
        }),
      },
      { weight: 2, arbitrary: fc.record({ type: fc.constant('pop' as const) }) },
      {
        weight: 2,
        arbitrary: fc.record({ type: fc.constant('cancel' as const), which: fc.nat() }),
      },
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 400 }), (actions) => {
        const calendar = new Calendar();
        let expected: (Scheduled & { readonly event: EventId })[] = [];
        let age = 0;
        for (const step of actions) {
          if (step.type === 'schedule') {
            const event = calendar.schedule(step.timeS, step.kind, age);
            expected.push({ timeS: step.timeS, kind: step.kind, age, target: age, event });
            expected.sort(byOrder);
            age += 1;
          } else if (expected.length === 0) {
            assert.throws(() => calendar.pop(), RangeError);
          } else if (step.type === 'cancel') {
            const victim = expected[step.which % expected.length];
            assert.ok(victim);
            calendar.cancel(victim.event);
            expected = expected.filter((other) => other !== victim);
          } else {
            const first = expected.shift();
            assert.ok(first);
            assert.equal(calendar.nextS, first.timeS);
            assert.equal(calendar.pop(), first.kind);
            assert.equal(calendar.poppedTarget, first.target);
          }
          assert.equal(calendar.size, expected.length);
          assert.equal(calendar.nextS, expected[0]?.timeS ?? Infinity);
        }
        assert.deepEqual(
          drain(calendar),
          expected.map(({ target }) => target),
        );
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  it('stays in order through the growth of its arrays', () => {
    const calendar = new Calendar();
    const n = 5000;
    // 7919 is prime to n: a permutation of 0 .. n - 1.
    for (let i = 0; i < n; i += 1) calendar.schedule((i * 7919) % n, EVENT.arrival, (i * 7919) % n);
    assert.deepEqual(
      drain(calendar),
      Array.from({ length: n }, (_, i) => i),
    );
  });
});
