import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readJobs } from '../../harness/peers/lucid/inputs.ts';
import { lucidPeer } from '../../harness/peers/lucid/peer.ts';
import { replayRequest } from '../../harness/peers/request.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { job, rowsById, run } from '../policies/schedule.ts';
import { clusterOf, worldOf } from '../support/flat.ts';

const FIXTURES = fileURLToPath(new URL('fixtures/lucid/', import.meta.url));
const DATA = process.env.HESHARE_DATA;
const TOY10 = `${FIXTURES}toy10.csv`;

describe('harness/peers/lucid', () => {
  const folder = temporaryFolder();

  /** Writes a trace: rows of id, vc, GPUs, submission, duration and model. */
  function trace(...rows: readonly string[]): string {
    const header = 'job_id,vc,gpu_num,submit_time,duration,model,dataset,batchsize,amp';
    const file = folder.file('trace.csv');
    writeFileSync(file, `${header}\n${rows.map((row) => `${row},set,32,0\n`).join('')}`);
    return file;
  }

  /** Invented measurements: A and B slow each other to half, A beside A runs at 0.9 and 0.8. */
  function measurements(): Record<string, string> {
    const [singles, pairs] = [folder.file('singles.csv'), folder.file('pairs.csv')];
    writeFileSync(
      singles,
      'model,dataset,batchsize,amp,gmem,label\nA,set,32,0,1000,0\nB,set,32,0,2000,1\nNeuMF,set,32,0,500,2\n',
    );
    const columns = ['1', '2'].flatMap((side) =>
      ['model', 'dataset', 'batchsize', 'amp', 'speed'].map((name) => `${name}${side}`),
    );
    writeFileSync(
      pairs,
      `${columns.join(',')}\nA,set,32,0,0.5,B,set,32,0,0.5\nA,set,32,0,0.9,A,set,32,0,0.8\n`,
    );
    return { singles, pairs };
  }

  function replay(
    policy: string,
    file: string,
    settings: Record<string, number | string | boolean> = {},
    to = '1x8',
  ) {
    const inputs = { trace: file, cluster: to };
    return lucidPeer.replay(replayRequest(lucidPeer, { policy, inputs, settings }));
  }

  async function times(...args: Parameters<typeof replay>) {
    const { jobs } = await replay(...args);
    return Object.fromEntries(
      jobs.map((row) => [String(row.job_id), [row.start, row.end]] as const),
    );
  }

  it('leaves the survivor of a pair slow as released, and restores it otherwise', async () => {
    // Both run at 0.5: 1 is done after 20 s and ends a second late, at 21. 2 has 10 left at 20.
    // As released it goes on at 0.5: 20 s more, at 40, ends at 41. Restored at 21, it is done at 30.
    const file = trace('1,v,8,0,10,A', '2,v,8,0,20,B');
    const tables = measurements();
    assert.deepEqual(await times('lucid', file, tables), { 1: [0, 21], 2: [0, 41] });
    const restored = { ...tables, compat: 'false' };
    assert.deepEqual(await times('lucid', file, restored), { 1: [0, 21], 2: [0, 31] });
  });

  it('restores the job that was placed first when the other ends, and joins no shorter job', async () => {
    const file = trace('1,v,1,0,10,B', '2,v,1,1,5,A');
    // 1 runs alone for a second (9 left at 1), then both at 0.5: 2 is done at 11 and ends at 12. 1 has 4
    // left at 11, is looked at before 2 ends at 12 (3.5), then runs whole seconds: -0.5 at 16, ends at 17.
    assert.deepEqual(await times('lucid', file, measurements()), { 1: [0, 17], 2: [1, 12] });
    // 1 expects more than twice what 2 expects, which goes first: each has a GPU.
    const apart = trace('1,v,1,0,30,B', '2,v,1,0,5,A');
    assert.deepEqual(await times('lucid', apart, measurements()), { 1: [0, 31], 2: [0, 6] });
  });

  it('takes models that were not measured in pairs for harmless', async () => {
    const file = trace('1,v,8,0,10,A', '2,v,8,0,10,NeuMF');
    assert.deepEqual(await times('lucid', file, measurements()), { 1: [0, 11], 2: [0, 11] });
  });

  it('goes by estimates where there are some', async () => {
    // By durations 2 goes first and 1 joins it; by estimates 1 goes first, and 2 expects too much.
    const file = trace('1,v,8,0,20,A', '2,v,8,0,10,A');
    const tables = measurements();
    assert.deepEqual((await times('lucid', file, tables))[1]?.[0], 0);
    const estimates = folder.file('estimates.csv');
    writeFileSync(estimates, 'job_id,priority\n1,10\n2,21\n');
    assert.deepEqual(await times('lucid', file, { ...tables, estimates }), {
      1: [0, 21],
      2: [21, 32],
    });
    assert.deepEqual(await times('qssf', trace('1,v,8,0,9,A', '2,v,8,1,9,A', '3,v,8,2,1,A'), {}), {
      1: [0, 9],
      2: [10, 19],
      3: [9, 10],
    });
    writeFileSync(estimates, 'job_id,priority\n1,-5\n');
    await assert.rejects(times('lucid', file, { ...tables, estimates }), /no estimate of job '2'/);
  });

  it('sorts jobs that come to an empty queue by their GPUs alone under qssf', async () => {
    // X expects 8, Y 100; the one with fewer GPUs is tried first and blocks the other.
    const file = trace('X,v,8,0,1,A', 'Y,v,1,0,100,A');
    assert.deepEqual(await times('qssf', file), { X: [100, 101], Y: [0, 100] });
    assert.deepEqual(await times('sjf', file), { X: [0, 1], Y: [1, 101] });
  });

  it('preempts at a price of 40 s, and 60 s for more than 8 GPUs', async () => {
    // 2 has less left at 10 and takes all; 1 has 90 + 40 left and comes back when 2 ends, at 10 + 21.
    const small = trace('1,v,8,0,100,A', '2,v,8,10,20,A');
    assert.deepEqual(await times('srtf', small), { 1: [0, 31 + 131], 2: [10, 31] });
    const large = trace('1,v,16,0,100,A', '2,v,16,10,20,A');
    assert.deepEqual(await times('srtf', large, {}, '2x8'), { 1: [0, 31 + 151], 2: [10, 31] });
  });

  it('decides every 60 s by two queues under tiresias', async () => {
    // 1 has had more than 100 GPU-seconds at 60 and gives way to 2, which ends at 60 + 11 and is seen
    // at 120.
    const file = trace('1,v,8,0,300,A', '2,v,8,10,10,A');
    const settings = { threshold: 100 };
    assert.deepEqual(await times('tiresias', file, settings), { 1: [0, 120 + 281], 2: [60, 71] });
    assert.deepEqual((await times('tiresias', file))[2], [360, 371]);
  });

  it('gives each virtual cluster of a file its own nodes, and leaves out the jobs of others', async () => {
    const config = folder.file('vc_config.csv');
    writeFileSync(config, ',num\na,1\nb,2\n');
    const file = trace('1,a,8,0,10,A', '2,b,16,1,10,A', '3,a,8,2,10,A', '4,c,8,3,10,A');
    const { jobs, summary } = await replay('fifo', file, {}, config);
    assert.deepEqual(
      jobs.map((row) => [row.job_id, row.start, row.nodes]),
      [
        ['1', 0, '[{"0": [0, 1, 2, 3, 4, 5, 6, 7]}]'],
        ['2', 1, '[{"0": [0, 1, 2, 3, 4, 5, 6, 7]}, {"1": [0, 1, 2, 3, 4, 5, 6, 7]}]'],
        ['3', 10, '[{"0": [0, 1, 2, 3, 4, 5, 6, 7]}]'],
      ],
    );
    assert.deepEqual(summary, { n: 3, avgJCT: 38 / 3, avgQueue: 8 / 3, makespan: 20, ckpt: 0 });
    await assert.rejects(
      replay('fifo', trace('4,c,8,3,10,A'), {}, config),
      /no jobs of the virtual/,
    );
  });

  it('refuses what its simulator could not run', async () => {
    const tables = measurements();
    const refused = async (pattern: RegExp, ...args: Parameters<typeof replay>) => {
      await assert.rejects(replay(...args), pattern);
    };
    await refused(
      /trace\.csv:2 job '1' needs 16 GPUs, the cluster has 8/,
      'fifo',
      trace('1,v,16,0,5,A'),
    );
    await refused(/duration: expected a whole number/, 'fifo', trace('1,v,1,0,5.5,A'));
    await refused(/duration: expected 1 to/, 'fifo', trace('1,v,1,0,0,A'));
    await refused(/job '1' stands on line 2 already/, 'fifo', trace('1,v,1,0,5,A', '1,v,1,0,5,A'));
    await refused(/nodes have 4 GPUs/, 'fifo', trace('1,v,1,0,5,A'), {}, '1x4');
    await refused(/needs the measurements/, 'lucid', trace('1,v,1,0,5,A'));
    await refused(
      /no measurement of job '1' alone: 'C set 32 0'/,
      'lucid',
      trace('1,v,1,0,5,C'),
      tables,
    );
    const pair = trace('1,v,1,0,5,B', '2,v,1,0,5,B');
    writeFileSync(tables.singles ?? '', 'model,dataset,batchsize,amp,gmem,label\nB,set,32,0,9,0\n');
    await refused(
      /no measurement of the pair 'B set 32 0' and 'B set 32 0'/,
      'lucid',
      pair,
      tables,
    );
    measurements();
    const zero = trace('0,v,1,0,5,A', '1,v,1,0,5,A');
    await refused(/job '0' shares GPUs: the released simulator fails/, 'lucid', zero, tables);
    assert.ok(await replay('lucid', zero, { ...tables, compat: false }));
  });

  it('as recorded, restores partners to the two means that were worked out for that', async function () {
    const pairs = path.join(DATA ?? '', 'calibration/lucid/colocate_info.csv');
    if (DATA === undefined || !existsSync(pairs)) {
      this.skip();
    }
    const inputs = { trace: TOY10, cluster: '2x8' };
    const given = { policy: 'lucid', inputs, settings: { compat: false } };
    const { summary } = await lucidPeer.replay(replayRequest(lucidPeer, given, DATA));
    assert.equal(summary.avgJCT, 1848.5);
  });
});

