import assert from 'node:assert/strict';
import fc from 'fast-check';
import { assertReadOrRefused } from '../damage.ts';
import { assertNothingLost, importText, messageOf } from '../support.ts';

const COLUMNS =
  'id_job,id_array_job,id_array_task,id_user,kill_requid,nodes_alloc,nodelist,cpus_req,derived_ec,' +
  'exit_code,gres_used,array_max_tasks,array_task_pending,constraints,flags,mem_req,partition,' +
  'priority,state,timelimit,time_submit,time_eligible,time_start,time_end,time_suspended,' +
  'track_steps,tres_alloc,tres_req,job_type';
const quote = (cell: string) => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** A row as the notebook of the data set shows it: a Python list and resources in quotes. */
const row = (id: string, more: Partial<Record<string, string | number>> = {}) => {
  const cells: Partial<Record<string, string | number>> = {
    id_job: id,
    id_array_job: 0,
    id_array_task: 4_294_967_294,
    id_user: 91_828_374,
    nodes_alloc: 1,
    nodelist: "['r9189566-n911952', 'r9189567-n911953']",
    cpus_req: 20,
    array_task_pending: 0,
    mem_req: '9223372036854779808',
    partition: 'xeon-g6-volta',
    state: 3,
    timelimit: 1440,
    time_submit: 1_621_555_000,
    time_eligible: 1_621_555_001,
    time_start: 1_621_555_060,
    time_end: 1_621_558_660,
    time_suspended: 0,
    tres_alloc: '1=20,2=170000,4=1,5=20,1002=2',
    tres_req: '1=20,2=170000,4=1,5=20,1002=1',
    job_type: 'LLSUB:BATCH',
    ...more,
  };
  const line = COLUMNS.split(',').map((name) => quote(String(cells[name] ?? '')));
  return `${line.join(',')}\n`;
};
const log = (...rows: readonly string[]) => `${COLUMNS}\n${rows.join('')}`;
const imported = (...rows: readonly string[]) => importText(log(...rows));

