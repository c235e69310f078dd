import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ExpectedEnds } from '../../../policies/queue/expected-ends.ts';
import { type FakeJob, fakeJob } from '../fake-jobs.ts';

describe('policies/queue/expected-ends', () => {
  it('keeps running jobs in the order of their ends', () => {
    const step = fc.record({
      job: fc.integer({ min: 0, max: 12 }),
      endS: fc.integer({ min: 0, max: 6 }),
    });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const ends = new ExpectedEnds();
        const jobs = Array.from({ length: 13 }, (_, i) => fakeJob(i));
        const known = new Map<number, number>();
        for (const { job, endS } of steps) {
          const view = jobs[job] as FakeJob;
          if (known.delete(job)) {
            ends.remove(view);
            ends.remove(view);
          } else {
            known.set(job, endS);
            ends.add(view, endS);
          }
          const ours = Array.from({ length: ends.size }, (_, i) => ends.endS(i));
          assert.deepEqual(
            ours,
            [...known.values()].sort((a, b) => a - b),
          );
          for (let i = 0; i < ends.size; i += 1) {
            assert.equal(known.get(ends.job(i).index), ends.endS(i));
          }
        }
      }),
    );
  });
});
