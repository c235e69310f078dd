import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { InputError } from '../../../sim/errors.ts';
import { importTrace } from '../../../traces/formats.ts';
import { traceJob } from '../../../traces/importers/trace-job.ts';
import { assertReadOrRefused, damaged } from '../damage.ts';
import { assertNothingLost, importText, messageOf } from '../support.ts';
import { importTables } from './pai-support.ts';

/** The rows that the README of the trace prints, one for each table; they do not belong together. */
const README = {
  pai_task_table:
    '4f057009a5d481acec67b088,tensorflow,1.0,Terminated,1739162.0,1739200.0,600.0,29.296875,50.0,MISC\n',
  pai_job_table:
    '4b3f04b66a525d2df903eb16,8cb3bec23d14dbde320b6613452e768cbbf35b8bd64ee28fcceb77d3c47d,58540f191766,Terminated,4550879.0,4551416.0\n',
  pai_instance_table:
    'af724763f4f5d0beef445849,worker,0d39aa867a79c16eff67daa8f6248f09af8346b177c9e3e23645c48354a8,54dbcd2db287841c03d0639b2a93e783a090ea085348f8cdb8e603d8b96f,e387fbc18d80cc3c9ca4f1f13ff1d46778c9a25eaaeca2a95314fdf20d8e,Terminated,2081336.0,2083889.0,471dda9ed84965451e042145\n',
  pai_group_tag_table:
    'f7f6218cb5cb82e00b85476691d15d5055c143a351396d8f81737421dbd6,d2d3b77d342e,V100M32,fbeb14d671c629b6e82bee889fe4bb4c,nmt\n',
  pai_machine_spec: '82e5af3cd5c4af3f56c62c54,T4,96,512,2\n',
};

/** Two jobs of one task each, one of two, and what the importer has to leave out. */
const TASKS = [
  'job-a,tensorflow,1.0,Terminated,1000.0,1100.0,600.0,29.3,50.0,T4',
  'job-b,worker,10.0,Failed,1010.0,1310.0,600.0,29.3,100.0,V100M32',
  'job-c,worker,2.0,Terminated,1020.0,1220.0,600.0,29.3,250.0,P100',
  'job-c,evaluator,1.0,Terminated,1030.0,1250.0,600.0,29.3,100.0,T4',
  'job-c,ps,4.0,Terminated,1020.0,1250.0,600.0,29.3,,',
  'job-d,tensorflow,1.0,Running,1040.0,,600.0,29.3,25.0,MISC',
  'job-e,tensorflow,1.0,Waiting,0,,600.0,29.3,25.0,',
  'job-f,tensorflow,1.0,Failed,1050.0,1050.0,600.0,29.3,25.0,T4',
  'job-g,ps,1.0,Terminated,1060.0,1070.0,600.0,29.3,0.0,',
  'job-a,tensorflow,1.0,Terminated,1000.0,1100.0,600.0,29.3,50.0,T4',
];
const TABLE = `${TASKS.join('\n')}\n`;
const JOBS =
  'job-a,inst-a,alice,Terminated,1000.0,1100.0\n' +
  'job-c,inst-c,carol,Terminated,1020.0,1250.0\n' +
  'job-e,inst-e,erin,Waiting,1045.0,\n';
const INSTANCES =
  'job-a,tensorflow,i1,w1,inst-a,Terminated,1007.0,1100.0,m1\n' +
  'job-b,worker,i2,w2,inst-b,Failed,1040.0,1300.0,m2\n' +
  'job-b,worker,i3,w3,inst-b,Failed,1035.0,1310.0,m2\n' +
  'job-b,worker,i4,w4,inst-b,Waiting,0,,\n' +
  'job-c,worker,i5,w5,inst-c,Terminated,1020.0,1220.0,m3\n';
const TAGS = 'inst-a,alice,T4,g1,nmt\ninst-b,bob,,g2,\ninst-c,carol,V100,g3,bert\n';
const MACHINES = 'm1,T4,96,512,2\nm2,V100M32,96,512,8\nm3,P100,64,512,2\n';

