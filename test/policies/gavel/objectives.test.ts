import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type Allocation,
  type AllocationProblem,
  agnostic,
  finishTimeFairness,
  type JobGroup,
  type JobPair,
  largestSum,
  leastMakespan,
  maxMinFairness,
} from '../../../policies/gavel/index.ts';
import { loadSolver, SolveError } from '../../../policies/lp/index.ts';

const single = (throughputs: number[], gang = 1): JobGroup => ({ jobs: 1, gang, throughputs });

function near(ours: number, theirs: number, tolerance = 1e-6): void {
  assert.ok(Math.abs(ours - theirs) <= tolerance * Math.max(1, Math.abs(theirs)), `${ours}`);
}

/** What every allocation has to keep: the time of each job, and the GPUs of each type. */
function check({ gpus, groups, pairs = [] }: AllocationProblem, found: Allocation): void {
  const load = gpus.map(() => 0);
  const time = groups.map(() => 0);
  groups.forEach(({ jobs, gang }, group) => {
    found.alone[group]?.forEach((share, type) => {
      time[group] = (time[group] as number) + share;
      load[type] = (load[type] as number) + share * jobs * gang;
    });
  });
  pairs.forEach(({ groups: [a, b] }, pair) => {
    const first = groups[a] as JobGroup;
    const second = groups[b] as JobGroup;
    found.together[pair]?.forEach((share, type) => {
      const partners = a === b ? first.jobs - 1 : second.jobs;
      time[a] = (time[a] as number) + share * partners;
      if (a !== b) time[b] = (time[b] as number) + share * first.jobs;
      const count = a === b ? (first.jobs * (first.jobs - 1)) / 2 : first.jobs * second.jobs;
      load[type] = (load[type] as number) + share * count * first.gang;
    });
  });
  time.forEach((each) => {
    assert.ok(each <= 1 + 1e-6);
  });
  load.forEach((each, type) => {
    assert.ok(each <= (gpus[type] as number) + 1e-6);
  });
}

