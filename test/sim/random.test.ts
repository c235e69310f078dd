import assert from 'node:assert/strict';
import {
  exponential,
  type RandomSource,
  RandomStreams,
  randomStream,
  standardNormal,
} from '../../sim/random.ts';
import { close } from '../support/close.ts';

// By hand: a draw of u = 1/2 is the median, mean * ln 2 of an exponential; u = 0 gives its least value, 0.
// Box and Muller: u1 = 1 - exp(-1/2) gives a radius of 1, u2 = 0 its whole on the first axis: 1.

function draws(random: RandomSource, count: number): number[] {
  return Array.from({ length: count }, random);
}

/** A source that gives these numbers. */
function fixed(...values: number[]): RandomSource {
  return () => values.shift() ?? NaN;
}

describe('sim/random', () => {
  it('gives each purpose of a seed its own stream, the same every time', () => {
    const first = draws(randomStream(1, 'failures'), 5);
    assert.deepEqual(draws(randomStream(1, 'failures'), 5), first);
    assert.notDeepEqual(draws(randomStream(1, 'noise'), 5), first);
    assert.notDeepEqual(draws(randomStream(2, 'failures'), 5), first);
    assert.deepEqual(draws(randomStream('1', 'failures'), 5), first);
  });

  it('gives each member of a purpose its own stream, whoever else draws', () => {
    const family = new RandomStreams(1, 'faults');
    draws(family.of(0), 3);
    assert.equal(family.of(5), family.of(5));
    assert.deepEqual(draws(family.of(5), 5), draws(randomStream(1, 'faults/5'), 5));
  });

  it('transforms uniform draws as worked out by hand', () => {
    close(exponential(fixed(0.5), 3), 3 * Math.LN2);
    close(exponential(fixed(0), 3), 0);
    close(standardNormal(fixed(1 - Math.exp(-0.5), 0)), 1);
    close(standardNormal(fixed(1 - Math.exp(-0.5), 0.5)), -1);
  });

  it('has the moments of its distributions', () => {
    const n = 100_000;
    const random = randomStream(3, 'moments');
    const mean = (values: readonly number[]): number =>
      values.reduce((sum, value) => sum + value, 0) / n;
    const times = Array.from({ length: n }, () => exponential(random, 5));
    // Five standard errors: 5 / sqrt(n) of the mean; E[X^2] = 50 has a deviation of sqrt(20) * 25.
    assert.ok(Math.abs(mean(times) - 5) < (5 * 5) / Math.sqrt(n));
    assert.ok(
      Math.abs(mean(times.map((x) => x * x)) - 50) < (5 * 25 * Math.sqrt(20)) / Math.sqrt(n),
    );
    const normals = Array.from({ length: n }, () => standardNormal(random));
    assert.ok(Math.abs(mean(normals)) < 5 / Math.sqrt(n));
    assert.ok(Math.abs(mean(normals.map((x) => x * x)) - 1) < (5 * Math.SQRT2) / Math.sqrt(n));
  });
});
