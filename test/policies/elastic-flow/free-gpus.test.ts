import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Demand, FreeGpus } from '../../../policies/elastic-flow/free-gpus.ts';

const demand = (over: Partial<Demand>): Demand => ({
  remainingS: 10,
  deadlineS: 20,
  levels: [1, 2, 4],
  speed: (gpus) => gpus,
  ...over,
});

describe('GPUs free over time', () => {
  it('plans a job as late as its deadline allows, with as few GPUs as will do', () => {
    const free = new FreeGpus(0, 4, 1);
    assert.deepEqual(free.minimumShare(demand({})), {
      quota: 1,
      pieces: [{ fromS: 10, toS: 20, gpus: 1 }],
    });
    // 30 s of work in 20 s: two GPUs from 5 s on.
    assert.deepEqual(free.minimumShare(demand({ remainingS: 30 })), {
      quota: 2,
      pieces: [{ fromS: 5, toS: 20, gpus: 2 }],
    });
    assert.equal(free.minimumShare(demand({ remainingS: 81 })), null);
  });

  it('goes around what is taken', () => {
    const free = new FreeGpus(0, 4, 1);
    // Three GPUs are taken from 10 s to 15 s: a quota of 2 has one of them then. 2 x 5 + 5 + 2 x 3 is 21.
    free.take({ quota: 3, pieces: [{ fromS: 10, toS: 15, gpus: 3 }] });
    assert.deepEqual(free.minimumShare(demand({ remainingS: 21 })), {
      quota: 2,
      pieces: [
        { fromS: 7, toS: 10, gpus: 2 },
        { fromS: 10, toS: 15, gpus: 1 },
        { fromS: 15, toS: 20, gpus: 2 },
      ],
    });
    // Not before 8 s only four will do: 4 x 5 s, and a second with one.
    assert.equal(free.minimumShare(demand({ remainingS: 21 }), 8)?.quota, 4);
  });

  it('starts on whole slots', () => {
    const free = new FreeGpus(100, 1, 60);
    const share = free.minimumShare(demand({ remainingS: 50, deadlineS: 300 }));
    assert.deepEqual(share?.pieces, [{ fromS: 220, toS: 300, gpus: 1 }]);
  });

  it('never promises a GPU twice, and does the work in time, on random jobs', () => {
    const jobs = fc.array(
      fc.record({
        remainingS: fc.integer({ min: 0, max: 60 }),
        deadlineS: fc.integer({ min: 1, max: 80 }),
        levels: fc.constantFrom([1], [1, 2, 4], [3], [2, 4]),
      }),
      { maxLength: 15 },
    );
    fc.assert(
      fc.property(jobs, fc.integer({ min: 1, max: 6 }), (drawn, gpus) => {
        const free = new FreeGpus(0, gpus, 1);
        const used = Array.from({ length: 80 }, () => 0);
        for (const each of drawn.sort((a, b) => a.deadlineS - b.deadlineS)) {
          const share = free.minimumShare(demand(each));
          const most = gpusFree(used, each, gpus);
          // None is found just where even the largest gang, in every second, is not enough.
          assert.equal(share === null, each.remainingS > most, JSON.stringify(each));
          if (share === null) continue;
          free.take(share);
          let work = 0;
          for (const { fromS, toS, gpus: count } of share.pieces) {
            assert.ok(fromS >= 0 && toS <= each.deadlineS && count <= share.quota);
            work += count * (toS - fromS);
            for (let s = fromS; s < toS; s += 1) used[s] = (used[s] as number) + count;
          }
          assert.ok(work >= each.remainingS);
          assert.ok(Math.max(...used) <= gpus);
        }
      }),
    );
  });
});

/** Most work of a job before its deadline, second by second. */
function gpusFree(
  used: readonly number[],
  { deadlineS, levels }: { readonly deadlineS: number; readonly levels: readonly number[] },
  gpus: number,
): number {
  let work = 0;
  for (let s = 0; s < deadlineS; s += 1) {
    work += Math.max(0, ...levels.filter((level) => level <= gpus - (used[s] as number)));
  }
  return work;
}
