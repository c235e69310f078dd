import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { type IdealJob, idealWorld } from '../../harness/peers/ideal-world.ts';
import { replayRequest } from '../../harness/peers/request.ts';
import { readJobs, readSamples } from '../../harness/peers/tiresias/inputs.ts';
import { tiresiasPeer } from '../../harness/peers/tiresias/peer.ts';
import { SCHEDULES } from '../../harness/peers/tiresias/schedules.ts';
import { releasedGittinsIndex } from '../../policies/order/gittins.ts';
import type { JobSpec } from '../../sim/job.ts';
import { simulate } from '../../sim/simulate.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { job, rowsById, run } from '../policies/schedule.ts';
import { clusterOf, worldOf } from '../support/flat.ts';
import { type ListRules, listSchedule } from './tiresias-lists.ts';

const DATA = process.env.HESHARE_DATA;
const FIXTURES = fileURLToPath(new URL('fixtures/tiresias/', import.meta.url));

/** Our name and options of a schedule of the simulator. */
const cases: readonly [schedule: string, policy: string, options: Record<string, unknown>][] = [
  ['fifo', 'fifo', {}],
  ['fjf', 'fifo-fit', {}],
  ['sjf', 'smallest-first', {}],
  ['shortest', 'srtf', {}],
  ['dlas', 'tiresias', { service: 'time' }],
  ['dlas', 'tiresias', { service: 'time', demotion: 'released' }],
  ['dlas-gpu', 'tiresias', { demotion: 'released' }],
  ['dlas-gpu-1', 'tiresias', { demotion: 'released', promoteKnob: 1 }],
];

describe('the recorded schedules of the Tiresias simulator', () => {
  let jobs: readonly JobSpec[] = [];

  before(async () => {
    const ideal = await readJobs(`${FIXTURES}hand12.csv`);
    jobs = ideal.map(({ id, submitS, gpuCount, durationS }) =>
      job(id, submitS, gpuCount, durationS),
    );
  });

  for (const [schedule, policy, options] of cases) {
    const given = Object.entries(options).map(([key, value]) => ` ${key}=${String(value)}`);
    it(`${schedule} is met to the second by policy ${policy}${given.join('')}`, async () => {
      const world = worldOf({ jobs, cluster: clusterOf({ nodes: 2, gpusPerNode: 4 }) });
      const rows = rowsById(run(world, policy, options));
      const recorded = (await tiresiasPeer.recorded(FIXTURES)).find(
        (candidate) => candidate.policy === schedule,
      );
      const expected = recorded?.expected.rows ?? assert.fail(`no recorded ${schedule}`);
      assert.equal(expected.length, 12);
      for (const { job_id: id, start_time, end_time, preempt } of expected) {
        const row = rows[String(id)];
        assert.deepEqual(
          [row?.startS, row?.endS, row?.preemptions],
          [start_time, end_time, preempt],
        );
      }
    });
  }
});

describe('the recorded Gittins schedule of the Tiresias simulator', () => {
  it('is met to the second by policy tiresias-g compat=true', async function () {
    const samples = path.join(DATA ?? '', 'peer-cases/tiresias/yarn-gput1000.csv');
    if (DATA === undefined || !existsSync(samples)) {
      this.skip();
    }
    const ideal = await readJobs(`${FIXTURES}hand12.csv`);
    const jobs = ideal.map(({ id, submitS, gpuCount, durationS }) =>
      job(id, submitS, gpuCount, durationS),
    );
    const world = worldOf({ jobs, cluster: clusterOf({ nodes: 2, gpusPerNode: 4 }) });
    const options = { compat: true, samples: (await readSamples(samples)).join(',') };
    const rows = rowsById(run(world, 'tiresias-g', options));
    const recorded = (await tiresiasPeer.recorded(FIXTURES)).find(
      ({ policy }) => policy === 'dlas-gpu-gittins',
    );
    assert.equal(recorded?.expected.rows.length, 12);
    for (const { job_id: id, start_time, end_time, preempt } of recorded.expected.rows) {
      const row = rows[String(id)];
      assert.deepEqual([row?.startS, row?.endS, row?.preemptions], [start_time, end_time, preempt]);
    }
  });
});

/** The rules of the list model by schedule. */
const gittins = releasedGittinsIndex([120, 200, 330, 500, 900, 2500, 7000, 40_000], 3250);
const rules: Readonly<Record<string, ListRules>> = {
  sjf: { key: ({ gpus }) => gpus },
  shortest: { key: ({ remainingS }) => remainingS },
  'shortest-gpu': { key: ({ remainingS, gpus }) => remainingS * gpus },
  dlas: { gpuTime: false },
  'dlas-gpu': {},
  'dlas-gpu-05': { knob: 0.5 },
  'dlas-gpu-1': { knob: 1 },
  'dlas-gpu-10': { knob: 10 },
  'dlas-gpu-gittins': { gittins },
  'dlas-gpu-gittins-1': { gittins, knob: 1 },
};