describe('supercloud', () => {
  it('makes a job of a row: GPUs from tres_alloc, times in seconds, its limit in minutes', async () => {
    const trace = await imported(row('60502938471625'));
    assert.equal(trace.format, 'supercloud');
    const [job] = trace.jobs;
    // 1,621,558,660 - 1,621,555,060; it waited 60 s; 1,440 minutes are 86,400 s.
    assert.deepEqual(
      [job?.id, job?.submitS, job?.durationS, job?.queuedS, job?.requestedS],
      ['60502938471625', 0, 3600, 60, 86_400],
    );
    assert.deepEqual(
      [job?.gpuCount, job?.referenceGpu, job?.memoryGib, job?.status],
      [2, 'V100', null, 'COMPLETED'],
    );
    assert.deepEqual([job?.user, job?.virtualCluster], ['91828374', 'xeon-g6-volta']);
    assert.equal(
      trace.report.assumed[0],
      'time 0 is the first submission kept, 2021-05-20 23:56:40 UTC',
    );
    assertNothingLost(trace);
  });

  it('knows both kinds of GPU by number, and takes 4 for nodes', async () => {
    const { jobs, report } = await imported(
      row('1', { tres_alloc: '1=1,4=4,1001=3' }),
      row('2', { tres_alloc: ' 1001=1,1002=2 ' }),
      row('3', { tres_alloc: '1=20,2=170000,4=1,5=20' }),
      row('4', { tres_alloc: '1=20,1002=0', gres_used: 'gpu:volta:1' }),
      row('5', { tres_alloc: '' }),
    );
    assert.deepEqual(
      jobs.map(({ gpuCount, referenceGpu }) => [gpuCount, referenceGpu]),
      [
        [3, null],
        [3, null],
      ],
    );
    assert.deepEqual(report.dropped, { cpu_only: 3 });
    assert.ok(
      report.assumed.includes(
        '1 rows without GPUs in tres_alloc name a gpu in gres_used: cpu_only',
      ),
    );
  });

  it('names the states of Slurm, and takes 0 for a time that has not come', async () => {
    const states = [3, 4, 5, 6, 7, 8, 9, 10, 11, 1024];
    const { jobs, report } = await imported(
      ...states.map((state) => row(String(state), { state })),
      row('pending', { id_job: 20, state: 0, time_start: 0, time_end: 0, array_task_pending: 7 }),
      row('running', { id_job: 21, state: 1, time_end: 0 }),
      row('zero', { id_job: 22, time_end: 1_621_555_060 }),
      row('back', { id_job: 23, time_end: 1_621_555_000 }),
    );
    assert.deepEqual(
      jobs.map(({ status }) => status),
      [
        ...['COMPLETED', 'CANCELLED', 'FAILED', 'TIMEOUT', 'NODE_FAIL', 'PREEMPTED'],
        ...['BOOT_FAIL', 'DEADLINE', 'OUT_OF_MEMORY', '1024'],
      ],
    );
    assert.deepEqual(report.dropped, { no_start: 1, no_end: 1, nonpositive_duration: 2 });
    assert.match(report.assumed.join('\n'), /1 jobs have a state that Slurm does not list/);
  });

  it('has no limit where Slurm says unlimited or not set', async () => {
    const limits = [4_294_967_295, 4_294_967_294, '4294967295.0', '', 0];
    const { jobs } = await imported(
      ...limits.map((timelimit, index) => row(String(index), { timelimit })),
    );
    assert.deepEqual(
      jobs.map(({ requestedS }) => requestedS),
      [null, null, null, null, null],
    );
  });

  it('keeps the completed one of rows with one id, or the first', async () => {
    const rows = [
      row('7', { state: 7, time_submit: 1_621_555_010, time_end: 1_621_555_070 }),
      row('8'),
      row('7', { state: 3, time_submit: 1_621_555_020 }),
      row('7', { state: 3, time_submit: 1_621_555_030 }),
      row('8', { state: 5 }),
    ];
    const trace = await imported(...rows);
    assert.deepEqual(
      trace.jobs.map(({ id, submitS, status, row: at }) => [id, submitS, status, at]),
      [
        ['8', 0, 'COMPLETED', 2],
        ['7', 20, 'COMPLETED', 3],
      ],
    );
    assert.deepEqual(trace.report.dropped, { duplicate_id: 3 });
    assertNothingLost(trace);
    const first = await importText(log(...rows), { settings: { duplicates: 'first' } });
    assert.deepEqual(
      first.jobs.map(({ status }) => status),
      ['COMPLETED', 'NODE_FAIL'],
    );
  });

  it('reads ids that were written as numbers with decimals, and says when digits are lost', async () => {
    const { jobs, report } = await imported(
      row('60502938471625.0'),
      row('60502938471625'),
      row('6.0502938e+13'),
    );
    assert.deepEqual(
      [...jobs].map(({ id }) => id),
      ['60502938471625', '6.0502938e+13'],
    );
    assert.deepEqual(report.dropped, { duplicate_id: 1 });
    assert.match(report.assumed.join('\n'), /1 ids are written as rounded numbers/);
  });

  it('counts suspended time as held, or takes it off when asked', async () => {
    const text = log(row('1', { time_suspended: 600 }), row('2'));
    const held = await importText(text);
    assert.deepEqual(
      held.jobs.map(({ durationS }) => durationS),
      [3600, 3600],
    );
    assert.match(held.report.assumed.join('\n'), /1 jobs were suspended .* counts in their run/);
    const taken = await importText(text, { settings: { suspended: 'subtracted' } });
    assert.deepEqual(
      taken.jobs.map(({ durationS }) => durationS),
      [3000, 3600],
    );
  });

  it('passes over amounts that overflow where they are not GPUs, and counts them', async () => {
    const huge = '18446744073709551614';
    const { jobs, report } = await imported(row('1', { tres_alloc: `1=20,2=${huge},1002=1` }));
    assert.equal(jobs.length, 1);
    assert.match(report.assumed.join('\n'), /1 rows allocate amounts past 64 bits/);
    const message = await messageOf(imported(row('1', { tres_alloc: `1=20,1002=${huge}` })));
    assert.match(message, /tres_alloc: expected 0 to 1000000 GPUs, found '18446744073709551614'/);
  });

  it('points at what is wrong in a row', async () => {
    const cases: readonly (readonly [string, RegExp])[] = [
      [row('1', { tres_alloc: '1=20,gpu' }), /tres_alloc: expected numbers like .* found 'gpu'/],
      [row('1', { tres_alloc: '1002=1,1002=1' }), /tres_alloc: resource 1002 occurs twice/],
      [row('1', { tres_alloc: '1002=-1' }), /tres_alloc: expected numbers like/],
      [row('abc'), /id_job: expected a number, found 'abc'/],
      [row('1', { state: 'COMPLETED' }), /state: expected a number, found 'COMPLETED'/],
      [row('1', { time_submit: '' }), /time_submit: expected a number, found ''/],
      [row('1', { time_start: -1 }), /time_start: expected 0 to/],
    ];
    for (const [line, message] of cases) assert.match(await messageOf(imported(line)), message);
  });

  it('adds up resources as written', async () => {
    const amounts = fc.dictionary(
      fc.constantFrom('1', '2', '4', '5', '1001', '1002', '1003'),
      fc.nat(99),
      { maxKeys: 6 },
    );
    await fc.assert(
      fc.asyncProperty(amounts, async (resources) => {
        const cell = Object.entries(resources).map(([id, amount]) => `${id}=${amount}`);
        const trace = await imported(row('1', { tres_alloc: cell.join(',') }), row('2'));
        const gpus = (resources['1001'] ?? 0) + (resources['1002'] ?? 0);
        assert.equal(trace.jobs.find(({ id }) => id === '1')?.gpuCount ?? 0, gpus);
        assertNothingLost(trace);
      }),
      { numRuns: 60 },
    );
  });

  it('reads damaged files soundly or refuses them', async () => {
    const text = log(row('1'), row('2', { state: 5 }));
    await assertReadOrRefused([text], { format: 'supercloud' }, 120);
  });
});