describe('pai', () => {
  it('makes the task that the README prints half a GPU for 38 seconds', async () => {
    const trace = await importTables(README, { settings: { clock: 'trace' } });
    // 1739200 - 1739162 = 38 s; plan_gpu 50 % of one GPU for one instance.
    assert.deepEqual(trace.jobs, [
      traceJob({
        id: '4f057009a5d481acec67b088/tensorflow',
        submitS: 1_739_162,
        durationS: 38,
        gpuCount: 1,
        share: 0.5,
        gpuTypes: ['MISC'],
        status: 'Terminated',
        row: 1,
      }),
    ]);
    assert.equal(trace.format, 'pai');
    assert.equal(trace.report.gpuHours, (0.5 * 38) / 3600);
  });

  it('makes every task with GPUs a job, and counts the others by reason', async () => {
    const trace = await importTables({ pai_task_table: TABLE });
    assert.deepEqual(
      trace.jobs.map((job) => [job.id, job.submitS, job.durationS, job.gpuCount, job.share]),
      [
        ['job-a/tensorflow', 0, 100, 1, 0.5],
        ['job-b/worker', 10, 300, 10, 1],
        // 250 % of a GPU on each of 2 instances: 3 GPUs each, of which 2.5 / 3.
        ['job-c/worker', 20, 200, 6, 2.5 / 3],
        ['job-c/evaluator', 30, 220, 1, 1],
      ],
    );
    assert.deepEqual(trace.report.dropped, {
      cpu_only: 2,
      no_end: 1,
      no_start: 1,
      nonpositive_duration: 1,
      duplicate_id: 1,
    });
    assertNothingLost(trace);
    const types = trace.jobs.map(({ gpuTypes, referenceGpu }) => [gpuTypes[0], referenceGpu]);
    assert.deepEqual(types, [
      ['T4', 'T4'],
      ['V100M32', 'V100'],
      ['P100', 'P100'],
      ['T4', 'T4'],
    ]);
    const assumed = trace.report.assumed.join('\n');
    assert.match(assumed, /not found, so not joined: .*pai_instance_table/);
    assert.match(assumed, /run time is end_time - start_time of the task, waiting included/);
    assert.match(assumed, /time 0 is the first submission, second 1000 of the trace's clock/);
    assert.match(assumed, /Asia\/Shanghai/);
  });

  it('is the same whatever the line ends and with a header line', async () => {
    const plain = await importTables({ pai_task_table: TABLE });
    const header =
      'job_name,task_name,inst_num,status,start_time,end_time,plan_cpu,plan_mem,plan_gpu,gpu_type\n';
    for (const text of [
      TABLE.replaceAll('\n', '\r\n'),
      `\uFEFF${TABLE}`,
      TABLE.slice(0, -1),
      header + TABLE,
    ]) {
      const trace = await importTables({ pai_task_table: text });
      assert.deepEqual(trace.jobs, plain.jobs);
      assert.deepEqual(trace.report.dropped, plain.report.dropped);
    }
  });

  it('takes waits, users, tags and types from the tables next to it', async () => {
    const trace = await importTables({
      pai_task_table: TABLE.replace('V100M32', ''),
      pai_job_table: JOBS,
      pai_instance_table: INSTANCES,
      pai_group_tag_table: TAGS,
      pai_machine_spec: MACHINES,
    });
    const [a, b, c, evaluator] = trace.jobs;
    // The first instance starts 7 s after its task: it waits 7 s and runs 100 - 7.
    assert.deepEqual([a?.queuedS, a?.durationS], [7, 93]);
    // The earlier of two instances counts, and one that never started does not: 1035 - 1010.
    assert.deepEqual([b?.queuedS, b?.durationS], [25, 275]);
    assert.deepEqual([c?.queuedS, c?.durationS], [0, 200]);
    // No instance of this one is known, so its wait is not.
    assert.deepEqual([evaluator?.queuedS, evaluator?.durationS], [null, 220]);
    assert.deepEqual([a?.user, a?.model, b?.user, b?.model], ['alice', 'nmt', null, null]);
    assert.deepEqual([c?.user, c?.model], ['carol', 'bert']);
    // Its own row names no type; machine m2 does.
    assert.deepEqual([b?.gpuTypes, b?.referenceGpu], [['V100M32'], 'V100']);
    assert.deepEqual(trace.report.dropped, {
      cpu_only: 2,
      no_end: 1,
      no_start: 1,
      nonpositive_duration: 1,
      duplicate_id: 1,
    });
    const assumed = trace.report.assumed.join('\n');
    assert.match(
      assumed,
      /joined pai_job_table: 3 rows \(pai_job_table\.csv, sha256 [0-9a-f]{64}\)/,
    );
    assert.match(assumed, /joined pai_instance_table: 5 rows/);
    assert.doesNotMatch(assumed, /not found/);
    assert.match(assumed, /no instance is known to have started for 1 jobs: they ran all the time/);
    assert.match(
      assumed,
      /gpu_type is missing for 1 jobs: that of the machine of their first instance/,
    );
    assertNothingLost(trace);
  });

  it('submits a task without start_time when its job starts', async () => {
    const task = 'job-e,tensorflow,1.0,Terminated,0,1100.0,600.0,29.3,25.0,T4\n';
    const instance = 'job-e,tensorflow,i1,w1,inst-e,Terminated,1060.0,1100.0,m1\n';
    const tables = { pai_task_table: TABLE + task.replace('job-e', 'job-x'), pai_job_table: JOBS };
    assert.equal((await importTables(tables)).report.dropped.no_start, 2);
    const trace = await importTables({
      pai_task_table: task,
      pai_job_table: JOBS,
      pai_instance_table: instance,
    });
    assert.deepEqual(
      trace.jobs.map((job) => [job.submitS, job.queuedS, job.durationS, job.user]),
      [[0, 15, 40, 'erin']],
    );
    assert.match(
      trace.report.assumed.join('\n'),
      /start_time is missing for 1 jobs: submitted when/,
    );
  });

  it('finds tags through the instances where the job table is missing', async () => {
    const { jobs } = await importTables({
      pai_task_table: TABLE,
      pai_instance_table: INSTANCES,
      pai_group_tag_table: TAGS,
    });
    assert.deepEqual(
      jobs.map(({ model, user }) => [model, user]),
      [
        ['nmt', null],
        [null, null],
        ['bert', null],
        ['bert', null],
      ],
    );
  });

  it('joins no more tables than asked for', async () => {
    const tables = { pai_task_table: TABLE, pai_job_table: JOBS, pai_instance_table: INSTANCES };
    const none = await importTables(tables, { settings: { join: 'none' } });
    assert.deepEqual([none.jobs[0]?.user, none.jobs[0]?.queuedS], [null, null]);
    const job = await importTables(tables, { settings: { join: 'job' } });
    assert.deepEqual([job.jobs[0]?.user, job.jobs[0]?.queuedS], ['alice', null]);
    const both = await importTables(tables, { settings: { join: 'instance+job' } });
    assert.deepEqual([both.jobs[0]?.user, both.jobs[0]?.queuedS], ['alice', 7]);
    const message = await messageOf(importTables(tables, { settings: { join: 'jobs' } }));
    assert.match(message, /option join: .*machine\+tag\+job\+instance, found 'jobs'; .* 'job'\?/);
  });

  it('may be given the job or the instance table instead', async () => {
    const tables = { pai_task_table: TABLE, pai_job_table: JOBS, pai_instance_table: INSTANCES };
    const whole = await importTables(tables);
    for (const named of ['pai_job_table', 'pai_instance_table']) {
      const trace = await importTables(tables, { named });
      assert.deepEqual(trace.jobs, whole.jobs);
      assert.equal(trace.report.input?.path, 'pai_task_table.csv');
      assert.match(trace.recognisedBy ?? '', new RegExp(`as in ${named}`));
    }
    const alone = { pai_job_table: JOBS };
    assert.match(
      await messageOf(importTables(alone, { named: 'pai_job_table' })),
      /is pai_job_table, .*; expected pai_task_table, or that table next to it/,
    );
    const machines = { pai_machine_spec: MACHINES, pai_task_table: TABLE };
    assert.match(
      await messageOf(importTables(machines, { named: 'pai_machine_spec', format: 'pai' })),
      /is pai_machine_spec, which says nothing of the GPUs of jobs; expected pai_task_table$/,
    );
  });

  it('finds the tables next to it on disk, packed or not', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'heshare-test-'));
    const put = (name: string, content: string | Buffer) =>
      writeFile(path.join(folder, name), content);
    try {
      await put('pai_task_table.csv', TABLE);
      await put('pai_job_table.csv', JOBS);
      await put('pai_instance_table.csv.gz', gzipSync(INSTANCES));
      const tables = { pai_task_table: TABLE, pai_job_table: JOBS, pai_instance_table: INSTANCES };
      const { jobs } = await importTables(tables);
      for (const named of ['pai_task_table.csv', 'pai_instance_table.csv.gz']) {
        const trace = await importTrace(path.join(folder, named));
        assert.deepEqual(trace.jobs, jobs);
        assert.match(trace.report.assumed.join('\n'), /joined pai_instance_table: 5 rows/);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('limits jobs to the type that they ran on, that was asked for, or none', async () => {
    const tables = { pai_task_table: TABLE, pai_job_table: JOBS, pai_group_tag_table: TAGS };
    const types = async (gpuTypes: string) =>
      (await importTables(tables, { settings: { gpuTypes } })).jobs.map((job) => job.gpuTypes);
    assert.deepEqual(await types('assigned'), [['T4'], ['V100M32'], ['P100'], ['T4']]);
    assert.deepEqual(await types('requested'), [['T4'], [], ['V100'], ['V100']]);
    assert.deepEqual(await types('any'), [[], [], [], []]);
    const alone = importTables({ pai_task_table: TABLE }, { settings: { gpuTypes: 'requested' } });
    assert.match(await messageOf(alone), /gpuTypes=requested needs pai_group_tag_table next to it/);
  });

  it('can keep zero run times, make them a second, and end what has no end', async () => {
    const run = async (settings: Record<string, string | number>) => {
      const trace = await importTables({ pai_task_table: TABLE }, { settings });
      assertNothingLost(trace);
      return [trace, new Map(trace.jobs.map((job) => [job.id, job.durationS]))] as const;
    };
    const [kept, keptS] = await run({ zeroDuration: 'keep' });
    assert.equal(keptS.get('job-f/tensorflow'), 0);
    assert.match(kept.report.assumed.join('\n'), /1 jobs that ran for no time are kept as such/);
    const [, secondS] = await run({ zeroDuration: 'one-second' });
    assert.equal(secondS.get('job-f/tensorflow'), 1);
    const [ended, endedS] = await run({ unendedDurationS: 500 });
    assert.equal(endedS.get('job-d/tensorflow'), 500);
    assert.equal(ended.report.dropped.no_end, undefined);
    assert.match(
      ended.report.assumed.join('\n'),
      /end_time is missing for 1 jobs: they run for 500 s/,
    );
  });

  it('takes a task without inst_num as one instance, and one of none as asking for no GPU', async () => {
    const table = TASKS.slice(0, 2).join('\n').replace(',1.0,', ',,').replace(',10.0,', ',0.0,');
    const trace = await importTables({ pai_task_table: table });
    assert.deepEqual(
      trace.jobs.map((job) => [job.id, job.gpuCount]),
      [['job-a/tensorflow', 1]],
    );
    assert.deepEqual(trace.report.dropped, { cpu_only: 1 });
    assert.match(trace.report.assumed.join('\n'), /inst_num is missing for 1 jobs: one instance/);
  });

  it('refuses settings that it does not have before it reads anything', async () => {
    const wrong = async (settings: Record<string, string>) =>
      await messageOf(importTables({ pai_task_table: TABLE }, { settings }));
    assert.match(await wrong({ unit: 'tsk' }), /expected one of 'task', 'job', found 'tsk'/);
    assert.match(await wrong({ clock: 'unix' }), /option clock: /);
    assert.match(await wrong({ zeroDuration: 'no' }), /option zeroDuration: .*'one-second'/);
    assert.match(await wrong({ units: 'job' }), /no option 'units'.*did you mean 'unit'\?/);
  });
});

describe('pai, a job a gang', () => {
  const settings = { unit: 'job' };

  it('adds up the GPUs of the tasks from the first start to the last end', async () => {
    const trace = await importTables({ pai_task_table: TABLE, pai_job_table: JOBS }, { settings });
    // job-c: 2 x 2.5 + 1 = 6 GPUs on 6 + 1, so a mean share of 6 / 7; from 1020 to 1250.
    assert.deepEqual(
      trace.jobs.map((job) => [job.id, job.submitS, job.durationS, job.gpuCount, job.share]),
      [
        ['job-a', 0, 100, 1, 0.5],
        ['job-b', 10, 300, 10, 1],
        ['job-c', 20, 230, 7, 6 / 7],
      ],
    );
    assert.deepEqual(trace.jobs[2]?.gpuTypes, ['P100', 'T4']);
    assert.equal(trace.jobs[2].referenceGpu, null);
    assert.deepEqual([trace.jobs[2].user, trace.jobs[2].status], ['carol', 'Terminated']);
    assert.deepEqual(trace.report.dropped, {
      cpu_only: 2,
      no_end: 1,
      no_start: 1,
      nonpositive_duration: 1,
      duplicate_id: 1,
      merged: 1,
    });
    assert.match(trace.report.assumed.join('\n'), /1 jobs have tasks of unequal shares/);
    assertNothingLost(trace);
  });

  it('leaves out a job with all its tasks when one of them has no end', async () => {
    const table =
      'j,worker,1.0,Terminated,5.0,10.0,600.0,29.3,100.0,T4\n' +
      'j,chief,1.0,Running,5.0,,600.0,29.3,100.0,T4\n' +
      'k,worker,1.0,Terminated,5.0,10.0,600.0,29.3,100.0,T4\n' +
      'k,chief,1.0,Failed,,,600.0,29.3,100.0,T4\n' +
      'l,worker,1.0,Failed,5.0,10.0,600.0,29.3,100.0,T4\n' +
      'l,chief,1.0,Terminated,5.0,10.0,600.0,29.3,100.0,T4\n';
    const trace = await importTables({ pai_task_table: table }, { settings });
    assert.deepEqual(
      trace.jobs.map((job) => [job.id, job.gpuCount, job.durationS, job.status]),
      [['l', 2, 5, null]],
    );
    assert.deepEqual(trace.report.dropped, { no_end: 2, no_start: 2, merged: 1 });
    assertNothingLost(trace);
    const ended = await importTables(
      { pai_task_table: table },
      { settings: { unit: 'job', unendedDurationS: 100 } },
    );
    assert.deepEqual(ended.jobs[0]?.durationS, 100);
  });
});

describe('a table of pai', () => {
  it('is recognised by its cells, and says how', async () => {
    const trace = await importTables({ task: TABLE }, { named: 'task' });
    assert.equal(
      trace.recognisedBy,
      'no header, and 10 of the first 10 lines have 10 cells with a status in the 4th, as in pai_task_table',
    );
    const named = await importTables({ pai_task_table: TABLE });
    assert.match(named.recognisedBy ?? '', /; the file is named so too$/);
  });

  it('is not seen in other tables', async () => {
    for (const text of ['a,b,c,d,e,f,g,h,i,j\n1,2,3,4,5,6,7,8,9,10\n', 'a,1,Terminated\n', ',\n']) {
      assert.match(await messageOf(importText(text)), /format not recognised/);
    }
  });

  it('may have bad rows, which are located', async () => {
    const table = `${TABLE}job-y,worker,1.5,Failed,1.0,2.0,600.0,29.3,100.0,T4\njob-z,worker\n`;
    const trace = await importTables({ pai_task_table: table }, { maxBadRows: 2 });
    assert.deepEqual(trace.report.badRowExamples, [
      "pai_task_table.csv:11:14 inst_num: expected a whole number, found '1.5'",
      'pai_task_table.csv:12 expected 10 cells, found 2',
    ]);
    assertNothingLost(trace);
    const many = 'job-y,worker,1000000,Failed,1.0,2.0,600.0,29.3,200.0,T4\n';
    const message = await messageOf(importTables({ pai_task_table: many }));
    assert.match(message, /asks for 2000000 GPUs; expected at most 1000000/);
  });

  it('that is joined may have bad rows too, which are counted, and not too many', async () => {
    const rows = Array.from({ length: 199 }, (_, at) => `job-${at},i,u,Failed,1.0,2.0\n`).join('');
    const bad = 'job-x,i,u,Failed,x,2.0\n';
    const tables = (jobs: string) => ({ pai_task_table: TABLE, pai_job_table: jobs });
    const { report } = await importTables(tables(rows + bad));
    assert.match(report.assumed[0] ?? '', /pai_job_table: 200 rows, 1 of them bad and left out/);
    assert.match(
      await messageOf(importTables(tables(rows + bad.repeat(3)))),
      /^pai_job_table\.csv:200:18 start_time: expected a number, found 'x' \(3 of 202 rows are bad/,
    );
    const strict = importTables(tables(rows + bad), { maxBadRows: 0 });
    assert.match(await messageOf(strict), /^pai_job_table\.csv:200:18 start_time/);
  });

  it('that is joined and damaged is joined without its bad rows, or refused by name', async () => {
    const damage = damaged([JOBS, INSTANCES, TAGS, MACHINES]);
    const name = fc.constantFrom(
      ...['pai_job_table', 'pai_instance_table', 'pai_group_tag_table', 'pai_machine_spec'],
    );
    await fc.assert(
      fc.asyncProperty(damage, name, async (content, table) => {
        const tables = { pai_task_table: TABLE, pai_job_table: JOBS, [table]: content };
        try {
          assertNothingLost(await importTables(tables, { maxBadRows: 5 }));
        } catch (error) {
          if (!(error instanceof InputError)) throw error;
          assert.ok(error.message.startsWith(`${table}.csv`), error.message);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('reads damaged tables with every row accounted for, or refuses them', async () => {
    await assertReadOrRefused([TABLE], { format: 'pai' });
    await assertReadOrRefused([TABLE], { format: 'pai', settings: { unit: 'job' } }, 100);
    await assertReadOrRefused([TABLE], {}, 100);
  });
});
