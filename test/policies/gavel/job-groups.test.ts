import assert from 'node:assert/strict';
import fc from 'fast-check';
import { AlikeJobs, problemOf, sharesOf } from '../../../policies/gavel/job-groups.ts';
import type { Rates } from '../../../policies/gavel/rates.ts';
import type { JobView } from '../../../sim/job-view.ts';
import { fakeJob } from '../fake-jobs.ts';

/** Everything runs at 1 a second alone; two workloads together at these speeds. */
function rates(speeds: Readonly<Record<string, readonly [number, number]>>): Rates {
  const fake: Pick<Rates, 'alone' | 'together'> = {
    alone: () => [1],
    together: (a, b) => [speeds[`${a.workload}${b.workload}`] ?? [0, 0]],
  };
  return fake as Rates;
}

const jobs = (workload: string, count: number, from: number, gpuCount = 1): JobView[] =>
  Array.from({ length: count }, (_, i) => fakeJob(from + i, { workload, gpuCount }));

describe('jobs that are alike', () => {
  it('are those with one workload, gang, memory and types', () => {
    const alike = new AlikeJobs();
    const large = fakeJob(5, { workload: 'x', memoryGib: () => 9 });
    const groups = alike.group([...jobs('x', 2, 0), ...jobs('y', 1, 2), ...jobs('x', 2, 3), large]);
    assert.deepEqual(
      groups.map((group) => group.map(({ index }) => index)),
      [[0, 1, 3, 4], [2], [5]],
    );
  });

  it('are paired where two together do more than in turns, those first that gain most', () => {
    const members = [jobs('x', 2, 0), jobs('y', 1, 2), jobs('z', 1, 3)];
    const speeds = { xx: [0.7, 0.7], xy: [0.5, 0.5], xz: [0.9, 0.8], yz: [0.6, 0.6] } as const;
    const pairs = (most: number) =>
      problemOf(members, [1], rates(speeds), most).pairs?.map(({ groups }) => groups);
    // xy gains nothing.
    assert.deepEqual(pairs(9), [
      [0, 0],
      [0, 2],
      [1, 2],
    ]);
    assert.deepEqual(pairs(2), [
      [0, 2],
      [0, 0],
    ]);
    assert.deepEqual(pairs(0), []);
  });

  it('are never paired with a gang of another size', () => {
    const members = [jobs('x', 1, 0), jobs('x', 1, 1, 2)];
    assert.deepEqual(problemOf(members, [4], rates({ xx: [1, 1] }), 9).pairs, []);
  });

  it('share the time of their groups: three and two jobs in four pairs', () => {
    // Thirds against halves: 1/3 and 1/6 of the first half, 1/6 and 1/3 of the second.
    const members = [jobs('x', 3, 0), jobs('y', 2, 3)];
    const problem = problemOf(members, [1], rates({ xy: [0.8, 0.8] }), 9);
    const { together } = sharesOf(members, problem, {
      objective: 0,
      alone: [Float64Array.of(0), Float64Array.of(0)],
      together: [Float64Array.of(0.1)],
    });
    assert.deepEqual(
      together.map(({ jobs: [a, b], shares }) => [a.index, b.index, shares[0]?.toFixed(9)]),
      [
        [0, 3, '0.200000000'],
        [1, 3, '0.100000000'],
        [1, 4, '0.100000000'],
        [2, 4, '0.200000000'],
      ],
    );
  });

  it('get the time that the program gives each of them, whatever the sizes of the groups', () => {
    const sizes = fc.integer({ min: 1, max: 7 });
    fc.assert(
      fc.property(sizes, sizes, fc.double({ min: 0.001, max: 0.1, noNaN: true }), (a, b, share) => {
        const members = [jobs('x', a, 0), jobs('y', b, a)];
        const problem = problemOf(members, [1], rates({ xx: [0.9, 0.9], xy: [0.9, 0.9] }), 9);
        const pairs = problem.pairs ?? [];
        const { together } = sharesOf(members, problem, {
          objective: 0,
          alone: [Float64Array.of(0), Float64Array.of(0)],
          together: pairs.map(() => Float64Array.of(share)),
        });
        const time = new Array<number>(a + b).fill(0);
        for (const { jobs: both, shares } of together) {
          for (const { index } of both) time[index] = (time[index] as number) + (shares[0] ?? 0);
        }
        // Of the first group each is paired with a - 1 of its own and b of the other.
        time.forEach((each, i) => {
          const partners = i < a ? a - 1 + b : a;
          assert.ok(Math.abs(each - share * partners) < 1e-9);
        });
        assert.ok(together.length <= a + (a + b));
      }),
    );
  });
});
