import assert from 'node:assert/strict';
import fc from 'fast-check';
import { randomStream } from '../../../sim/random.ts';
import {
  NO_RHYTHM,
  OFFICE_RHYTHM,
  poissonArrivals,
  poissonTimes,
  type Rhythm,
  relativeRate,
  trendTimes,
} from '../../../traces/synth/arrivals.ts';
import { hourCounts } from '../../../traces/synth/fidelity.ts';
import { integrateUnit } from '../../../traces/synth/numeric.ts';
import { PHILLY } from '../../../traces/synth/philly-statistics.ts';
import { job } from '../support.ts';
import { near } from './support.ts';

const WEEK_S = 7 * 86_400;
const COUNTED: Rhythm = {
  kind: 'counted',
  hours: PHILLY.hours,
  days: PHILLY.days,
  clockStartS: PHILLY.clockStartS,
};

describe('the rhythm of arrivals', () => {
  it('has a mean of 1 over a week and stays below its peak', () => {
    for (const rhythm of [OFFICE_RHYTHM, COUNTED, NO_RHYTHM]) {
      const { at, peak } = relativeRate(rhythm);
      near(
        integrateUnit((part) => at(part * WEEK_S), 7 * 24 * 4),
        1,
        1e-9,
      );
      for (let timeS = 0; timeS < WEEK_S; timeS += 1800) assert.ok(at(timeS) <= peak + 1e-12);
    }
  });

  it('swings up in the afternoon and in midweek', () => {
    const { at } = relativeRate(OFFICE_RHYTHM);
    assert.ok(at((2 * 24 + 14) * 3600) > 1.6);
    assert.ok(at((6 * 24 + 2) * 3600) < 0.6);
  });

  it('as counted starts with the clock of the trace: a Monday, 10:30:41', () => {
    const { at } = relativeRate(COUNTED);
    const meanOf = (values: readonly number[]) =>
      values.reduce((sum, value) => sum + value, 0) / values.length;
    const expected = (day: number, hour: number) =>
      ((PHILLY.days[day] ?? 0) / meanOf(PHILLY.days)) *
      ((PHILLY.hours[hour] ?? 0) / meanOf(PHILLY.hours));
    near(at(0), expected(0, 10), 1e-12);
    // 29 min 19 s later it is eleven, 13 h 29 min 19 s later Tuesday.
    near(at(1758), expected(0, 10), 1e-12);
    near(at(1759), expected(0, 11), 1e-12);
    near(at(13 * 3600 + 1759), expected(1, 0), 1e-12);
  });

  it('may know days that are all alike', () => {
    const { at } = relativeRate({
      kind: 'counted',
      hours: [...new Array<number>(12).fill(1), ...new Array<number>(12).fill(3)],
      days: [],
      clockStartS: 0,
    });
    assert.deepEqual([at(0), at(12 * 3600), at(86_400)], [0.5, 1.5, 0.5]);
  });
});

describe('arrivals', () => {
  it('have the rate asked for and the rhythm in it', () => {
    const arrivals = poissonArrivals(0.01, OFFICE_RHYTHM, randomStream(1, 'test'));
    const byDay = new Array<number>(7).fill(0);
    const count = 60_000;
    let last = 0;
    for (let index = 0; index < count; index += 1) {
      last = arrivals.next().value;
      const day = Math.floor(last / 86_400) % 7;
      byDay[day] = (byDay[day] ?? 0) + 1;
    }
    near(count / last, 0.01, 0.03);
    assert.equal(byDay.indexOf(Math.max(...byDay)), 2);
  });

  it('of a trace begin at time 0', () => {
    const times = poissonTimes(50, 0.1, NO_RHYTHM, randomStream(1, 'test'));
    assert.equal(times[0], 0);
    assert.ok(times.every((time, at) => at === 0 || time > (times[at - 1] ?? 0)));
  });

  it('follow a trend over their span: half of them in the last tenth', () => {
    const trend = { parts: [0, 0.5, 1], places: [0, 0.9, 1] };
    const times = trendTimes(20_000, 1e6, trend, NO_RHYTHM, randomStream(1, 'test'));
    assert.equal(times[0], 0);
    near(times.filter((time) => time > 9e5).length, 10_000, 0.03);
    near(times.filter((time) => time < 4.5e5).length, 5000, 0.05);
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    );
  });

  it('with a trend keep the rhythm of the day', () => {
    const hours = Array.from({ length: 24 }, (_, hour) => (hour < 6 ? 4 : 1));
    const rhythm: Rhythm = { kind: 'counted', hours, days: [], clockStartS: 0 };
    const trend = { parts: [0, 0.2, 1], places: [0, 0.5, 1] };
    const times = trendTimes(42_000, 100 * 86_400, trend, rhythm, randomStream(2, 'test'));
    const counts = hourCounts(times.map((submitS) => job({ submitS })));
    // 6 hours of 4 and 18 of 1 are 42 parts, 1000 each.
    for (const [hour, count] of counts.entries()) near(count, hour < 6 ? 4000 : 1000, 0.17);
  });

  it('stay within the span', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 40 }), (seed, count) => {
        const trend = { parts: [0, 0.3, 1], places: [0, 0.6, 1] };
        const times = trendTimes(count, 500, trend, NO_RHYTHM, randomStream(seed, 'test'));
        assert.equal(times.length, count);
        assert.ok(times.every((time) => time >= 0 && time < 500));
      }),
    );
  });
});
