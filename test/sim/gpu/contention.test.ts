import assert from 'node:assert/strict';
import fc from 'fast-check';
import { memoryContention, smMet } from '../../../sim/gpu/contention.ts';
import { close } from '../../support/close.ts';

// By hand, s being the factor on busy time:
//   always busy, demands 0.75 0.75       s 1.5 for both; 0.9 0.3: s 1.2; 0.1 1 1: s 2.1 for all
//   both demand all, busy part b         s = 1 + p, p = b s / (1 - b + b s):
//                                        b s^2 + (1 - 3b) s - (1 - b) = 0
//     b 1/2                              s^2 = s + 1: the golden ratio
//     b 2/3                              2 s^2 - 3 s - 1 = 0: (3 + sqrt 17) / 4
//   demands 0.75, one always busy, one busy b = 1/2
//                                        the first: s = 1 + p / 2, the other: s = 1.5 (it meets the
//                                        first for sure), p = 0.75 / 1.25 = 0.6: s = 1.3
//   three of demand 0.5, one always busy, two busy now and then (parts p)
//                                        each pair fits, all three are 1.5: the first s = 1 + p / 2
//                                        (both others at once with p), the others s = 1 + p / 2

function stretches(demands: readonly number[], busy: readonly number[]): number[] {
  const met: number[] = [];
  smMet(demands, busy, met);
  return met.map((part) => 1 / part);
}

function closeAll(actual: readonly number[], expected: readonly number[], relative = 1e-11): void {
  assert.equal(actual.length, expected.length);
  actual.forEach((value, i) => {
    close(value, expected[i] ?? NaN, relative);
  });
}

/** Part of the time in which a job is busy whose busy time is stretched. */
const seen = (busy: number, stretch: number): number =>
  (busy * stretch) / (1 - busy + busy * stretch);

const job = fc.record({
  demand: fc.double({ min: 1e-6, max: 1, noNaN: true }),
  busy: fc.double({ min: 0, max: 1, noNaN: true }),
});
const jobs = fc.array(job, { minLength: 1, maxLength: 12 });

