import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type Composition,
  type Counted,
  type Grouped,
  Grouper,
  type GroupRating,
} from '../../../policies/muri/grouping.ts';

const OPTIONS = { packingNum: 4, vertices: 64 };

/** Used ratios of pairs as given, by the kinds joined; groups of more are worth their best pair. */
function ratedBy(pairs: Readonly<Record<string, number>>) {
  return {
    usedRatio: (kinds: Composition): number => {
      let best = 0;
      for (const [i, a] of kinds.entries()) {
        for (const b of kinds.slice(i + 1)) best = Math.max(best, pairs[`${a}-${b}`] ?? 0);
      }
      return best;
    },
  };
}

const group = (
  jobs: readonly Counted[],
  rating: GroupRating,
  { gpus, ...options }: typeof OPTIONS & { readonly gpus: number },
): readonly Grouped[] => new Grouper(rating, options).group(jobs, gpus);

const told = (groups: readonly Grouped[]): Record<string, number> =>
  Object.fromEntries(groups.map(({ kinds, count }) => [kinds.join(), count]));

describe('the grouping of Muri', () => {
  const jobs = [
    { kind: 0, gpuCount: 1, count: 2 },
    { kind: 1, gpuCount: 1, count: 2 },
  ];
  const unlike = ratedBy({ '0-0': 0.2, '0-1': 0.5, '1-1': 0.2 });

  it('groups nobody while there are GPUs enough', () => {
    assert.deepEqual(told(group(jobs, unlike, { ...OPTIONS, gpus: 4 })), { 0: 2, 1: 2 });
  });

  it('pairs jobs that complete each other, and no more than it must', () => {
    assert.deepEqual(told(group(jobs, unlike, { ...OPTIONS, gpus: 2 })), { '0,1': 2 });
    assert.deepEqual(told(group(jobs, unlike, { ...OPTIONS, gpus: 3 })), { 0: 1, 1: 1, '0,1': 1 });
  });

  it('pairs pairs where that is not enough, up to the largest group', () => {
    assert.deepEqual(told(group(jobs, unlike, { ...OPTIONS, gpus: 1 })), { '0,0,1,1': 1 });
    const three = { ...OPTIONS, packingNum: 3, gpus: 1 };
    assert.deepEqual(told(group(jobs, unlike, three)), { '0,1': 2 });
  });

  it('groups only jobs with the same number of GPUs, those first that waste least', () => {
    const gangs = [
      { kind: 0, gpuCount: 1, count: 2 },
      { kind: 1, gpuCount: 2, count: 2 },
    ];
    // Six GPUs are asked for. A pair of kind 0 leaves 0.4 GPUs unused, one of kind 1 0.6 of two.
    const rating = ratedBy({ '0-0': 0.6, '1-1': 0.7, '0-1': 1 });
    assert.deepEqual(told(group(gangs, rating, { ...OPTIONS, gpus: 5 })), { '0,0': 1, 1: 2 });
    assert.deepEqual(told(group(gangs, rating, { ...OPTIONS, gpus: 4 })), { '0,0': 1, '1,1': 1 });
  });

  it('keeps apart what cannot share', () => {
    assert.deepEqual(told(group(jobs, ratedBy({}), { ...OPTIONS, gpus: 1 })), { 0: 2, 1: 2 });
  });

  it('groups a long queue in bundles as it groups a short one', () => {
    const long = jobs.map((job) => ({ ...job, count: 1000 }));
    const pairs = told(group(long, unlike, { ...OPTIONS, vertices: 16, gpus: 1000 }));
    assert.deepEqual(pairs, { '0,1': 1000 });
  });

  it('gives the same answer to the same question', () => {
    const grouper = new Grouper(unlike, OPTIONS);
    const first = told(grouper.group(jobs, 2));
    grouper.group([...jobs, { kind: 2, gpuCount: 1, count: 1 }], 2);
    assert.deepEqual(told(grouper.group(jobs.toReversed(), 2)), first);
  });

  it('loses no job and needs no more GPUs than it found', () => {
    const queue = fc.array(
      fc.record({ gpuCount: fc.constantFrom(1, 2, 4), count: fc.integer({ min: 1, max: 40 }) }),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(
        queue,
        fc.integer({ min: 1, max: 60 }),
        fc.constantFrom(4, 16),
        (drawn, gpus, vertices) => {
          const given = drawn.map((job, kind) => ({ kind, ...job }));
          const rating = { usedRatio: (kinds: Composition) => 1 / (2 + Math.max(...kinds)) };
          const groups = group(given, rating, { packingNum: 4, vertices, gpus });
          const seen = given.map(() => 0);
          let needed = 0;
          for (const { kinds, count } of groups) {
            assert.ok(count > 0 && kinds.length <= 4);
            const sizes = new Set(kinds.map((kind) => given[kind]?.gpuCount));
            assert.equal(sizes.size, 1);
            needed += ([...sizes][0] ?? 0) * count;
            for (const kind of kinds) seen[kind] = (seen[kind] ?? 0) + count;
          }
          assert.deepEqual(
            seen,
            given.map(({ count }) => count),
          );
          const asked = given.reduce((sum, { gpuCount, count }) => sum + gpuCount * count, 0);
          if (asked <= gpus) assert.equal(needed, asked);
          else assert.ok(needed <= asked);
        },
      ),
      { numRuns: 60 },
    );
  });
});
