import assert from 'node:assert/strict';
import { InputError } from '../../../sim/errors.ts';
import { cappedDurations, requestedDurations } from '../../../traces/shape/index.ts';
import { job } from '../support.ts';

const jobs = [
  job({ id: 'a', durationS: 50, requestedS: 3600 }),
  job({ id: 'b', durationS: 200, requestedS: null }),
  job({ id: 'c', durationS: 7000, requestedS: 60 }),
];

describe('the run times of a trace', () => {
  it('may be those that users asked for, where they state one', () => {
    const { jobs: changed, lines } = requestedDurations()(jobs);
    assert.deepEqual(
      changed.map(({ durationS }) => durationS),
      [3600, 200, 60],
    );
    assert.deepEqual(lines, [
      'jobs run for the time that they asked for',
      '1 jobs that state no requested time keep their run time',
    ]);
  });

  it('cannot be those of a trace in which no job states one', () => {
    assert.throws(() => requestedDurations()([job()]), InputError);
  });

  it('may be cut, and the report counts how many', () => {
    const { jobs: changed, lines } = cappedDurations(100)(jobs);
    assert.deepEqual(
      changed.map(({ durationS }) => durationS),
      [50, 100, 100],
    );
    assert.deepEqual(lines, ['2 run times above 100 s are cut to it']);
    assert.throws(() => cappedDurations(0), InputError);
  });
});