describe('sim/gpu/contention of SMs', () => {
  it('meets all demands that fit, exactly', () => {
    assert.deepEqual(stretches([0.5, 0.5], [1, 1]), [1, 1]);
    assert.deepEqual(stretches([0.9, 0.1], [1, 0.5]), [1, 1]);
    assert.deepEqual(stretches([1], [1]), [1]);
    assert.deepEqual(stretches([], []), []);
  });

  it('divides the SMs in proportion to the demands of jobs that are always busy', () => {
    closeAll(stretches([1, 1], [1, 1]), [2, 2]);
    closeAll(stretches([0.75, 0.75], [1, 1]), [1.5, 1.5]);
    closeAll(stretches([0.9, 0.3], [1, 1]), [1.2, 1.2]);
    closeAll(stretches([0.1, 1, 1], [1, 1, 1]), [2.1, 2.1, 2.1]);
  });

  it('slows jobs only while they are busy together', () => {
    closeAll(stretches([1, 1], [0.5, 0.5]), [(1 + Math.sqrt(5)) / 2, (1 + Math.sqrt(5)) / 2]);
    const third = (3 + Math.sqrt(17)) / 4;
    closeAll(stretches([1, 1], [2 / 3, 2 / 3]), [third, third]);
    closeAll(stretches([0.75, 0.75], [1, 0.5]), [1.3, 1.5]);
    closeAll(stretches([1, 1], [1, 0]), [1, 2]);
  });

  it('takes the busy times of several others to overlap as much as they can', () => {
    const [first, ...others] = stretches([0.5, 0.5, 0.5], [1, 0.4, 0.4]);
    const part = seen(0.4, others[0] ?? NaN);
    closeAll([first ?? NaN, ...others], [1 + part / 2, 1 + part / 2, 1 + part / 2]);
    // 0.4 s / (0.6 + 0.4 s) = 2 s - 2: 0.8 s^2 = 1.2, so s is the root of 3 / 2.
    close(others[0] ?? NaN, Math.sqrt(1.5), 1e-11);
  });

  it('never stretches by less than 1, nor by more than if all others were always busy', () => {
    fc.assert(
      fc.property(jobs, (given) => {
        const demands = given.map(({ demand }) => demand);
        const total = demands.reduce((sum, demand) => sum + demand, 0);
        for (const stretch of stretches(
          demands,
          given.map(({ busy }) => busy),
        )) {
          assert.ok(stretch >= 1 && stretch <= Math.max(1, total) * (1 + 1e-12), `${stretch}`);
        }
      }),
      { numRuns: 500, seed: 6 },
    );
  });

  it('uses no more SMs than there are, averaged over time', () => {
    fc.assert(
      fc.property(jobs, (given) => {
        const found = stretches(
          given.map(({ demand }) => demand),
          given.map(({ busy }) => busy),
        );
        let used = 0;
        given.forEach(({ demand, busy }, i) => {
          used += (demand * seen(busy, found[i] ?? NaN)) / (found[i] ?? NaN);
        });
        assert.ok(used <= 1 + 1e-9, `${used}`);
      }),
      { numRuns: 2000, seed: 12 },
    );
  });

  it('stretches more when another job is busy for longer', () => {
    fc.assert(
      fc.property(jobs, fc.double({ min: 0, max: 1, noNaN: true }), (given, longer) => {
        const demands = given.map(({ demand }) => demand);
        const busy = given.map((each) => each.busy);
        const before = stretches(demands, busy);
        const after = stretches(demands, [Math.max(busy[0] ?? 0, longer), ...busy.slice(1)]);
        after.forEach((stretch, i) => {
          assert.ok(stretch >= (before[i] ?? NaN) * (1 - 1e-9), `${i}: ${before[i]}, ${stretch}`);
        });
      }),
      { numRuns: 300, seed: 13 },
    );
  });

  it('does not depend on the order of the jobs', () => {
    fc.assert(
      fc.property(jobs, (given) => {
        const forwards = stretches(
          given.map(({ demand }) => demand),
          given.map(({ busy }) => busy),
        );
        const backwards = stretches(
          given.map(({ demand }) => demand).reverse(),
          given.map(({ busy }) => busy).reverse(),
        ).reverse();
        closeAll(backwards, forwards, 1e-9);
      }),
      { numRuns: 200, seed: 7 },
    );
  });

  it('ends on demands of almost nothing and on sums that exceed 1 by a rounding error', () => {
    closeAll(stretches([Number.MIN_VALUE, 1, 1], [1, 1, 1]), [2, 2, 2]);
    const tenths = new Array<number>(10).fill(0.1 + 2 ** -56);
    closeAll(stretches(tenths, new Array<number>(10).fill(1)), new Array<number>(10).fill(1));
  });
});

describe('sim/gpu/contention memory', () => {
  it('is 1 where the bandwidth fits', () => {
    assert.equal(
      memoryContention(() => 1, 1),
      1,
    );
    assert.equal(
      memoryContention((kappa) => 0.4 / kappa, 0.5),
      1,
    );
  });

  it('is the kappa at which the bandwidth used is what there is', () => {
    // 1.5 / kappa = 0.6: kappa 2.5.
    close(
      memoryContention((kappa) => 1.5 / kappa, 0.6),
      2.5,
      1e-10,
    );
    // 1.6 / (0.5 kappa + 0.5) = 1: kappa 2.2.
    close(
      memoryContention((kappa) => 1.6 / (0.5 * kappa + 0.5), 1),
      2.2,
      1e-10,
    );
  });

  it('gives up at 1000 where no kappa makes it fit', () => {
    assert.equal(
      memoryContention(() => 2, 1),
      1000,
    );
  });
});