describe('the recorded schedules of the Lucid simulator', () => {
  for (const policy of ['fifo', 'sjf', 'qssf']) {
    it(`${policy} is met by the engine's policy ${policy}: times, nodes and GPUs`, async () => {
      const jobs = await readJobs(TOY10);
      const specs = jobs.map(({ item }) =>
        job(item.id, item.submitS, item.gpuCount, item.durationS),
      );
      const cluster = clusterOf({ nodes: 2, gpusPerNode: 8 });
      const rows = rowsById(run(worldOf({ jobs: specs, cluster }), policy, { strict: true }));
      const cases = await lucidPeer.recorded(FIXTURES);
      const recorded = cases.find((candidate) => candidate.policy === policy);
      const expected = recorded?.expected.rows ?? assert.fail(`no recorded ${policy}`);
      assert.equal(expected.length, 10);
      for (const { job_id: id, start, end, queue, nodes } of expected) {
        const row = rows[String(id)];
        const held = (JSON.parse(String(nodes)) as Record<string, number[]>[]).flatMap((part) =>
          Object.entries(part).flatMap(([node, gpus]) => gpus.map((gpu) => 8 * Number(node) + gpu)),
        );
        assert.deepEqual(
          [row?.startS, row?.endS, row?.queueS, row?.gpus],
          [start, end, queue, held],
        );
      }
    });
  }
});
