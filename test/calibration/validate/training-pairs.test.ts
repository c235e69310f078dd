import assert from 'node:assert/strict';
import { pairSpeeds } from '../../../calibration/fit/sm-demand.ts';
import { pairThroughputRows, SKILL } from '../../../calibration/validate/pair-throughput.ts';
import { plainGpu } from '../../../calibration/validate/plain-gpu.ts';
import type { SchemeResult } from '../../../calibration/validate/scheme.ts';
import { validateTrainingPairs } from '../../../calibration/validate/training-pairs.ts';
import { unseenModelRows } from '../../../calibration/validate/unseen-models.ts';
import { close } from '../../support/close.ts';
import { describeWithData, readSet, rowOf, tableOf } from './support.ts';

const side = (workload: string, other: string, relativeSpeed: number, row: string) => ({
  workload,
  batch: 1,
  sharing: 'co-located' as const,
  coRunners: [{ workload: other, batch: 1, share: null }],
  relativeSpeed,
  row,
});

/** All pairs of some jobs; both sides of a pair stand in one row of the file. */
function pairs(names: readonly string[], speedOf: (me: string, it: string) => number) {
  return names.flatMap((a, i) =>
    names
      .slice(i)
      .flatMap((b, j) => [
        side(a, b, speedOf(a, b), `made.csv:${i}${j}/1`),
        side(b, a, speedOf(b, a), `made.csv:${i}${j}/2`),
      ]),
  );
}

describe('calibration/validate pairs held out', () => {
  const own: Readonly<Record<string, number>> = { a: 0.9, b: 0.5, c: 0.7, d: 0.95, e: 0.6, f: 0.8 };
  const names = Object.keys(own);

  it('predicts them from the other pairs of both jobs', () => {
    const table = tableOf(
      pairs(names, (me, it) => (own[me] ?? NaN) * (1.1 - 0.5 * (own[it] ?? NaN))),
    );
    const [row] = pairThroughputRows(table, { ridge: 1e-6 });
    assert.ok((row?.timeMape ?? 1) < 1e-4, `${row?.timeMape}`);
    assert.ok((row?.naiveTime ?? 0) > 0.1);
    // 6 of 21 pairs, both sides, ten draws.
    assert.equal(row?.points, 120);
  });

  it('draws by the seed, and repeats itself', () => {
    const table = tableOf(pairs(names, (me, it) => 1 / (1 + (own[me] ?? 0) * (own[it] ?? 0) ** 2)));
    const errors = (seeds: readonly number[]) =>
      pairThroughputRows(table, { seeds }).map(({ timeMape }) => timeMape);
    assert.deepEqual(errors([1]), errors([1]));
    assert.notDeepEqual(errors([1]), errors([2]));
  });

  it('has a goal for the GPU types of Gavel only', () => {
    const rows = pairs(names, () => 0.8);
    const goalOf = (source: string, gpuType: string) =>
      pairThroughputRows(tableOf(rows.map((row) => ({ ...row, source, gpuType }))))[0]?.goal
        ?.timeMape;
    assert.equal(goalOf('gavel', 'V100'), 0.28);
    assert.equal(goalOf('gavel', 'A100'), null);
    assert.equal(goalOf('made', 'V100'), null);
  });

  it('keeps files of the same pairs apart, and leaves few pairs alone', () => {
    const rows = pairs(names, () => 0.8);
    const twice = [
      ...rows,
      ...rows.map((row) => ({ ...row, row: row.row.replace('made', 'more') })),
    ];
    assert.equal(pairThroughputRows(tableOf(twice)).length, 2);
    assert.deepEqual(pairThroughputRows(tableOf(pairs(['a', 'b', 'c'], () => 0.8))), []);
  });
});

describe('calibration/validate models never seen', () => {
  const gpu = plainGpu('G');
  const law = { whole: 0.8, exponent: 0.3 };
  const utilisations: Readonly<Record<string, number>> = {
    'A/x': 0.2,
    'B/x': 0.5,
    'B/y': 0.7,
    'C/x': 0.8,
    'D/x': 0.95,
    'E/x': 1,
  };
  const known = (name: string) => ({ utilisation: utilisations[name] ?? NaN, bandwidth: 0 });
  const names = Object.keys(utilisations);
  const alone = names.map((workload) => ({ workload, batch: 1, ...known(workload) }));
  const beside = pairs(names, (me, it) => pairSpeeds(gpu, [known(me), known(it)], law)[0]);

  it('predicts them from utilisations, by a law that other models tell', () => {
    const { rows } = unseenModelRows(tableOf([...alone, ...beside]));
    const row = rowOf({ rows }, /before, simulator/);
    assert.equal(row.workloads, 5);
    assert.ok((row.timeMape ?? 1) < 1e-4, `${row.timeMape}`);
    assert.ok((rowOf({ rows }, /linear/).timeMape ?? 0) > 0.005);
    for (const bin of rows.filter(({ what }) => what.includes('mean speed'))) {
      assert.ok((bin.timeMape ?? 1) < 1e-4, bin.what);
    }
  });

  it('counts every pair once in the mean speed by summed utilisation', () => {
    const { rows } = unseenModelRows(tableOf([...alone, ...beside]));
    const bins = rows.filter(({ what }) => what.includes('mean speed'));
    const points = bins.reduce((sum, bin) => sum + (bin.points ?? 0), 0);
    assert.equal(points, 42);
  });

  it('counts sides of which one job was not measured alone', () => {
    const { notes } = unseenModelRows(tableOf([...alone.slice(1), ...beside]));
    assert.deepEqual(notes, ['G (made): 12 sides without both jobs alone']);
  });
});

describeWithData('scheme 5 on the Gavel set', (folder) => {
  let result: SchemeResult;
  before(() => {
    result = validateTrainingPairs(readSet(folder, 'gavel'));
  });

  it('predicts pairs held out within the goals, each at least 40 % below the constant', () => {
    for (const [gpuType, goal] of [
      ['P100', 0.1],
      ['K80', 0.1],
      ['V100', 0.28],
    ] as const) {
      const row = rowOf(result, new RegExp(`^${gpuType} .*simulation_throughputs`));
      assert.ok((row.timeMape ?? 1) <= goal, `${row.what} ${row.timeMape}`);
      close(row.goal?.timeMape ?? NaN, goal);
      assert.ok((row.timeMape ?? 1) <= (1 - SKILL) * (row.naiveTime ?? 0), row.what);
    }
  });
});
