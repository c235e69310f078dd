import assert from 'node:assert/strict';
import path from 'node:path';
import { checkCase } from '../../harness/peers/check-case.ts';
import {
  GAVEL_RULES,
  type GavelJob,
  gavelPeer,
  parseGavelCluster,
  parseThroughputTable,
  readGavelTrace,
  readThroughputTable,
  replayGavel,
} from '../../harness/peers/gavel/index.ts';
import { printed } from '../../harness/peers/gavel/printed.ts';
import { loadSolver } from '../../policies/lp/index.ts';
import { InputError } from '../../sim/errors.ts';

const DATA = process.env.HESHARE_DATA ?? null;
const why = DATA === null ? ' (skipped: HESHARE_DATA is unset)' : '';

/** Two job types on two worker types, round numbers: `x` is ten times as fast on a V100. */
const table = parseThroughputTable(
  'table.json',
  JSON.stringify({
    v100: {
      "('x', 1)": { null: 10, "('x', 1)": [8, 8], "('y', 1)": [9, 1] },
      "('y', 1)": { null: 2, "('y', 1)": [1, 1], "('x', 1)": [1, 9] },
      "('x', 2)": { null: 15 },
    },
    k80: {
      "('x', 1)": { null: 1, "('x', 1)": [0.5, 0.5], "('y', 1)": [0.5, 0.5] },
      "('y', 1)": { null: 1, "('y', 1)": [0.5, 0.5], "('x', 1)": [0.5, 0.5] },
      "('x', 2)": { null: 1.5 },
    },
  }),
);

let next = 0;
function traceJob(jobType: string, totalSteps: number, over: Partial<GavelJob> = {}): GavelJob {
  next += 1;
  return { id: next, jobType, totalSteps, scaleFactor: 1, weight: 1, arrivalS: 0, ...over };
}

const run = (trace: GavelJob[], policy: string, cluster: Record<string, number>) =>
  replayGavel({ trace, throughputs: table, cluster, policy });

