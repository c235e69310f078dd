import assert from 'node:assert/strict';
import { importTrace } from '../../traces/formats.ts';
import { reportAfter, statisticsOf } from '../../traces/report.ts';
import { fixture, job, reportOf } from './support.ts';

describe('quality report', () => {
  it('measures jobs', () => {
    const statistics = statisticsOf([
      job({ submitS: 0, durationS: 3600, status: 'Pass', user: 'u', virtualCluster: 'v' }),
      job({ submitS: 10, durationS: 1800, gpuCount: 2, queuedS: 5, gpuTypes: ['T4', 'V100'] }),
      job({ submitS: 30, durationS: 7200, share: 0.25, memoryGib: 4, status: 'Pass', user: 'w' }),
      job({
        submitS: 50,
        durationS: 900,
        gpuCount: 4,
        requestedS: 60,
        status: 'Killed',
        user: 'u',
      }),
    ]);
    const { coverage, concurrency, stated, ...rest } = statistics;
    assert.deepEqual(rest, {
      jobs: 4,
      submitS: { min: 0, median: 20, max: 50 },
      durationS: { min: 900, median: 2700, mean: 3375, p90: 7200, p99: 7200, max: 7200 },
      gpuCount: { min: 1, median: 1.5, max: 4 },
      share: { min: 0.25, median: 1, max: 1 },
      queuedS: { min: 5, median: 5, mean: 5, p90: 5, p99: 5, max: 5 },
      requestedS: { min: 60, median: 60, mean: 60, p90: 60, p99: 60, max: 60 },
      memoryGib: { min: 4, median: 4, max: 4 },
      gangSizes: { 1: 2, 2: 1, 4: 1 },
      gpuHours: 3.5,
      singleGpuFraction: 0.5,
      sharedGpuFraction: 0.25,
      gpuTypes: { distinct: 1, most: { 'T4|V100': 1 } },
      models: { distinct: 0, most: {} },
      statuses: { distinct: 2, most: { Pass: 2, Killed: 1 } },
      virtualClusters: { distinct: 1, most: { v: 1 } },
      users: 2,
    });
    assert.equal(coverage?.stretchS, 50 / 40);
    // 1 + 2 + 0.25 + 4 GPUs at 50 s: the second job started at 15 s.
    assert.deepEqual([concurrency?.peakGpus, concurrency?.peakAtS], [7.25, 50]);
    assert.deepEqual(stated, {
      referenceGpu: 0,
      memoryGib: 1,
      gpuTypes: 1,
      model: 0,
      deadlineS: 0,
      maxSlowdown: 0,
      queuedS: 1,
      requestedS: 1,
      priority: 0,
      user: 3,
      virtualCluster: 1,
      status: 3,
    });
  });

  it('has no ranges for no jobs', () => {
    const { submitS, durationS, share, gpuHours, coverage, concurrency } = statisticsOf([]);
    assert.deepEqual(
      [submitS, durationS, share, coverage, concurrency],
      [null, null, null, null, null],
    );
    assert.equal(gpuHours, 0);
  });

  it('keeps the most frequent values of a field, equal ones by name', () => {
    const jobs = Array.from({ length: 60 }, (_, at) => job({ model: `m${at % 30}` }));
    const { models } = statisticsOf([
      ...jobs,
      job({ model: 'z' }),
      job({ model: 'z' }),
      job({ model: 'z' }),
    ]);
    assert.equal(models.distinct, 31);
    assert.deepEqual(Object.entries(models.most).slice(0, 3), [
      ['z', 3],
      ['m0', 2],
      ['m1', 2],
    ]);
    assert.equal(Object.keys(models.most).length, 20);
  });

  it('adds what a step left out and assumed, and leaves out what it did not', () => {
    const before = { ...reportOf([job(), job()]), dropped: { bad_row: 1 }, assumed: ['x'] };
    const report = reportAfter(before, [job()], {
      dropped: { bad_row: 2, too_long: 1, too_short: 0 },
      assumed: ['y'],
    });
    assert.deepEqual(report.dropped, { bad_row: 3, too_long: 1 });
    assert.deepEqual(report.assumed, ['x', 'y']);
    assert.equal(report.jobs, 1);
  });

  it('hashes its input', async () => {
    const { report } = await importTrace(fixture('tiresias-hand12.csv'));
    assert.equal(report.input?.bytes, 386);
    assert.match(report.input.sha256, /^[0-9a-f]{64}$/);
  });
});
