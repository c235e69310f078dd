import assert from 'node:assert/strict';
import { InputError } from '../../../sim/errors.ts';
import { AS_IT_IS, type ShapeOptions, shapeTrace } from '../../../traces/shape/index.ts';
import type { ImportedTrace } from '../../../traces/workload.ts';
import { job, reportOf } from '../support.ts';

const jobs = Array.from({ length: 20 }, (_, index) =>
  job({
    id: `${index}`,
    submitS: 100 + 10 * index,
    durationS: 10 * (index + 1),
    requestedS: 1000,
    gpuCount: index === 3 ? 8 : 1,
    virtualCluster: index % 2 === 0 ? 'even' : 'odd',
    row: index + 1,
  }),
);
const trace: ImportedTrace = {
  name: 't',
  format: 'test',
  recognisedBy: null,
  jobs,
  report: reportOf(jobs),
};
const shaped = (options: Partial<ShapeOptions>, seed = 1) =>
  shapeTrace(trace, { ...AS_IT_IS, ...options }, seed);

describe('shaping a trace', () => {
  it('changes nothing where nothing is asked for', () => {
    assert.deepEqual(shaped({}), trace);
  });

  it('takes the steps in the documented order, with a line for each', () => {
    const { report, jobs: left } = shaped({
      virtualClusters: ['odd'],
      window: { fromS: 100, toS: 270 },
      minDurationS: 30,
      dropLongerS: 150,
      duration: { of: 'actual', capS: 120 },
      maxGang: 4,
      sample: 4,
      jobs: 3,
      fromZero: true,
      load: { load: 0.5, capacityGpus: 4 },
    });
    assert.deepEqual(
      report.assumed.map((line) => line.replace(/ (?:multiplied|moved|of 5).*/, '')),
      [
        'only jobs of the virtual clusters odd',
        'only jobs submitted from 100 s to before 270 s',
        'only jobs that run for at least 30 s',
        'only jobs that run for at most 150 s',
        '1 run times above 120 s are cut to it',
        'only jobs of at most 4 GPUs',
        'a sample of 4',
        'only the first 3 jobs',
        'submissions',
        'time between submissions',
      ],
    );
    // Odd indices 1 to 15 are in the window; 1 is too short, 15 too long (160 s), 3 too large; of
    // 5, 7, 9, 11 and 13 four are drawn and three taken.
    assert.deepEqual(report.dropped, {
      other_virtual_cluster: 10,
      outside_window: 2,
      too_short: 1,
      too_long: 1,
      large_gang: 1,
      not_sampled: 1,
      beyond_limit: 1,
    });
    assert.equal(left.length, 3);
    assert.equal(left[0]?.submitS, 0);
  });

  it('judges run times by what they are to be: requested ones by the request', () => {
    const requested = { of: 'requested', capS: 600 } as const;
    const { jobs: left } = shaped({ duration: requested, minDurationS: 500 });
    assert.equal(left.length, 20);
    assert.ok(left.every(({ durationS }) => durationS === 600));
  });

  it('draws another sample for another seed', () => {
    const ids = (seed: number) => shaped({ sample: 0.5 }, seed).jobs.map(({ id }) => id);
    assert.deepEqual(ids(1), ids(1));
    assert.notDeepEqual(ids(1), ids(2));
  });

  it('refuses to leave no job, saying where they went', () => {
    assert.throws(
      () => shaped({ minDurationS: 1e6 }),
      (error) =>
        error instanceof InputError &&
        error.message === 't expected jobs, found none: 20 rows read (20 too_short)',
    );
  });
});