describe("the replay of Gavel's simulator", () => {
  before(loadSolver);

  it('runs rounds of whole steps, as long as the longest of them', () => {
    // Round 1: a does 3600 of 4000 steps in 360 s, b all of its 100 steps in 50 s. Round 2: a 400 steps.
    const trace = [traceJob('x', 4000), traceJob('y', 100)];
    const result = run(trace, 'fifo_perf', { v100: 2 });
    assert.deepEqual(
      result.jobs.map(({ jctS }) => jctS),
      [400, 50],
    );
    assert.deepEqual([result.makespanS, result.averageJctS, result.rounds], [400, 225, 2]);
    // a held its GPU for 400 s and b for 50 s of 2 x 400 s; a kept it once, and that was the only chance.
    assert.equal(result.utilization, 450 / 800);
    assert.deepEqual([result.leasesKept, result.leasesOffered], [1, 1]);
  });

  it('holds all jobs back until the longest of a round is done', () => {
    // On one GPU b starts when a has ended; c, on the K80 from the start, ends at 300, and d waits for it.
    const trace = [traceJob('x', 100), traceJob('x', 300), traceJob('x', 100)];
    const result = run(trace, 'fifo_perf', { v100: 1, k80: 1 });
    // a: 10 s on the V100. b takes the K80: 300 s. c starts with the next round, at 300.
    assert.deepEqual(
      result.jobs.map(({ endS }) => endS),
      [10, 300, 310],
    );
  });

  it('leaves the GPUs of a job that came late idle until shares are made again', () => {
    // Shares are made at 0 and at 360, and not again before 2280, when b has waited for 1800 s.
    const trace = [traceJob('x', 40_000), traceJob('x', 10), traceJob('x', 100, { arrivalS: 400 })];
    const result = run(trace, 'max_min_fairness_perf', { v100: 2 });
    assert.deepEqual(
      result.jobs.map(({ endS }) => endS),
      [4000, 1, 2530],
    );
  });

  it('gives a job up after five rounds in which a worker of its gang had no step', () => {
    // One step for two workers: the first gets none.
    const trace = [traceJob('x', 1, { scaleFactor: 2 }), traceJob('x', 10)];
    const result = run(trace, 'fifo_perf', { v100: 3 });
    assert.ok(Number.isNaN(result.jobs[0]?.jctS));
    assert.deepEqual([result.jobs[1]?.jctS, result.averageJctS], [1, 1]);
  });

  it('refuses a job that can never run', () => {
    const trace = [traceJob('x', 100, { scaleFactor: 2 })];
    assert.throws(
      () => run(trace, 'fifo_perf', { v100: 1, k80: 1 }),
      (error: unknown) =>
        error instanceof InputError && /can never run on this cluster/.test(error.message),
    );
    assert.throws(() => run(trace, 'allox', { v100: 2 }), /allox only takes jobs with 1/);
    assert.throws(() => run(trace, 'sjf', { v100: 2 }), /unknown policy 'sjf' of gavel/);
  });

  it('replays every rule to the end', () => {
    for (const { name } of GAVEL_RULES) {
      const trace = ['x', 'y', 'x', 'y', 'x'].map((type, i) => traceJob(type, 2000 * (i + 1)));
      const result = run(trace, name, { v100: 1, k80: 2 });
      assert.equal(result.jobs.filter(({ jctS }) => jctS > 0).length, 5, name);
    }
  });

  it('prints numbers as Python does', () => {
    assert.deepEqual([0.0625, 0.1875, 1.0005, 2.5].map(printed), [0.062, 0.188, 1, 2.5]);
  });

  it('says what is wrong with a cluster or a throughput table', async () => {
    assert.deepEqual(parseGavelCluster('2:0:1'), { v100: 2, p100: 0, k80: 1 });
    for (const word of ['2:2', '0:0:0', 'a:b:c', '2x8', '-1:2:2']) {
      assert.throws(() => parseGavelCluster(word), /expected GPUs of v100:p100:k80/, word);
    }
    const parse = (text: string) => () => parseThroughputTable('t.json', text);
    assert.throws(parse('{'), /t\.json is not JSON/);
    assert.throws(parse('[]'), /the table: expected an object/);
    assert.throws(parse('{"v100":{"x":{}}}'), /expected a job like/);
    assert.throws(
      () => table.alone('v100', 'z', 1),
      /has no throughputs of 'z' with scale factor 1/,
    );
    assert.throws(() => table.together('v100', 'x', 'x', 2), /expected two throughputs/);
    await assert.rejects(readThroughputTable('nowhere.json'), /nowhere\.json cannot be read/);
  });
});

describe(`the recorded runs of Gavel's simulator${why}`, () => {
  if (DATA === null) {
    it('need HESHARE_DATA');
    return;
  }
  const folder = path.join(DATA, 'peer-cases', 'gavel');

  before(loadSolver);

  it('come out the same to the last digit, but for two whose ties its solver decides', async () => {
    const cases = await gavelPeer.recorded(folder);
    assert.equal(cases.length, 13);
    const tied: string[] = [];
    for (const recorded of cases) {
      const outcome = await checkCase(gavelPeer, recorded, DATA);
      assert.equal(outcome.error, null, recorded.name);
      if (recorded.tolerance === 0) {
        assert.deepEqual([outcome.rows, outcome.rowsDiffering, outcome.worst], [20, 0, 0]);
      } else {
        tied.push(recorded.policy);
        assert.ok(outcome.worst <= 0.1, `${recorded.name}: ${outcome.worst}`);
      }
    }
    assert.deepEqual(tied, ['finish_time_fairness', 'max_min_fairness']);
  });

  it('also for the jobs on one GPU alone: two pairs of figures', async () => {
    // The trace small_1gpu is the small one without its gangs.
    const trace = await readGavelTrace(path.join(folder, 'small_test.trace'));
    const throughputs = await readThroughputTable(path.join(folder, 'throughputs_subset.json'));
    const singles = trace.filter(({ scaleFactor }) => scaleFactor === 1);
    const figures = (policy: string) => {
      const cluster = { v100: 2, p100: 2, k80: 2 };
      const result = replayGavel({ trace: singles, throughputs, cluster, policy });
      return [printed(result.averageJctS), printed(result.makespanS)];
    };
    assert.deepEqual(figures('fifo_perf'), [558.493, 1220.11]);
    assert.deepEqual(figures('allox'), [326.597, 863.564]);
  });
});
