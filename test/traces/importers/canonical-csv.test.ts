import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { assignWorkloads } from '../../../traces/assign/index.ts';
import { importTrace } from '../../../traces/formats.ts';
import { writeCanonicalCsv } from '../../../traces/importers/canonical-csv.ts';
import type { TraceJob } from '../../../traces/workload.ts';
import { fixture, importText, job, messageOf } from '../support.ts';

describe('canonical-csv', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'heshare-'));
  });
  after(async () => {
    await rm(folder, { recursive: true });
  });

  async function roundTrip(jobs: readonly TraceJob[]): Promise<readonly TraceJob[]> {
    const file = path.join(folder, 'out.csv');
    await writeCanonicalCsv(file, jobs);
    return (await importTrace(file)).jobs;
  }

  it('reads every column', async () => {
    const { jobs } = await importTrace(fixture('canonical-small.csv'));
    assert.deepEqual(jobs[0], {
      id: 'a',
      submitS: 0,
      durationS: 100.25,
      referenceGpu: 'V100',
      gpuCount: 1,
      share: 0.5,
      memoryGib: 7.5,
      gpuTypes: ['V100', 'T4'],
      model: 'resnet50-imagenet-b32',
      deadlineS: 3600,
      maxSlowdown: 1.5,
      queuedS: 12.5,
      requestedS: 7200,
      priority: 'opportunistic',
      user: 'alice',
      virtualCluster: 'research',
      status: 'COMPLETED',
      row: 1,
    });
    assert.equal(jobs[1]?.id, 'b, the second');
    assert.deepEqual([jobs[1].share, jobs[1].memoryGib, jobs[1].gpuTypes], [1, null, []]);
    assert.deepEqual([jobs[1].queuedS, jobs[1].requestedS, jobs[1].priority], [null, null, null]);
  });

  it('needs four columns only', async () => {
    const { jobs } = await importText('gpus,id,duration_s,submit_s\n2,x,5,1\n');
    assert.deepEqual(jobs, [job({ id: 'x', submitS: 1, durationS: 5, gpuCount: 2 })]);
  });

  it('refuses shares that make no sense', async () => {
    const rows = (row: string) => importText(`id,submit_s,duration_s,gpus,share\n${row}\n`);
    assert.match(await messageOf(rows('a,0,1,1,0')), /share: expected above 0/);
    assert.match(await messageOf(rows('a,0,1,1,1.1')), /share: expected 0 to 1/);
  });

  it('takes a part of each of several GPUs', async () => {
    const { jobs } = await importText('id,submit_s,duration_s,gpus,share\na,0,1,2,0.5\n');
    assert.deepEqual(jobs, [job({ id: 'a', durationS: 1, gpuCount: 2, share: 0.5 })]);
  });

  it('refuses a priority that is none', async () => {
    const text = 'id,submit_s,duration_s,gpus,priority\na,0,1,1,high\n';
    const expected = /priority: expected guaranteed or opportunistic, found 'high'/;
    assert.match(await messageOf(importText(text)), expected);
  });

  it('reads back exactly what it wrote', async () => {
    const seconds = fc.double({ min: 0, max: 1e12, noNaN: true });
    const text = fc.option(
      fc.stringMatching(/^[ -~]{1,12}$/).filter((word) => !/^(NaN|NA)$/i.test(word)),
    );
    const anyJob = fc.record({
      submitS: seconds,
      durationS: seconds.filter((value) => value > 0),
      gpuCount: fc.integer({ min: 1, max: 512 }),
      memoryGib: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true })),
      gpuTypes: fc.uniqueArray(fc.constantFrom('V100', 'T4', 'A100'), { maxLength: 3 }),
      model: text,
      user: text,
      referenceGpu: fc.option(fc.constantFrom('V100', 'T4')),
      share: fc.double({ min: 0, max: 1, minExcluded: true, noNaN: true }),
      queuedS: fc.option(seconds),
      requestedS: fc.option(seconds),
      priority: fc.option(fc.constantFrom('guaranteed', 'opportunistic')),
      status: text,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(anyJob, { minLength: 1, maxLength: 5 }), async (parts) => {
        const jobs = parts
          .toSorted((a, b) => a.submitS - b.submitS)
          .map((part, index) => job({ ...part, id: String(index), row: index + 1 }));
        assert.deepEqual(await roundTrip(jobs), jobs);
      }),
      { numRuns: 50 },
    );
  });

  it('writes assigned jobs so that they are assigned the same again', async () => {
    const { jobs } = await importTrace(fixture('canonical-small.csv'));
    const { jobs: first } = assignWorkloads(jobs, { rule: 'column', seed: 1 });
    const file = path.join(folder, 'assigned.csv');
    await writeCanonicalCsv(file, first);
    const { jobs: second } = assignWorkloads((await importTrace(file)).jobs, {
      rule: 'column',
      seed: 2,
      referenceGpu: 'A100',
    });
    assert.deepEqual(second, first);
  });

  it('leaves no file behind when writing fails', async () => {
    const bad = path.join(folder, 'bad.csv');
    function* failing(): Generator<TraceJob> {
      yield job();
      throw new Error('no more jobs');
    }
    await assert.rejects(writeCanonicalCsv(bad, failing()), /no more jobs/);
    assert.ok(!(await readdir(folder)).some((name) => name.startsWith('bad')));
  });
});
