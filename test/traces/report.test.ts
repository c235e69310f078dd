import assert from 'node:assert/strict';
import { importTrace } from '../../traces/formats.ts';
import { formatReport, statisticsOf } from '../../traces/report.ts';
import { fixture, job } from './support.ts';

describe('quality report', () => {
  it('measures jobs', () => {
    const statistics = statisticsOf([
      job({ submitS: 0, durationS: 3600 }),
      job({ submitS: 10, durationS: 1800, gpuCount: 2 }),
      job({ submitS: 30, durationS: 7200, share: 0.25 }),
      job({ submitS: 50, durationS: 900, gpuCount: 4 }),
    ]);
    assert.deepEqual(statistics, {
      jobs: 4,
      submitS: { min: 0, median: 20, max: 50 },
      durationS: { min: 900, median: 2700, max: 7200 },
      gpuCount: { min: 1, median: 1.5, max: 4 },
      gangSizes: { 1: 2, 2: 1, 4: 1 },
      gpuHours: 3.5,
      singleGpuFraction: 0.5,
      sharedGpuFraction: 0.25,
    });
  });

  it('has no ranges for no jobs', () => {
    assert.equal(statisticsOf([]).submitS, null);
    assert.equal(statisticsOf([]).gpuHours, 0);
  });

  it('hashes its input', async () => {
    const { report } = await importTrace(fixture('tiresias-hand12.csv'));
    assert.equal(report.input?.bytes, 386);
    assert.match(report.input.sha256, /^[0-9a-f]{64}$/);
  });

  it('reads as text', async () => {
    const { report } = await importTrace(fixture('openb-small.csv'));
    const lines = formatReport(report).split('\n');
    for (const expected of [
      'format               openb',
      'rows read            7',
      'jobs                 3',
      '  left out           1 cpu_only: asks for no GPU',
      '  left out           1 no_start: never started',
      'duration             12 / 990 / 3,600 s',
      'gang sizes           1: 2, 8: 1',
    ]) {
      assert.ok(lines.includes(expected), expected);
    }
  });
});