/** Coarse times make many events fall together. */
const traces: fc.Arbitrary<readonly IdealJob[]> = fc
  .record({
    unitS: fc.constantFrom(1, 100, 250),
    drawn: fc.array(
      fc.record({
        wait: fc.integer({ min: 0, max: 10 }),
        gpuCount: fc.constantFrom(1, 1, 2, 4, 6),
        duration: fc.integer({ min: 1, max: 60 }),
      }),
      { minLength: 1, maxLength: 25 },
    ),
  })
  .map(({ unitS, drawn }) => {
    let submitS = 0;
    return drawn.map(({ wait, gpuCount, duration }, i) => {
      submitS += wait * unitS;
      return { id: String(i), submitS, gpuCount, durationS: duration * unitS };
    });
  });

describe('harness/peers/tiresias', () => {
  const folder = temporaryFolder();

  for (const [name, rule] of Object.entries(rules)) {
    it(`replays ${name} as lists that are rearranged at every event do`, () => {
      const schedule = SCHEDULES.find((candidate) => candidate.name === name);
      fc.assert(
        fc.property(traces, fc.constantFrom(1, 2), (jobs, nodes) => {
          const made = schedule?.make(gittins) ?? assert.fail(name);
          const counts = { nodes, gpusPerNode: 6 };
          const result = simulate(idealWorld(jobs, counts), made.policy);
          const ours = jobs.map(({ id }, i) => {
            const { startS, endS, preemptions: preempt } = result.jobRow(i);
            return { id, startS, endS, preempt, promote: made.queues?.promotions(i) ?? 0 };
          });
          assert.deepEqual(ours, listSchedule(jobs, 6 * nodes, rule));
        }),
        { numRuns: 60 },
      );
    });
  }

  it('reads its traces and clusters in any order of columns, with ids that repeat', async () => {
    writeFileSync(
      folder.file('jobs.csv'),
      'duration,num_gpu,job_id,submit_time\n20.7,2,7,30\n10,1,7,0\n',
    );
    writeFileSync(
      folder.file('cluster.csv'),
      'num_switch,num_node_p_switch,num_gpu_p_node,num_cpu_p_node,mem_p_node\n2,1,1,8,16',
    );
    const inputs = { trace: folder.file('jobs.csv'), cluster: folder.file('cluster.csv') };
    const request = replayRequest(tiresiasPeer, { policy: 'fifo', inputs, settings: {} });
    const { jobs } = await tiresiasPeer.replay(request);
    assert.deepEqual(
      jobs.map((row) => [row.job_id, row.start_time, row.end_time, row.duration]),
      [
        ['7', 0, 10, 10],
        ['7', 30, 50, 20],
      ],
    );
  });

  it('refuses what its simulator could not run, naming the place', async () => {
    const trace = folder.file('jobs.csv');
    const replay = async (row: string, policy = 'fifo', cluster = '1x2') => {
      writeFileSync(trace, `job_id,num_gpu,submit_time,duration\n1,1,0,10\n${row}\n`);
      const given = { policy, inputs: { trace, cluster }, settings: {} };
      return tiresiasPeer.replay(replayRequest(tiresiasPeer, given));
    };
    const place = /jobs\.csv/;
    await assert.rejects(replay('2,4,0,10'), /job '2' needs 4 GPUs, the cluster has 2/);
    await assert.rejects(replay('2,0,0,10'), /jobs\.csv:3:3 num_gpu: expected 1 to/);
    await assert.rejects(replay('2,1,0.5,10'), /:3:5 submit_time: expected a whole number/);
    await assert.rejects(replay('2,1,0,0.5'), /:3:7 duration: expected 1 to/);
    await assert.rejects(replay('2,1,0'), /:3 expected 4 cells, found 3/);
    await assert.rejects(replay('2,1,0,1', 'dlas-gpu-gittins'), /--set samples=FILE schedule/);
    await assert.rejects(
      replay('2,1,0,1', 'fifo', 'two'),
      /'two' is no cluster: expected NODESxGPUS/,
    );
    await assert.rejects(replay('2,1,0,1', 'fifo', '0x2'), /'0x2' is no cluster/);
    await assert.rejects(replay('2,1,0,1', 'fifo', folder.file('no.csv')), /no such file/);
    writeFileSync(
      folder.file('two.csv'),
      'num_switch,num_node_p_switch,num_gpu_p_node\n1,1,1\n1,1,1\n',
    );
    await assert.rejects(replay('2,1,0,1', 'fifo', folder.file('two.csv')), /:3 expected one line/);
    await assert.rejects(replay('"', 'fifo'), place);
  });
});
