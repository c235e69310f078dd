import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import {
  interleave,
  OVERHEAD,
  RESOURCES,
  type StageTimes,
} from '../../../policies/muri/interleave.ts';
import { close } from '../../support/close.ts';

interface Recorded {
  readonly jobs: readonly { readonly model: string; readonly resource_time: StageTimes }[];
  readonly overhead: readonly number[];
  readonly groups: readonly {
    readonly models: readonly string[];
    readonly best_iter: number;
    readonly worst_iter: number;
    readonly used_ratio: number;
  }[];
}

/** Recorded from Rivendile/Muri @4e69a78 (Apache-2.0), simulator/matching.py. */
const recorded = JSON.parse(
  readFileSync(new URL('../../peers/fixtures/muri-groups.json', import.meta.url), 'utf8'),
) as Recorded;

const stages = (count: number): fc.Arbitrary<StageTimes> =>
  fc.array(fc.double({ min: 0.001, max: 1, noNaN: true }), { minLength: count, maxLength: count });
const groups = (count: number): fc.Arbitrary<StageTimes[]> =>
  fc.array(stages(count), { minLength: 2, maxLength: 4 });

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

describe('the interleaving of Muri', () => {
  it('lets two jobs of four stages follow each other, by hand', () => {
    // a before b, slot by slot: max(3, b network 0), max(1, 1), max(1, 3), max(0, 1) = 3 + 1 + 3 + 1.
    // b before a: max(1, 0), max(3, 3), max(1, 1), max(0, 1) = 1 + 3 + 1 + 1.
    const a = [3, 1, 1, 0];
    const b = [1, 3, 1, 0];
    assert.deepEqual(interleave([a, b]), { bestS: 6, worstS: 8 });
  });

  it('hides the CPU stage of one job behind the GPU stage of the other, by hand', () => {
    // Opposite to each other: max(1, 3) + max(2, 1) = 5. b behind a: b's GPU stage begins when both CPU
    // stages, side by side, and a's GPU stage are done: max(1 + 1, 2) + 3 = 5; a behind b: max(2 + 3, 1) + 1.
    const a = [1, 1, 0];
    const b = [2, 3, 0];
    assert.deepEqual(interleave([a, b]), { bestS: 5, worstS: 6 });
  });

  it('wants two to four jobs with equally many stages', () => {
    assert.throws(() => interleave([[1, 1, 1]]), /1 jobs in a group, expected 2 to 4/);
    assert.throws(() => interleave(new Array<StageTimes>(5).fill([1, 1, 1])), /5 jobs in a group/);
    assert.throws(
      () =>
        interleave([
          [1, 1],
          [1, 1],
        ]),
      /with 2, 2 stages, expected 3 or 4/,
    );
    assert.throws(
      () =>
        interleave([
          [1, 1, 1],
          [1, 1, 1, 1],
        ]),
      /with 3, 4 stages/,
    );
  });

  it('needs no less than the longest job, and four stages no more than all one after another', () => {
    fc.assert(
      fc.property(fc.constantFrom(3, 4).chain(groups), (jobs) => {
        const { bestS, worstS } = interleave(jobs);
        assert.ok(bestS <= worstS);
        // Rounds of three stages count as alike when they differ by a thousandth.
        const slack = jobs[0]?.length === 3 ? 1 - 2e-3 : 1 - 1e-12;
        for (const job of jobs) assert.ok(bestS >= Math.max(...job) * slack);
        if (jobs[0]?.length === 4) assert.ok(worstS <= sum(jobs.flat()) * (1 + 1e-12));
      }),
    );
  });

  it('does not depend on the order in which jobs are given', () => {
    fc.assert(
      fc.property(groups(4), (jobs) => {
        const there = interleave(jobs);
        const back = interleave(jobs.toReversed());
        close(back.bestS, there.bestS);
        close(back.worstS, there.worstS);
      }),
    );
  });

  it('gives the recorded times of 77 groups, best and worst', () => {
    const times = new Map(recorded.jobs.map(({ model, resource_time }) => [model, resource_time]));
    assert.equal(recorded.groups.length, 77);
    for (const group of recorded.groups) {
      const jobs = group.models.map((model) => times.get(model) ?? []);
      const overhead = OVERHEAD[jobs.length - 1] ?? NaN;
      const { bestS, worstS } = interleave(jobs);
      const what = group.models.join(', ');
      close(bestS * overhead, group.best_iter, 1e-9, what);
      close(worstS * overhead, group.worst_iter, 1e-9, what);
      close(sum(jobs.flat()) / (bestS * overhead * RESOURCES), group.used_ratio, 1e-9, what);
    }
    assert.deepEqual(OVERHEAD, recorded.overhead);
  });
});
