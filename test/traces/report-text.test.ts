import assert from 'node:assert/strict';
import { clusterDemand } from '../../traces/cluster-demand.ts';
import { importTrace } from '../../traces/formats.ts';
import { formatReport } from '../../traces/report-text.ts';
import type { TraceJob } from '../../traces/workload.ts';
import { fixture, job, reportOf } from './support.ts';

const linesOf = (jobs: readonly TraceJob[]) => formatReport(reportOf(jobs)).split('\n');

describe('the quality report as text', () => {
  it('says what was read, left out and found', async () => {
    const { report } = await importTrace(fixture('openb-small.csv'));
    const lines = formatReport(report).split('\n');
    for (const expected of [
      'format               openb',
      'rows read            7',
      'jobs                 3',
      '  left out           1 cpu_only: asks for no GPU',
      '  left out           1 no_start: never started',
      'duration             12 / 990 / 3,600 s; mean 1,534, 90 % 3,600, 99 % 3,600 s',
      'gang sizes           1: 2, 8: 1',
    ]) {
      assert.ok(lines.includes(expected), expected);
    }
  });

  it('draws jobs and GPU-hours over time, the most as a full bar and none as a blank', () => {
    // Eight jobs in the first stretch, one in the last: 8/8 and 1/8 of a bar; GPU-hours 8 to 4.
    const jobs = [
      ...Array.from({ length: 8 }, () => job({ submitS: 0, durationS: 3600 })),
      job({ submitS: 400, durationS: 3600, gpuCount: 4 }),
    ];
    const blank = ' '.repeat(38);
    assert.ok(linesOf(jobs).includes(`jobs over time       |█${blank}▁| one mark is 10 s`));
    assert.ok(linesOf(jobs).includes(`GPU-hours over time  |█${blank}▄| by submission`));
    assert.ok(linesOf(jobs).includes('longest gap          400 s from 0 s'));
    assert.ok(
      linesOf(jobs).includes(
        'submitted by         10 % at 0 % of the span, 50 % at 0 %, 90 % at 100 %',
      ),
    );
  });

  it('says of the GPUs at once how many starts are recorded', () => {
    const lineOf = (jobs: readonly TraceJob[]) =>
      linesOf(jobs).find((line) => line.startsWith('GPUs at once')) ?? '';
    const recorded = job({ queuedS: 0 });
    assert.match(
      lineOf([recorded, recorded]),
      /peak 2, mean 2, with the starts that are recorded$/,
    );
    assert.match(lineOf([job()]), /if no job waited: starts are not recorded$/);
    assert.match(
      lineOf([recorded, job()]),
      /with the 1 starts that are recorded; the other jobs as/,
    );
  });

  it('names what only some jobs state, and lets no name steer a terminal', () => {
    const lines = linesOf([
      job({ model: 'a\u001b[2J', user: 'u', gpuTypes: ['T4'], memoryGib: 3, requestedS: 60 }),
      job({ virtualCluster: 'v', status: 'Pass' }),
    ]);
    assert.ok(lines.includes('models               a?[2J: 1'));
    assert.ok(lines.includes('GPU types            T4: 1; any: 1'));
    assert.ok(lines.includes('memory               3 / 3 / 3 GiB'));
    assert.ok(
      lines.includes(
        'stated for some      memoryGib 1, gpuTypes 1, model 1, requestedS 1, user 1, virtualCluster 1, status 1',
      ),
    );
  });

  it('shows what is asked of a cluster', () => {
    const jobs = Array.from({ length: 30 }, (_, at) =>
      job({ submitS: 60 * at, durationS: 60, gpuTypes: at % 2 === 0 ? ['T4'] : [] }),
    );
    const cluster = {
      name: 'c',
      groups: [
        { gpuType: 'T4', gpusPerNode: 1, nodes: 1 },
        { gpuType: 'V100', gpusPerNode: 1, nodes: 1 },
      ],
    };
    const report = reportOf(jobs);
    const demand = clusterDemand(jobs, report.concurrency, cluster);
    const text = formatReport(report, demand);
    // 30 jobs x 60 s over 2 GPUs x 1740 s; 15 of them on T4 alone, 7.5 of the rest.
    assert.match(text, /^cluster {14}c \(2 GPUs\)$/m);
    assert.match(text, /^offered load {9}51\.7 %$/m);
    assert.match(text, /^ {2}T4 {17}77\.6 % of 1 GPUs, 51\.7 % by jobs that may use no other$/m);
    assert.match(text, /^ {2}V100 {15}25\.9 % of 1 GPUs$/m);
    assert.doesNotMatch(text, /beware/);
  });

  it('says beware of what it finds, and of loads that do not last', () => {
    const jobs = [job(), job()];
    const cluster = { name: 'c', groups: [{ gpuType: 'T4', gpusPerNode: 8, nodes: 2 }] };
    const report = reportOf(jobs);
    const text = formatReport(report, clusterDemand(jobs, report.concurrency, cluster));
    assert.match(
      text,
      /^offered load {9}infinite \(submissions end too soon for a lasting load\)$/m,
    );
    assert.match(text, /^ {2}beware {13}the cluster is idle: at most 2 of 16 GPUs/m);
  });
});
