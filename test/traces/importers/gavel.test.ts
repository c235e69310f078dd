import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { importSource, importTrace } from '../../../traces/formats.ts';
import { SIMULATION_V100 } from '../../../traces/importers/gavel-rates.ts';
import type { ImportedTrace } from '../../../traces/workload.ts';
import { assertReadOrRefused } from '../damage.ts';
import {
  assertNothingLost,
  DATA_FOLDER,
  fixture,
  importText,
  messageOf,
  sourceOf,
} from '../support.ts';
import { expectedOf, publishedSuite } from './published.ts';

const RATES = { throughputs: fixture('gavel-rates.json') };
const GANG_RATES = { throughputs: fixture('gavel-gang-rates.json') };
const lines = (...rows: readonly (readonly (string | number)[])[]) =>
  rows.map((cells) => `${cells.join('\t')}\n`).join('');

/** Rows in the four layouts, of one job each. */
const seven = (type: string, steps: number, arrivalS: string, gpus: number) => [
  ...[type, 'cd %s && python3 a.py --x "1"', '-n', 1, steps, arrivalS, gpus],
];
const ten = (
  type: string,
  steps: number,
  gpus: number,
  weight: number,
  slo: string,
  at: number,
) => [...[type, 'python3 a.py', 'dir', '-n', 0, steps, gpus, weight, slo, at]];
const twelve = (mode: string, slo: string, durationS: number, at: number) => [
  ...['A', 'python3 a.py', 'dir', '-n', 1, 500, 2, mode, 1, slo, durationS, at],
];

const SEVEN = lines(
  seven('A', 100, '0.000000', 1),
  seven('B (batch size 8)', 30, '12.500000', 7),
  seven('A', 3, '12.500000', 24),
);
const TEN = lines(
  ten('A', 600, 4, 1, '-1.000000', 0),
  ten('A', 100, 1, 2, '1.200000', 5),
  ten('A', 100, 2, 1, '-1.000000', 9),
);
const TWELVE = lines(
  twelve('static', '-1.000000', 40, 0),
  twelve('gns', '2.000000', 30, 7),
  twelve('accordion', '-1.000000', 10, 8),
);

const facts = ({ jobs }: ImportedTrace) =>
  jobs.map((job) => [job.id, job.submitS, job.durationS, job.gpuCount, job.deadlineS]);

