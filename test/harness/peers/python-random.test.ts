import assert from 'node:assert/strict';
import { PythonRandom } from '../../../harness/peers/python-random.ts';

describe("Python's random numbers", () => {
  // Printed by CPython 3.11: random.Random(seed), then these calls in this order.
  const printed = [
    {
      seed: 0,
      random: [0.8444218515250481, 0.7579544029403025],
      below: [6, 0],
      shuffled: [0, 4, 1, 3, 2],
      of20: [15, 11],
      of50: [37, 13],
      last: 0.5046868558173903,
    },
    {
      seed: 1,
      random: [0.13436424411240122, 0.8474337369372327],
      below: [1, 2],
      shuffled: [4, 2, 1, 3, 0],
      of20: [12, 6],
      of50: [6, 31],
      last: 0.02834747652200631,
    },
    {
      seed: 123456789012,
      random: [0.37701448538609916, 0.02069602357922562],
      below: [2, 3],
      shuffled: [2, 0, 3, 4, 1],
      of20: [12, 19],
      of50: [33, 12],
      last: 0.18562320891742412,
    },
  ] as const;

  for (const each of printed) {
    it(`are the same for seed ${each.seed}`, () => {
      const random = new PythonRandom(each.seed);
      const upTo = (n: number) => Array.from({ length: n }, (_, i) => i);
      assert.deepEqual([random.random(), random.random()], each.random);
      assert.deepEqual([random.below(10), random.below(7)], each.below);
      const list = upTo(5);
      random.shuffle(list);
      assert.deepEqual(list, each.shuffled);
      assert.deepEqual(random.pair(upTo(20)), each.of20);
      assert.deepEqual(random.pair(upTo(50)), each.of50);
      assert.equal(random.random(), each.last);
    });
  }

  it('come from whole seeds from 0, and pairs from two or more', () => {
    assert.throws(() => new PythonRandom(-1), /seed is -1/);
    assert.throws(() => new PythonRandom(0.5), /seed is 0.5/);
    assert.throws(() => new PythonRandom(0).pair([1]), /cannot draw 2 of 1/);
  });
});
