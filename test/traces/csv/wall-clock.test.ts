import assert from 'node:assert/strict';
import { wallClockS, zoneClock } from '../../../traces/csv/wall-clock.ts';

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
    for (const stamp of [...stamps, '2017-01-01', '2017-1-1 0:0:0', '2017-01-00 00:00:00']) {
      assert.equal(wallClockS(stamp), null, stamp);
    }
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
