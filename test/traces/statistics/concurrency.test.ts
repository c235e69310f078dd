import assert from 'node:assert/strict';
import fc from 'fast-check';
import { concurrencyOf, type RecordedDemand } from '../../../traces/statistics/concurrency.ts';
import { job } from '../support.ts';

/** The same by asking at every start how much is in use: the slow way. */
function peakBySearch(jobs: readonly RecordedDemand[]): number {
  const startOf = (each: RecordedDemand) => each.submitS + (each.queuedS ?? 0);
  const inUse = (atS: number) =>
    jobs
      .filter((each) => startOf(each) <= atS && atS < startOf(each) + each.durationS)
      .reduce((sum, each) => sum + each.gpuCount * each.share, 0);
  return Math.max(...jobs.map((each) => inUse(startOf(each))));
}

describe('GPUs asked for at once', () => {
  it('start after the recorded wait, and parts of a GPU count as such', () => {
    // 2 GPUs from 10 to 30, half a GPU from 20 to 60, 1 GPU from 30 to 40: 2, 2.5, then 1.5.
    const concurrency = concurrencyOf([
      job({ submitS: 0, queuedS: 10, durationS: 20, gpuCount: 2 }),
      job({ submitS: 20, queuedS: 0, durationS: 40, share: 0.5 }),
      job({ submitS: 25, queuedS: 5, durationS: 10 }),
    ]);
    assert.deepEqual(concurrency, {
      peakGpus: 2.5,
      peakAtS: 20,
      // 40 + 20 + 10 GPU-seconds over 50 s.
      meanGpus: 1.4,
      fromS: 10,
      toS: 60,
      startsRecorded: 3,
    });
  });

  it('end before others start at the same instant', () => {
    const concurrency = concurrencyOf([
      job({ submitS: 0, durationS: 10 }),
      job({ submitS: 10, durationS: 10 }),
    ]);
    assert.equal(concurrency?.peakGpus, 1);
    assert.equal(concurrency.meanGpus, 1);
    assert.equal(concurrency.startsRecorded, 0);
  });

  it('leave no digits behind: 0.1 and 0.2 of a GPU are 0.3', () => {
    const parts = [0.1, 0.2].map((share) => job({ share, durationS: 10 }));
    assert.equal(concurrencyOf(parts)?.peakGpus, 0.3);
  });

  it('are none for no jobs, and have no mean for jobs that run for no time', () => {
    assert.equal(concurrencyOf([]), null);
    assert.equal(concurrencyOf([job({ durationS: 0 })])?.meanGpus, 0);
  });

  it('are found as by a search at every start', () => {
    const jobs = fc.array(
      fc.record({
        submitS: fc.integer({ min: 0, max: 40 }),
        durationS: fc.integer({ min: 1, max: 20 }),
        gpuCount: fc.integer({ min: 1, max: 8 }),
        queuedS: fc.option(fc.integer({ min: 0, max: 30 })),
      }),
      { minLength: 1, maxLength: 30 },
    );
    fc.assert(
      fc.property(jobs, (parts) => {
        const sorted = parts.toSorted((a, b) => a.submitS - b.submitS).map((part) => job(part));
        assert.equal(concurrencyOf(sorted)?.peakGpus, peakBySearch(sorted));
      }),
    );
  });
});
