import assert from 'node:assert/strict';
import { importTrace } from '../../../traces/formats.ts';
import { readOpenbNodes } from '../../../traces/importers/openb-nodes.ts';
import { assertNothingLost, fixture, importText, messageOf } from '../support.ts';

describe('openb', () => {
  it('takes pods that ran on GPUs and counts the others by reason', async () => {
    const trace = await importTrace(fixture('openb-small.csv'));
    assert.equal(trace.format, 'openb');
    assert.deepEqual(
      trace.jobs.map((job) => [job.id, job.submitS, job.durationS, job.gpuCount, job.share]),
      [
        ['pod-0', 0, 990, 1, 1],
        ['pod-1', 5, 3600, 1, 0.46],
        ['pod-5', 12, 12, 8, 1],
      ],
    );
    assert.deepEqual(trace.report.dropped, {
      cpu_only: 1,
      no_start: 1,
      no_end: 1,
      nonpositive_duration: 1,
    });
    assert.equal(trace.jobs[1]?.status, 'Succeeded');
    assert.equal(trace.report.sharedGpuFraction, 1 / 3);
    assertNothingLost(trace);
  });

  it('drops repeated types from a request', async () => {
    const { jobs } = await importTrace(fixture('openb-small.csv'));
    assert.deepEqual(jobs[1]?.gpuTypes, ['V100M16', 'V100M32']);
    assert.deepEqual(jobs[0]?.gpuTypes, []);
  });

  it('says what a list without times needs', async () => {
    const message = await messageOf(importTrace(fixture('openb-untimed.csv')));
    assert.match(message, /pod list without times .* both options durationS and interarrivalS/);
    const one = { settings: { durationS: 600 } };
    assert.match(await messageOf(importTrace(fixture('openb-untimed.csv'), one)), /give both/);
  });

  it('spaces the pods of a list without times evenly', async () => {
    const settings = { durationS: '600', interarrivalS: 10 };
    const trace = await importTrace(fixture('openb-untimed.csv'), { settings });
    assert.deepEqual(
      trace.jobs.map((job) => [job.id, job.submitS, job.durationS, job.share]),
      [
        ['pod-0', 0, 600, 1],
        ['pod-2', 10, 600, 0.46],
        ['pod-3', 20, 600, 1],
      ],
    );
    assert.ok(trace.report.assumed.some((line) => line.includes('one arrives every 10 s')));
    assertNothingLost(trace);
  });

  it('refuses to replace times that a list has', async () => {
    const settings = { durationS: 600, interarrivalS: 10 };
    const message = await messageOf(importTrace(fixture('openb-small.csv'), { settings }));
    assert.match(message, /has times of its own/);
  });

  it('refuses bad values of its options', async () => {
    for (const durationS of [0, -1, 'x', '', Number.NaN]) {
      const settings = { durationS, interarrivalS: 10 };
      const message = await messageOf(importTrace(fixture('openb-untimed.csv'), { settings }));
      assert.match(message, /option durationS: expected a number above 0/);
    }
  });

  it('takes parts of a GPU for single GPUs only', async () => {
    const header = 'name,cpu_milli,memory_mib,num_gpu,gpu_milli';
    const settings = { durationS: 1, interarrivalS: 1 };
    const rows = (row: string) => importText(`${header}\n${row}\n`, { settings });
    assert.match(await messageOf(rows('p,1,1,2,500')), /1000 for more than one GPU, found '500'/);
    assert.match(await messageOf(rows('p,1,1,1,0')), /expected 1 to 1000, found '0'/);
    assert.match(await messageOf(rows('p,1,1,1,1001')), /expected 0 to 1000, found '1001'/);
  });
});

describe('openb node list', () => {
  it('gives the machines in file order', async () => {
    const nodes = await readOpenbNodes(fixture('openb-nodes.csv'));
    assert.deepEqual(nodes, [
      { name: 'node-0', gpuType: 'P100', gpus: 2, cpuCores: 64, memoryGib: 256 },
      { name: 'node-1', gpuType: 'V100M32', gpus: 8, cpuCores: 96, memoryGib: 768 },
      { name: 'node-2', gpuType: null, gpus: 0, cpuCores: 32, memoryGib: 256 },
    ]);
  });

  it('refuses a file of another kind', async () => {
    const message = await messageOf(readOpenbNodes(fixture('openb-small.csv')));
    assert.match(message, /column 'sn' is missing/);
  });
});