describe("Gavel's objectives", () => {
  before(loadSolver);

  // One GPU of each of two types; a does 4 and 1 a second on them, b 1 and 2.
  const two: AllocationProblem = { gpus: [1, 1], groups: [single([4, 1]), single([1, 2])] };

  it('max-min fairness of two jobs on two types, by hand', () => {
    // Half of each type would be 2.5 for a and 1.5 for b. Each on its better type all the time has 4
    // and 2: 1.6 and 4/3 times that. b cannot do better than 2, so 4/3 is the most that both can have.
    const found = maxMinFairness(two, [1, 1]);
    near(found.objective, 4 / 3);
    near(found.alone[1]?.[1] ?? 0, 1);
  });

  it('a job of twice the weight is to have twice as much', () => {
    // One type: x and 1 - x of the time; x / 2 = 1 - x gives 2/3 of one job's whole rate.
    const problem = { gpus: [1], groups: [single([3]), single([3])] };
    const found = maxMinFairness(problem, [2, 1]);
    near(found.alone[0]?.[0] ?? 0, 2 / 3);
    near(found.objective, 1 / 3);
  });

  it('a gang of two gets half the time of a single job, so both have as many GPUs', () => {
    // Two GPUs: 2 x + y = 2 and 2 x = y give x = 1/2 and y = 1.
    const problem = { gpus: [2], groups: [single([1], 2), single([1])] };
    const found = maxMinFairness(problem, [1, 1]);
    near(found.alone[0]?.[0] ?? 0, 0.5);
    near(found.alone[1]?.[0] ?? 0, 1);
  });

  it('a gang gets no time on a type that has too few GPUs, but in the released code', () => {
    const problem = { gpus: [1, 2], groups: [single([9, 1], 2)] };
    assert.equal(maxMinFairness(problem, [1]).alone[0]?.[0], 0);
    const released = maxMinFairness({ ...problem, oversized: true }, [1]);
    near(released.alone[0]?.[0] ?? 0, 0.5);
  });

  it('without knowing types, all that counts is time', () => {
    const found = maxMinFairness(
      agnostic({ gpus: [1, 1], groups: [0, 1, 2, 3].map(() => single([9, 1])) }),
      [1, 1, 1, 1],
    );
    near(found.objective, 0.5);
  });

  it('finish-time fairness of two jobs on one GPU, by hand', () => {
    // Both have 100 s left and would take 200 s in isolation; b has been there for 100 s. With x of the
    // time for b: 1 / (1 - x) = 1 + 1 / x, so x^2 + x = 1 and x = 0.618; rho is (1 + 1 / x) / 2.
    const problem = { gpus: [1], groups: [single([1]), single([1])] };
    const found = finishTimeFairness(problem, {
      work: [100, 100],
      elapsedS: [0, 100],
      isolatedS: [200, 200],
    });
    const x = (Math.sqrt(5) - 1) / 2;
    near(found.objective, (1 + 1 / x) / 2, 1e-8);
    near(found.alone[1]?.[0] ?? 0, x, 1e-6);
  });

  it('makespan of a job that is alone is its time on its fastest type', () => {
    near(leastMakespan({ gpus: [1, 1], groups: [single([4, 1])] }, [1e7]).objective, 2.5e6);
    assert.equal(leastMakespan({ gpus: [1], groups: [] }, []).objective, 0);
  });

  it('watts for costs draw jobs to the type with the most work per joule', () => {
    // a: 4 / 400 and 1 / 50 per joule, b: 1 / 400 and 2 / 50. Both want the second type; b gains 0.0375
    // by having it, a 0.01.
    const watts = {
      alone: (_: number, type: number) => (type === 0 ? 400 : 50),
      together: () => 1,
    };
    const found = largestSum(two, watts);
    near(found.objective, 4 / 400 + 2 / 50);
    // A floor of 2.2 for a and 1.5 for b changes nothing: they have 4 and 2.
    near(largestSum(two, watts, [2.2, 1.5]).objective, found.objective);
    // To have 1.5 on a GPU of its own a must keep to the first type for 1/2 of the time.
    const one = { gpus: [1, 1], groups: [single([2, 1])] };
    near(largestSum(one, watts, [1.5]).objective, (0.5 * 2) / 400 + 0.5 / 50);
  });

  it('floors that cannot be met together are an error, not an allocation', () => {
    const problem = { gpus: [1], groups: [single([1]), single([1])] };
    assert.throws(() => largestSum(problem, undefined, [0.6, 0.6]), SolveError);
  });

  it('two jobs that lose little by sharing share', () => {
    // In turns each has 1/2; together each does 0.8.
    const pair: JobPair = { groups: [0, 1], throughputs: [[0.8, 0.8]] };
    const problem = { gpus: [1], groups: [single([1]), single([1])], pairs: [pair] };
    const found = maxMinFairness(problem, [1, 1]);
    near(found.objective, 0.8);
    near(found.together[0]?.[0] ?? 0, 1);
    near(largestSum(problem).objective, 1.6);
    near(leastMakespan(problem, [80, 80]).objective, 100);
  });

  it('leaves out what can run nowhere', () => {
    const problem = { gpus: [1, 0], groups: [single([2, 0]), single([0, 3])] };
    const found = maxMinFairness(problem, [1, 1]);
    near(found.objective, 1);
    assert.deepEqual([...(found.alone[1] ?? [])], [0, 0]);
    assert.equal(leastMakespan(problem, [4, 4]).objective, 2);
    assert.equal(maxMinFairness({ gpus: [0, 0], groups: problem.groups }, [1, 1]).objective, 0);
  });

  const rate = fc.integer({ min: 0, max: 20 });
  const problems: fc.Arbitrary<AllocationProblem> = fc
    .record({
      gpus: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 2, maxLength: 2 }),
      groups: fc.array(
        fc.record({
          jobs: fc.integer({ min: 1, max: 3 }),
          gang: fc.constantFrom(1, 1, 2),
          throughputs: fc.array(rate, { minLength: 2, maxLength: 2 }),
        }),
        { minLength: 1, maxLength: 4 },
      ),
      speeds: fc.array(fc.integer({ min: 3, max: 10 }), { minLength: 20, maxLength: 20 }),
    })
    .map(({ gpus, groups, speeds }) => {
      const pairs: JobPair[] = [];
      groups.forEach((first, a) => {
        groups.slice(a).forEach((second, offset) => {
          if (first.gang !== second.gang) return;
          const [x = 5, y = 5] = speeds.slice(2 * pairs.length);
          const throughputs = gpus.map((_, type): [number, number] => [
            ((first.throughputs[type] as number) * x) / 10,
            ((second.throughputs[type] as number) * (offset === 0 ? x : y)) / 10,
          ]);
          pairs.push({ groups: [a, a + offset], throughputs });
        });
      });
      return { gpus, groups, pairs };
    });

  /** Every job a group of its own. */
  function apart({ gpus, groups, pairs = [] }: AllocationProblem): AllocationProblem {
    const jobs = groups.flatMap((group, of) =>
      Array.from({ length: group.jobs }, () => ({ of, group: { ...group, jobs: 1 } })),
    );
    const each: JobPair[] = [];
    jobs.forEach(({ of: a }, i) => {
      jobs.forEach(({ of: b }, j) => {
        const pair = pairs.find(({ groups: [x, y] }) => x === a && y === b);
        if (i < j && pair !== undefined) each.push({ ...pair, groups: [i, j] });
      });
    });
    return { gpus, groups: jobs.map(({ group }) => group), pairs: each };
  }

  it('groups of like jobs have the objective of the jobs apart, with pairs too', () => {
    fc.assert(
      fc.property(problems, (problem) => {
        const jobs = apart(problem);
        const weights = (of: AllocationProblem) => of.groups.map(() => 1);
        const grouped = maxMinFairness(problem, weights(problem));
        check(problem, grouped);
        near(grouped.objective, maxMinFairness(jobs, weights(jobs)).objective);
        const summed = largestSum(problem);
        check(problem, summed);
        near(summed.objective, largestSum(jobs).objective);
      }),
      { numRuns: 60 },
    );
  });

  it('finish-time fairness is what bisection finds', () => {
    const cases = fc.record({
      problem: problems,
      work: fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 12, maxLength: 12 }),
      elapsedS: fc.array(fc.integer({ min: 0, max: 900 }), { minLength: 12, maxLength: 12 }),
      isolatedS: fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 12, maxLength: 12 }),
    });
    fc.assert(
      fc.property(cases, ({ problem, work, elapsedS, isolatedS }) => {
        const jobs = apart(problem);
        const found = finishTimeFairness(jobs, { work, elapsedS, isolatedS });
        check(jobs, found);
        if (found.objective === 0) return;
        // A little above it all jobs can have the throughput they need; a little below not.
        const meets = (rho: number): boolean => {
          const floors = jobs.groups.map((group, i) => {
            const usable = jobs.gpus.some(
              (count, type) => count >= group.gang && (group.throughputs[type] as number) > 0,
            );
            const leftS = rho * (isolatedS[i] as number) - (elapsedS[i] as number);
            if (!usable) return 0;
            return leftS <= 0 ? Infinity : (work[i] as number) / leftS;
          });
          if (floors.includes(Infinity)) return false;
          try {
            largestSum(jobs, undefined, floors);
            return true;
          } catch (error) {
            assert.ok(error instanceof SolveError);
            return false;
          }
        };
        assert.ok(meets(found.objective * (1 + 1e-5)));
        assert.ok(!meets(found.objective * (1 - 1e-5)));
      }),
      { numRuns: 40 },
    );
  });
});