describe('gavel', () => {
  it('turns the steps of 7 fields into seconds, and keeps odd gang sizes', async () => {
    const trace = await importText(SEVEN, { settings: RATES });
    // 100 steps / 2 a second, 30 / 0.5, 3 / 2: the plain table has one rate at any gang size.
    assert.deepEqual(facts(trace), [
      ['0', 0, 50, 1, null],
      ['1', 12.5, 60, 7, null],
      ['2', 12.5, 1.5, 24, null],
    ]);
    assert.equal(trace.format, 'gavel');
    assert.match(trace.recognisedBy ?? '', /the 7 tab-separated fields/);
    assert.deepEqual(
      [trace.jobs[1]?.model, trace.jobs[1]?.referenceGpu],
      ['B (batch size 8)', 'V100'],
    );
    const { throughputs, throughputsSha256, referenceGpu } = trace.report.options;
    assert.equal(throughputs, RATES.throughputs);
    assert.match(String(throughputsSha256), /^[0-9a-f]{64}$/);
    assert.equal(referenceGpu, 'v100');
    assertNothingLost(trace);
  });

  it('looks up gang sizes, makes SLOs deadlines, and says what it does not keep', async () => {
    const trace = await importText(TEN, { settings: GANG_RATES });
    // 600 / 6 on 4 GPUs; 100 / 2, with a deadline of 1.2 x 50; no rate for 2 GPUs.
    assert.deepEqual(facts(trace), [
      ['0', 0, 100, 4, null],
      ['1', 5, 50, 1, 60],
    ]);
    assert.deepEqual(trace.report.dropped, { no_throughput: 1 });
    const said = trace.report.assumed.join('\n');
    assert.match(said, /the SLO of 1 jobs times their run time is their deadline/);
    assert.match(said, /priority weights other than 1 of 1 jobs are not kept/);
    assertNothingLost(trace);
  });

  it('reads the 9 fields of before there was a working directory', async () => {
    const row = ['A', 'python3 a.py', '-n', 0, 100, 1, 1, '-1.000000', 3];
    const trace = await importText(lines(row), { settings: RATES });
    assert.deepEqual(facts(trace), [['0', 3, 50, 1, null]]);
  });

  it('takes the run times that 12 fields state, and says which batch sizes changed', async () => {
    const trace = await importText(TWELVE);
    assert.deepEqual(facts(trace), [
      ['0', 0, 40, 2, null],
      ['1', 7, 30, 2, 60],
      ['2', 8, 10, 2, null],
    ]);
    assert.equal(trace.jobs[0]?.referenceGpu, null);
    const said = trace.report.assumed.join('\n');
    assert.match(said, /batch sizes of 1 jobs that change while they run \(gns\) do not here/);
    assert.match(said, /\(accordion\)/);
    assert.doesNotMatch(said, /static/);
    assert.match(
      await messageOf(importText(TWELVE, { settings: RATES })),
      /option throughputs: the trace has run times of its own; leave it out$/,
    );
  });

  it('takes another GPU type, without the jobs that did not run there', async () => {
    const settings = { ...RATES, referenceGpu: 'k80' };
    const trace = await importText(SEVEN, { settings });
    assert.deepEqual(facts(trace)[0], ['0', 0, 400, 1, null]);
    assert.equal(trace.jobs[0]?.referenceGpu, 'K80');
    assert.deepEqual(trace.report.dropped, { no_throughput: 1 });
    assert.match(
      await messageOf(importText(SEVEN, { settings: { ...RATES, referenceGpu: 'v10' } })),
      /option referenceGpu: expected one of 'v100', 'p100', 'k80', found 'v10'; did you mean 'v100'/,
    );
  });

  it('has the V100 of the tables that the steps were made with', async () => {
    const type = 'Transformer (batch size 128)';
    const philly = await importText(lines(seven(type, 14612, '0', 7)));
    // 14612 steps over 5.7712 a second: of 2532 s, whatever the gang.
    assert.equal(philly.jobs[0]?.durationS, 14612 / 5.771210833383417);
    assert.equal(philly.report.options.throughputs, 'built-in oracle_throughputs');
    assert.equal(philly.report.options.throughputsSha256, null);
    // 346 steps on 2 GPUs over the rate of 2.
    const rows = [ten(type, 346, 2, 1, '-1', 0), ten(type, 346, 3, 1, '-1', 0)];
    const physical = await importText(lines(...rows));
    assert.equal(physical.jobs[0]?.durationS, 346 / (SIMULATION_V100[type]?.[1] ?? 0));
    assert.deepEqual(physical.report.dropped, { no_throughput: 1 });
    const message = await messageOf(importText(SEVEN, { settings: { referenceGpu: 'p100' } }));
    assert.match(message, /^t\.csv only the V100 is built in: .* give option throughputs=FILE/);
    assert.match(
      message,
      /put oracle_throughputs\.json of github\.com\/stanford-futuredata\/gavel/,
    );
  });

  it('prefers a table that lies next to the trace', async () => {
    const asked: string[] = [];
    const source = await sourceOf(SEVEN);
    const trace = await importSource({
      ...source,
      async sibling(name) {
        asked.push(name);
        return await sourceOf('{"v100": {"(\'A\', 1)": {"null": 4}, "A": {"null": 1}}}');
      },
    });
    assert.deepEqual(asked, ['oracle_throughputs']);
    assert.deepEqual(
      trace.jobs.map(({ durationS }) => durationS),
      [25, 3],
    );
    assert.match(trace.report.assumed.join('\n'), /were made with oracle_throughputs\.json/);
  });

  it('is told from other tables by the number and the kind of its fields', async () => {
    assert.match(await messageOf(importText(lines(['a', 'b', 'c', 1, 2, 3]))), /not recognised/);
    const words = lines(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    assert.match(await messageOf(importText(words)), /not recognised/);
    assert.match(
      await messageOf(importText('a,b\n', { format: 'gavel' })),
      /t\.csv:1 expected 7, 9, 10, 12 tab-separated fields, found 1 in 'a,b'/,
    );
  });

  it('counts rows that hold something else', async () => {
    const text = SEVEN + lines(['A', 'x', '-n', 1, 'many', 1, 1], seven('A', 0, '1', 1));
    const rows = lines(seven('A', 10, '1', 0), ['A', 1]);
    const trace = await importText(text + rows, { settings: RATES, maxBadRows: 2 });
    assert.deepEqual(trace.report.dropped, { bad_row: 2, nonpositive_duration: 1, cpu_only: 1 });
    assert.deepEqual(trace.report.badRowExamples, [
      "t.csv:4:10 total_steps: expected a number, found 'many'",
      't.csv:7 expected 7 cells, found 2',
    ]);
    const slo = lines(ten('A', 100, 1, 1, '0', 5));
    assert.match(
      await messageOf(importText(slo, { settings: RATES })),
      /SLO: expected above 0, or -1 for none, found '0'/,
    );
    const late = lines(ten('A', 1e14, 1, 1, '-1', 5), ten('A', 1e12, 1, 1, '3', 5));
    const { report } = await importText(late + TEN, { settings: GANG_RATES, maxBadRows: 2 });
    assert.deepEqual(report.badRowExamples, [
      't.csv:1:25 total_steps: would run for 50000000000000 s; expected at most 1000000000000',
      't.csv:2:43 SLO: gives a deadline of 1500000000000 s; expected at most 1000000000000',
    ]);
  });

  it('reads damaged files with every row accounted for, or refuses them', async () => {
    await assertReadOrRefused([SEVEN, TEN], { settings: RATES, format: 'gavel' });
    await assertReadOrRefused([TWELVE], { format: 'gavel' });
  });
});

publishedSuite('gavel on published traces', () => {
  const data = (...parts: string[]) => path.join(DATA_FOLDER ?? '', ...parts);
  for (const name of ['0e4a51', '23dbec', '925e2b', 'e13805', 'ed69ec']) {
    it(`reads the Philly virtual cluster ${name}`, async () => {
      const file = `gavel/msr_seed0/${name}.trace`;
      const trace = await importTrace(data('traces', file));
      const known = expectedOf(file);
      assert.equal(trace.report.rowsRead, known.rows);
      assert.deepEqual(trace.report.dropped, {});
      assert.deepEqual(trace.report.gangSizes, known.scale_factor_hist);
    });
  }

  for (const name of ['artifact_evaluation', 'debug', 'minimize_makespan', 'small_test']) {
    it(`reads the trace ${name} of the physical cluster`, async () => {
      const file = `gavel/physical_cluster/${name}.trace`;
      const trace = await importTrace(data('traces', file));
      const known = expectedOf(file);
      assert.equal(trace.jobs.length, known.rows);
      assert.deepEqual(trace.report.gangSizes, known.scale_factor_hist);
    });
  }

  it('reads the trace of Shockwave', async () => {
    const trace = await importTrace(data('traces/shockwave/120_tacc32.trace'));
    const known = expectedOf('shockwave/120_tacc32.trace');
    assert.equal(trace.jobs.length, known.rows);
    assert.deepEqual(trace.report.gangSizes, known.scale_factor_hist);
    const [first] = trace.jobs;
    assert.deepEqual([first?.model, first?.durationS], ['LM (batch size 10)', 1418]);
  });

  it('recovers the run times that Philly recorded', async () => {
    // Of Gavel's 9 jobs of this virtual cluster, all are in the other publication of it: steps are the
    // run time x the rate, cut to a whole step, so a run time comes out short by less than a step.
    const file = data('traces/gavel/msr_seed0/23dbec.trace');
    // timestamp,duration,num_gpus,gpu_time,cluster
    const rows = readFileSync(data('traces/philly-derived/pollux_philly.csv'), 'utf8').split('\n');
    const recorded = rows
      .filter((row) => row.endsWith(',23dbec'))
      .map((row) => row.split(',').slice(1, 3).map(Number));
    const { jobs } = await importTrace(file);
    const found = jobs.filter(({ durationS, gpuCount }) =>
      recorded.some(([recordedS = 0, gpus]) => {
        const shortS = recordedS - durationS;
        return gpus === gpuCount && shortS >= 0 && shortS < 2;
      }),
    );
    assert.equal(found.length, 9);
  });
});
