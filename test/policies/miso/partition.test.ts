import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import {
  A100_PARTITIONS,
  bestPartition,
  largestSliceLeft,
  type SliceTimes,
} from '../../../policies/miso/partition.ts';

interface Recorded {
  /** By job and slice, as `3g.20gb`. */
  readonly perf: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly cases: readonly {
    readonly existing: readonly number[];
    readonly new: number;
    readonly partition: readonly number[];
    readonly assignment: readonly number[];
    readonly code: number;
    readonly mean_slowdown: number;
  }[];
  readonly partition_code: Readonly<Record<string, readonly number[]>>;
}

/** Recorded from boringlee24/socc22-miso @39b1ee6 (MIT), mps/scheduler/simulator/utils.py. */
const recorded = JSON.parse(
  readFileSync(new URL('../../peers/fixtures/miso-partitions.json', import.meta.url), 'utf8'),
) as Recorded;

function timesOf(job: number): SliceTimes {
  const entries = Object.entries(recorded.perf[String(job)] ?? {});
  return Object.fromEntries(entries.map(([slice, time]) => [slice.slice(0, 1), time]));
}

describe('the partition search of MISO', () => {
  it('gives the larger slice to the job that loses more, by hand', () => {
    // Two jobs: only (3, 3) has two slices; slowdowns 1.2 and 2.0.
    const found = bestPartition([
      { 7: 10, 3: 12 },
      { 7: 10, 3: 20 },
    ]);
    assert.deepEqual(found, { code: 3, partition: [3, 3], assignment: [0, 1], meanSlowdown: 1.6 });
  });

  it('knows that the mean slowdown and the throughput do not have the same optimum', () => {
    // Slices 2, 1, 4 or 2, 1, 3. Mean slowdown prefers to spare the last job its fall to a tenth;
    // throughput gives it up.
    const jobs: SliceTimes[] = [
      { 7: 1, 4: 1.01, 3: 1.3, 2: 2, 1: 2.5 },
      { 7: 1, 4: 1.01, 3: 1.3, 2: 2, 1: 2.5 },
      { 7: 1, 4: 1.9, 3: 2.6, 2: 3, 1: 10 },
    ];
    const spared = bestPartition(jobs)?.assignment;
    const fast = bestPartition(jobs, 'throughput');
    // Slowdown: 2.5 + 2 + 1.9 = 6.4 or 2.5 + 3 + 1.01 = 6.51; speeds 1/1.01 + 1/2.5 + 1/3 are more.
    assert.equal(spared?.[2], 2);
    assert.equal(fast?.assignment[0], 2);
    assert.notEqual(fast.assignment[2], 2);
  });

  it('has no partition for eight jobs, nor for one too large for every slice it could get', () => {
    const fits: SliceTimes = { 7: 1, 1: 2 };
    assert.equal(bestPartition(new Array<SliceTimes>(8).fill(fits)), null);
    assert.equal(bestPartition([{ 7: 1 }, fits]), null);
  });

  it('tells the largest slice that is left', () => {
    assert.equal(largestSliceLeft([]), 7);
    assert.equal(largestSliceLeft([3]), 3);
    assert.equal(largestSliceLeft([1, 1]), 4);
    assert.equal(largestSliceLeft([4, 2, 1]), 0);
  });

  it('searches the released partitions in their order', () => {
    assert.deepEqual(A100_PARTITIONS, Object.values(recorded.partition_code));
  });

  for (const one of recorded.cases) {
    const existing = one.existing.join(', ');
    it(`finds what the released search finds for job ${one.new} beside [${existing}]`, () => {
      const jobs = [...one.existing, one.new];
      const found = bestPartition(jobs.map(timesOf));
      assert.equal(found?.code, one.code);
      assert.deepEqual(found.partition, one.partition);
      assert.deepEqual(
        found.assignment.map((position) => jobs[position]),
        one.assignment,
      );
      assert.equal(found.meanSlowdown, one.mean_slowdown);
    });
  }
});
