import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { importTrace } from '../../../traces/formats.ts';
import { assertReadOrRefused } from '../damage.ts';
import { assertNothingLost, DATA_FOLDER, fixture, importText, messageOf } from '../support.ts';
import { publishedSuite } from './published.ts';

const HEADER = 'job_id,submit_time,duration,num_cpu,num_gpu,num_inst,gpu_type,user,wait_time\n';
const TOY = fixture('pai-toy40.csv');

describe('pai-sim', () => {
  it('makes the instances of a job one gang', async () => {
    const trace = await importText(
      `${HEADER}0,5,60,1,0.5,3,T4,u,7\n1,6,60,1,2,1,V100M32,v,\n2,7,60,9,0,2,CPU,u,\n3,8,60,1,1,1,MISC,,-1\n`,
    );
    assert.equal(trace.format, 'pai-sim');
    assert.deepEqual(
      trace.jobs.map((job) => [
        ...[job.id, job.submitS, job.gpuCount, job.share, job.gpuTypes[0], job.referenceGpu],
        ...[job.user, job.queuedS],
      ]),
      [
        ['0', 5, 3, 0.5, 'T4', 'T4', 'u', 7],
        ['1', 6, 2, 1, 'V100M32', 'V100', 'v', null],
        ['3', 8, 1, 1, 'MISC', null, null, null],
      ],
    );
    assert.deepEqual(trace.report.dropped, { cpu_only: 1 });
    assertNothingLost(trace);
  });

  it('makes every instance a job when asked, each counted as a row', async () => {
    const settings = { instances: 'jobs', gpuTypes: 'any' };
    const trace = await importText(`${HEADER}0,5,60,1,1.5,3,T4,u,\n1,6,60,1,0,2,T4,u,\n`, {
      settings,
    });
    assert.deepEqual(
      trace.jobs.map((job) => [job.id, job.gpuCount, job.share, job.gpuTypes.length]),
      [
        ['0#1', 2, 0.75, 0],
        ['0#2', 2, 0.75, 0],
        ['0#3', 2, 0.75, 0],
      ],
    );
    // Three jobs, and one row without GPUs.
    assert.equal(trace.report.rowsRead, 4);
    assertNothingLost(trace);
    const many = importText(`${HEADER}0,5,60,1,1,1000000,T4,u,\n`, { settings });
    assert.match(await messageOf(many), /num_inst: expected 0 to 10000/);
  });

  it('leaves out, keeps or lengthens what ran for no time', async () => {
    const text = `${HEADER}0,5,0,1,1,1,T4,u,\n1,5,-3,1,1,1,T4,u,\n2,5,9,1,1,1,T4,u,\n`;
    const durations = async (zeroDuration?: string) => {
      const settings = zeroDuration === undefined ? {} : { zeroDuration };
      const trace = await importText(text, { settings });
      assertNothingLost(trace);
      return trace.jobs.map(({ durationS }) => durationS);
    };
    assert.deepEqual(await durations(), [9]);
    assert.deepEqual(await durations('drop'), [9]);
    assert.deepEqual(await durations('keep'), [0, 9]);
    // As its simulator does.
    assert.deepEqual(await durations('one-second'), [1, 1, 9]);
  });

  it('reads damaged files with every row accounted for, or refuses them', async () => {
    const text = readFileSync(TOY, 'utf8').split('\n').slice(0, 9).join('\n');
    await assertReadOrRefused([text], { format: 'pai-sim' });
    await assertReadOrRefused([text], { format: 'pai-sim', settings: { instances: 'jobs' } }, 100);
  });
});

describe('the 40 rows that the PAI simulator was run with', () => {
  it('are 37 gangs, or as many jobs as it counted', async () => {
    const gangs = await importTrace(TOY);
    assert.equal(gangs.format, 'pai-sim');
    assert.deepEqual(gangs.report.dropped, { cpu_only: 3 });
    assert.equal(gangs.report.jobs, 37);
    const settings = { instances: 'jobs' };
    const jobs = await importTrace(TOY, { settings });
    // Its 56 jobs are 53 instances with GPUs and the 3 rows without, of one instance each.
    assert.equal(jobs.report.rowsRead, 56);
    assert.equal(jobs.report.jobs, 53);
    assert.equal(jobs.report.gpuHours, gangs.report.gpuHours);
  });
});

interface RecordedRun {
  readonly num_done: number;
  readonly jobs: readonly { readonly job_id: number; readonly jct: number }[];
}

publishedSuite('pai-sim on recorded runs of the PAI simulator', () => {
  it('gives the jobs that it counted, which never end sooner than their run time', async () => {
    const recorded = path.join(DATA_FOLDER ?? '', 'peer-cases/alibaba2020/toy40.results.json');
    const runs = JSON.parse(readFileSync(recorded, 'utf8')) as readonly RecordedRun[];
    const { jobs, report } = await importTrace(TOY, { settings: { instances: 'jobs' } });
    assert.equal(runs.length, 13);
    for (const run of runs) {
      assert.equal(run.num_done, report.rowsRead);
      const left = [...run.jobs];
      for (const { id, durationS } of jobs) {
        const at = left.findIndex(({ job_id }) => `${job_id}` === id.replace(/#.*/, ''));
        const [found] = left.splice(at, 1);
        assert.ok(at >= 0 && found !== undefined && found.jct >= durationS, id);
      }
      // What is left asks for no GPU.
      assert.equal(left.length, report.dropped.cpu_only);
    }
  });
});
