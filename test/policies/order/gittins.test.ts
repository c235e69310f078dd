import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import {
  gittinsIndex,
  LearnedGittinsIndex,
  releasedGittinsIndex,
} from '../../../policies/order/gittins.ts';

const DATA = process.env.HESHARE_DATA;

function close(found: number, expected: number): void {
  assert.ok(Math.abs(found - expected) <= 1e-9 * expected, `${found} is not ${expected}`);
}

describe('policies/order/gittins', () => {
  it('is the best chance to end within a quantum over the service expected in it', () => {
    const gittins = gittinsIndex([40, 10, 20]);
    const index = (attained: number) => gittins.index(attained);
    // New: within 10 one of three for 10, within 20 two for (10 + 20 + 20) / 3 = 50 / 3, within 40 all for
    // 70 / 3: 1/30, 2/50, 3/70.
    close(index(0), 3 / 70);
    // After 10, two have 10 and 30 to go: one for 10 or both for (10 + 30) / 2, the same.
    close(index(10), 1 / 20);
    // After 5: 5, 15 and 35 to go: 1/3 over 5 is best.
    close(index(5), 1 / 15);
    // The last one after 20 and 25, and nothing after 40.
    close(index(20), 1 / 20);
    close(index(25), 1 / 15);
    assert.deepEqual([index(40), index(1e9)], [0, 0]);
    assert.equal(gittinsIndex([]).index(0), 0);
    // Equal samples end together.
    close(gittinsIndex([10, 10, 10, 1000]).index(0), 3 / 40);
  });

  it('agrees with the best of all quanta, each summed over all samples', () => {
    const whole = fc.integer({ min: 1, max: 60 });
    const samples = fc.array(whole, { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(samples, fc.integer({ min: 0, max: 70 }), (of, attained) => {
        const left = of.filter((sample) => sample > attained).map((sample) => sample - attained);
        const ratios = left.map((quantum) => {
          const taken = left.reduce((sum, rest) => sum + Math.min(rest, quantum), 0);
          return left.filter((rest) => rest <= quantum).length / taken;
        });
        close(gittinsIndex(of).index(attained), Math.max(0, ...ratios));
      }),
    );
  });

  it('as released takes whole samples, whole means and five and four decimals', () => {
    const released = releasedGittinsIndex([40, 10, 20], 15);
    const index = (attained: number) => released.index(attained);
    // Below 10: two of three within 9 + 15, mean floor((10 + 20 + 15) / 3) = 15: 1e6 x 0.66667 / 15.
    assert.deepEqual([index(0), index(9)], [44_444.6667, 44_444.6667]);
    // Below 20: one of two within 19 + 15, mean floor((20 + 15) / 2) = 17.
    assert.deepEqual([index(10), index(19)], [29_411.7647, 29_411.7647]);
    // The last sample counts as out of reach of itself.
    assert.deepEqual([index(20), index(39), index(40), index(41)], [0, 0, 0, 0]);
  });

  it('learns from what has ended, when there is twice as much', () => {
    const learned = new LearnedGittinsIndex();
    for (let i = 0; i < 15; i += 1) assert.equal(learned.learn(10), false);
    assert.equal(learned.index(0), 0);
    assert.equal(learned.learn(20), true);
    // All sixteen end within 20, for 15 x 10 + 20; 15 of them within 10, for 160, is a little less.
    close(learned.index(0), 16 / 170);
    for (let i = 0; i < 15; i += 1) assert.equal(learned.learn(1), false);
    assert.equal(learned.learn(1), true);
  });

  it('gives the recorded indices to 4 decimals, from the recorded distribution', function () {
    if (DATA === undefined) {
      this.skip();
    }
    const folder = path.join(DATA, 'peer-cases/tiresias');
    const numbers = (file: string): number[][] =>
      readFileSync(path.join(folder, file), 'utf8')
        .trim()
        .split(/\r?\n/)
        .slice(1)
        .map((line) => line.split(',').map(Number));
    assert.ok(existsSync(folder));
    const samples = numbers('yarn-gput1000.csv').map(([sample = 0]) => sample);
    const released = releasedGittinsIndex(samples, 3250);
    const recorded = numbers('gittins_yarn1000.csv');
    assert.equal(recorded.length, 10);
    for (const [attained = 0, rank] of recorded) assert.equal(released.index(attained), rank);
  });
});
