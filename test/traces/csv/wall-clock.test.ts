import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  elapsedS,
  epochS,
  type Instant,
  instantOf,
  wallClockS,
  zoneClock,
} from '../../../traces/csv/wall-clock.ts';

const wall = (stamp: string) => wallClockS(stamp) ?? Number.NaN;
const utc = (stamp: string) => Date.parse(stamp) / 1000;

describe('wall clock', () => {
  it('reads a stamp as seconds with no zone', () => {
    assert.equal(wallClockS('1970-01-02 00:00:01'), 86_401);
    assert.equal(wallClockS('2016-02-29T23:59:59'), utc('2016-02-29T23:59:59Z'));
  });

  it('refuses times that do not exist and other spellings', () => {
    const stamps = [
      '2017-02-29 00:00:00',
      '2017-13-01 00:00:00',
      '2017-01-01 24:00:00',
      'None',
      '',
    ];
    const others = ['2017-01-01', '2017-1-1 0:0:0', '2017-01-00 00:00:00', '0000-01-01 00:00:00'];
    const leap = ['1900-02-29 00:00:00', '2017-04-31 00:00:00', '2017-00-01 00:00:00'];
    const spellings = ['2017-01-01  0:00:00', '2017/01/01 00:00:00', '2017-01-01 00:00:00Z'];
    for (const stamp of [...stamps, ...others, ...leap, ...spellings]) {
      assert.equal(wallClockS(stamp), null, stamp);
    }
  });

  it('agrees with the calendar of Date for every day', () => {
    const from = Date.UTC(1900, 0, 1);
    const pad = (value: number) => String(value).padStart(2, '0');
    fc.assert(
      fc.property(fc.nat(3e11 / 1000), fc.nat(40), fc.nat(14), (seconds, day, month) => {
        const date = new Date(from + seconds * 20_000);
        const stamp = date.toISOString().slice(0, 19);
        assert.equal(wallClockS(stamp), date.getTime() / 1000);
        const other = `${stamp.slice(0, 5)}${pad(month)}-${pad(day)} 00:00:00`;
        const rolled = new Date(Date.UTC(date.getUTCFullYear(), month - 1, day));
        const exists = rolled.getUTCMonth() === month - 1 && rolled.getUTCDate() === day;
        assert.equal(wallClockS(other), exists ? rolled.getTime() / 1000 : null, other);
      }),
    );
  });
});

describe('instant', () => {
  const instant = (stamp: string): Instant => instantOf(stamp) ?? assert.fail(stamp);

  it('reads decimals and the distance from UTC', () => {
    const wallS = wall('2023-11-16 18:17:03');
    assert.deepEqual(instant('2023-11-16 18:17:03'), { wallS, nanoS: 0, offsetS: null });
    assert.deepEqual(instant('2023-11-16 18:17:03.9799600'), {
      wallS,
      nanoS: 979_960_000,
      offsetS: null,
    });
    assert.deepEqual(instant('2023-11-16T18:17:03.5Z'), {
      wallS,
      nanoS: 500_000_000,
      offsetS: 0,
    });
    assert.equal(instant('2023-11-16 18:17:03-07:30').offsetS, -27_000);
    assert.equal(instant('2023-11-16 18:17:03+0545').offsetS, 20_700);
    assert.equal(instant('2023-11-16 18:17:03-08').offsetS, -28_800);
  });

  it('is the same wherever the clock stood', () => {
    // 00:18:22 in Shanghai is 16:18:22 of the day before in UTC.
    const here = instant('2023-03-01 00:18:22+08:00');
    assert.equal(epochS(here), utc('2023-02-28T16:18:22Z'));
    assert.equal(elapsedS(here, instant('2023-02-28 16:18:22Z')), 0);
    assert.equal(epochS(instant('2023-03-01 00:18:22'), 8 * 3600), epochS(here));
  });

  it('keeps 100 ns between stamps, which seconds since 1970 cannot', () => {
    const from = instant('2023-11-16 18:17:03.9799600');
    assert.equal(elapsedS(from, instant('2023-11-16 18:17:04.0799601')), 0.1000001);
    assert.equal(elapsedS(from, instant('2023-11-16 18:17:03.9799599')), -0.0000001);
    // One float for both parts is off by more.
    const joined = ({ wallS, nanoS }: Instant) => wallS + nanoS / 1e9;
    assert.notEqual(joined(instant('2023-11-16 18:17:04.0799601')) - joined(from), 0.1000001);
  });

  it('refuses other spellings', () => {
    const tails = ['.', '.1234567890', '+', '+8', '+15:00', '+08:60', ' UTC', ' +08:00', '.5 Z'];
    for (const tail of tails) assert.equal(instantOf(`2023-11-16 18:17:03${tail}`), null, tail);
    assert.equal(instantOf('2023-02-29 00:00:00Z'), null);
    assert.equal(instantOf(''), null);
  });
});

describe('zone clock', () => {
  const pacific = zoneClock('America/Los_Angeles');

  it('applies summer and winter time', () => {
    const summer = pacific(wall('2017-10-09 07:00:00'));
    assert.deepEqual(summer, { epochS: utc('2017-10-09T14:00:00Z'), fold: null });
    const winter = pacific(wall('2017-12-09 07:00:00'));
    assert.deepEqual(winter, { epochS: utc('2017-12-09T15:00:00Z'), fold: null });
  });

  it('keeps both sides of a change on the same day', () => {
    assert.equal(pacific(wall('2017-11-05 00:30:00')).epochS, utc('2017-11-05T07:30:00Z'));
    assert.equal(pacific(wall('2017-11-05 02:30:00')).epochS, utc('2017-11-05T10:30:00Z'));
  });

  it('takes a time that occurs twice as its first pass and says so', () => {
    assert.deepEqual(pacific(wall('2017-11-05 01:30:00')), {
      epochS: utc('2017-11-05T08:30:00Z'),
      fold: 'repeated',
    });
  });

  it('takes its second pass when only that is not before what came before', () => {
    const wallS = wall('2017-11-05 01:30:00');
    const read = (notBefore: string) => pacific(wallS, utc(notBefore)).epochS;
    assert.equal(read('2017-11-05T08:30:00Z'), utc('2017-11-05T08:30:00Z'));
    assert.equal(read('2017-11-05T08:30:01Z'), utc('2017-11-05T09:30:00Z'));
    // Neither pass is late enough: the first, and no time is made up.
    assert.equal(read('2017-11-05T09:30:01Z'), utc('2017-11-05T08:30:00Z'));
  });

  it('reads a skipped time with the offset from before and says so', () => {
    assert.deepEqual(pacific(wall('2017-03-12 02:30:00')), {
      epochS: utc('2017-03-12T10:30:00Z'),
      fold: 'skipped',
    });
  });

  it('throws for an unknown zone', () => {
    assert.throws(() => zoneClock('Mars/Olympus'), RangeError);
  });
});
