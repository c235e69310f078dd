import assert from 'node:assert/strict';
import fc from 'fast-check';
import { InputError } from '../../sim/errors.ts';
import {
  firstJobs,
  offeredLoad,
  scaleToLoad,
  shiftToZero,
  window,
  withinCapacity,
} from '../../traces/shape.ts';
import type { TraceJob } from '../../traces/workload.ts';
import { job, reportOf } from './support.ts';

const jobs = [
  job({ id: 'a', submitS: 100, durationS: 10, gpuCount: 4 }),
  job({ id: 'b', submitS: 150, durationS: 100, share: 0.5 }),
  job({ id: 'c', submitS: 200, durationS: 30, gpuCount: 2 }),
];
const list = { jobs, report: reportOf(jobs) };
const ids = (shaped: { jobs: readonly TraceJob[] }) => shaped.jobs.map(({ id }) => id);
const times = (shaped: { jobs: readonly TraceJob[] }) => shaped.jobs.map(({ submitS }) => submitS);

describe('shaping a trace', () => {
  it('takes the first jobs and counts the rest', () => {
    const shaped = firstJobs(list, 2);
    assert.deepEqual(ids(shaped), ['a', 'b']);
    assert.deepEqual(shaped.report.dropped, { beyond_limit: 1 });
    assert.deepEqual(shaped.report.assumed, ['only the first 2 jobs']);
    assert.equal(shaped.report.gpuHours, 90 / 3600);
    assert.equal(list.report.jobs, 3);
  });

  it('takes a window that includes its start and not its end', () => {
    const shaped = window(list, 150, 200);
    assert.deepEqual(ids(shaped), ['b']);
    assert.deepEqual(shaped.report.dropped, { outside_window: 2 });
  });

  it('leaves out jobs larger than the cluster', () => {
    const shaped = withinCapacity(list, 2);
    assert.deepEqual(ids(shaped), ['b', 'c']);
    assert.deepEqual(shaped.report.dropped, { over_capacity: 1 });
  });

  it('adds up what is left out over several steps', () => {
    const shaped = firstJobs(firstJobs(withinCapacity(list, 2), 2), 1);
    assert.deepEqual(shaped.report.dropped, { over_capacity: 1, beyond_limit: 1 });
    assert.equal(shaped.report.rowsRead, 3);
  });

  it('moves the first submission to 0', () => {
    const shaped = shiftToZero(list);
    assert.deepEqual(times(shaped), [0, 50, 100]);
    assert.deepEqual(shaped.report.submitS, { min: 0, median: 50, max: 100 });
  });

  it('stretches submissions to a load: 150 GPU-s on 2 GPUs at load 0.5 take 150 s', () => {
    assert.equal(offeredLoad(jobs, 2), 0.75);
    const shaped = scaleToLoad(list, 2, 0.5);
    assert.deepEqual(times(shaped), [100, 175, 250]);
    assert.match(shaped.report.assumed[0] ?? '', /multiplied by 1\.5 .* load of 0\.5 on 2 GPUs/);
  });

  it('meets any load', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 5, noNaN: true }),
        fc.integer({ min: 1, max: 999 }),
        (load, gpus) => {
          const reached = offeredLoad(scaleToLoad(list, gpus, load).jobs, gpus);
          assert.ok(Math.abs(reached / load - 1) < 1e-9);
        },
      ),
    );
  });

  it('refuses what cannot be done', () => {
    const [first] = jobs;
    const one = { jobs: first === undefined ? [] : [first], report: list.report };
    const refused = (error: unknown) => error instanceof InputError;
    assert.throws(() => scaleToLoad(one, 2, 0.5), refused);
    assert.throws(() => scaleToLoad(list, 0, 0.5), refused);
    assert.throws(() => scaleToLoad(list, 2, Number.POSITIVE_INFINITY), refused);
    assert.throws(() => firstJobs(list, 0), refused);
    assert.throws(() => firstJobs(list, 1.5), refused);
    assert.throws(() => window(list, 5, 5), refused);
    assert.throws(() => withinCapacity(list, 0), refused);
  });
});
