import assert from 'node:assert/strict';
import fc from 'fast-check';
import { FirstWithin } from '../../../policies/queue/first-within.ts';
import { type FakeJob, fakeJob } from '../fake-jobs.ts';

describe('policies/queue/first-within', () => {
  it('finds the first job in order of submission that is short enough', () => {
    const jobs = new FirstWithin();
    [50, 20, 90, 10].forEach((value, i) => {
      jobs.add(fakeJob(i), value);
    });
    assert.deepEqual(
      [Infinity, 60, 30, 15, 5].map((limit) => jobs.first(limit)?.index ?? null),
      [0, 0, 1, 3, null],
    );
  });

  it('goes by another rank where one is given, and hides and shows jobs in their places', () => {
    const jobs = new FirstWithin();
    const [a, b, c] = [2, 0, 1].map((index) => fakeJob(index)) as [FakeJob, FakeJob, FakeJob];
    [a, b, c].forEach((one, rank) => {
      jobs.add(one, 10, rank);
    });
    assert.equal(jobs.first(10), a);
    jobs.change(a, Infinity);
    assert.deepEqual([jobs.first(10), jobs.first(Infinity), jobs.size], [b, b, 3]);
    jobs.change(a, 5);
    assert.deepEqual([jobs.first(5), jobs.first(10)], [a, a]);
    assert.deepEqual([jobs.rankOf(c), jobs.rankOf(fakeJob(9))], [2, Infinity]);
    assert.deepEqual([jobs.has(4), jobs.has(5)], [false, true]);
    jobs.change(fakeJob(9), 0);
    assert.equal(jobs.first(0), null);
  });

  it('agrees with a scan while jobs come, go and come back to their old places', () => {
    const step = fc.record({
      job: fc.integer({ min: 0, max: 30 }),
      value: fc.integer({ min: 0, max: 20 }),
      limit: fc.constantFrom(0, 3, 10, 20, Infinity),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const jobs = new FirstWithin();
        const known: FakeJob[] = Array.from({ length: 31 }, (_, i) => fakeJob(i));
        const scanned = new Map<number, number>();
        for (const { job, value, limit } of steps) {
          if (scanned.has(job)) {
            scanned.delete(job);
            jobs.remove(known[job] as FakeJob);
          } else {
            scanned.set(job, value);
            jobs.add(known[job] as FakeJob, value);
          }
          const expected = known.find(({ index }) => (scanned.get(index) ?? Infinity) <= limit);
          const inside = expected !== undefined && scanned.has(expected.index) ? expected : null;
          const first =
            limit < Infinity ? inside : (known.find((k) => scanned.has(k.index)) ?? null);
          assert.equal(jobs.first(limit), first);
          assert.equal(jobs.size, scanned.size);
        }
      }),
    );
  });
});
