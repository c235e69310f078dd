import assert from 'node:assert/strict';
import { loadShippedProfiles } from '../../../calibration/profiles.ts';
import { meetsGoal, type SchemeResult } from '../../../calibration/validate/scheme.ts';
import { unseenShareRows } from '../../../calibration/validate/shares.ts';
import { validateSharing } from '../../../calibration/validate/sharing.ts';
import { unseenPairRows } from '../../../calibration/validate/unseen-pairs.ts';
import { close } from '../../support/close.ts';
import { describeWithData, readSet, rowOf, tableOf } from './support.ts';

// By hand: a step of 1 s + 2 s * B / share. Beside another each job takes 1.2 times as long, but a and
// c beside each other 1.5 times.
//   a and c held out: the others say 1.2, an error of 1 - 1.2 / 1.5 = 0.2
//   a and b, or b and c held out: the others say (1.2 + 1.5) / 2, an error of 1.35 / 1.2 - 1 = 0.125

const stepS = (batch: number, share: number): number => 1 + (2 * batch) / share;

function solo(workloads: readonly string[]) {
  return workloads.flatMap((workload) =>
    [1, 2].flatMap((batch) =>
      [0.2, 0.4, 0.5, 0.6, 0.8, 1].map((share) => ({
        workload,
        batch,
        share,
        sharing: 'mps' as const,
        stepS: stepS(batch, share),
      })),
    ),
  );
}

function beside(workload: string, other: string, slowdown: number) {
  const share = 0.5;
  return {
    workload,
    batch: 1,
    share,
    sharing: 'mps' as const,
    coRunners: [{ workload: other, batch: 1, share }],
    stepS: stepS(1, share) * slowdown,
    relativeSpeed: 1 / slowdown,
  };
}

const both = (a: string, b: string, slowdown: number) => [
  beside(a, b, slowdown),
  beside(b, a, slowdown),
];

describe('calibration/validate unseen shares', () => {
  it('asks for the shares that were not seen, and is exact on rows of its own form', () => {
    const [row] = unseenShareRows(tableOf(solo(['a', 'b'])));
    assert.equal(row?.points, 8);
    assert.equal(row.workloads, 2);
    assert.ok((row.timeMape ?? 1) < 1e-6);
    assert.ok((row.naiveTime ?? 0) > 0.02, `${row.naiveTime}`);
  });

  it('leaves out what has fewer than three of the shares, and rows that the power limit slowed', () => {
    const few = solo(['a']).filter(({ share }) => share !== 0.2 && share !== 0.8);
    assert.deepEqual(unseenShareRows(tableOf(few)), []);
    const slowed = solo(['a']).map((row) => ({
      ...row,
      achievedMhz: row.share === 0.6 ? 900 : 1000,
      stepS: row.share === 0.6 ? 2 * row.stepS : row.stepS,
    }));
    const [row] = unseenShareRows(tableOf(slowed));
    assert.equal(row?.points, 2);
    assert.ok((row.timeMape ?? 1) < 1e-6);
  });
});

describe('calibration/validate pairs never seen together', () => {
  const table = tableOf([
    ...solo(['a', 'b', 'c']),
    ...both('a', 'b', 1.2),
    ...both('b', 'c', 1.2),
    ...both('a', 'c', 1.5),
  ]);

  it('predicts each pair from the others, and the constant predictor sees the same', () => {
    const { rows, notes } = unseenPairRows(table);
    const [row] = rows;
    assert.equal(row?.points, 6);
    const expected = (0.2 + 0.125 + 0.125) / 3;
    close(row.naiveTime ?? NaN, expected, 1e-5);
    // Two pairs are too few to choose a shrinkage by: one term for all pairs.
    close(row.timeMape ?? NaN, expected, 1e-5);
    close(row.worst ?? NaN, 0.2, 1e-5);
    assert.ok(notes.some((note) => note.includes('one term for all pairs')));
  });

  it('knows of a pair only what others say', () => {
    const apart = [...both('a', 'b', 1.2), ...both('c', 'd', 1.4)];
    const [row] = unseenPairRows(tableOf([...solo(['a', 'b', 'c', 'd']), ...apart])).rows;
    close(row?.timeMape ?? NaN, (1 - 1.2 / 1.4 + (1.4 / 1.2 - 1)) / 2, 1e-5);
  });

  it('counts sides of jobs that were not measured alone', () => {
    const { notes } = unseenPairRows(tableOf([...table.rows, ...both('a', 'x', 1.1)]));
    assert.ok(notes.includes('G (made): 2 sides of pairs not known alone'));
  });
});

describeWithData('scheme 4 on the iGniter set', (folder) => {
  let result: SchemeResult;
  before(() => {
    const { gpuTypes } = loadShippedProfiles();
    result = validateSharing(readSet(folder, 'igniter-v100-mps'), { gpuTypes });
  });

  it('predicts latency at unseen shares within 2.5 %, for every model', () => {
    const row = rowOf(result, /unseen shares/);
    assert.ok((row.timeMape ?? 1) <= 0.016 && (row.worst ?? 1) <= 0.02);
    assert.ok((row.naiveTime ?? 0) > 2 * (row.timeMape ?? 1));
  });

  it('predicts pairs never seen together within 4 %, and no worse than a constant slowdown', () => {
    const row = rowOf(result, /never seen together/);
    assert.ok((row.timeMape ?? 1) <= 0.04, `${row.timeMape}`);
    assert.ok((row.timeMape ?? 1) <= (row.naiveTime ?? 0), `${row.timeMape} ${row.naiveTime}`);
  });

  it('predicts power and throttled clock of jobs together from one alone', () => {
    for (const how of ['simulator', 'published throttle']) {
      const row = rowOf(result, new RegExp(`vgg19 together, ${how}`));
      assert.ok((row.powerMape ?? 1) <= 0.06 && (row.timeMape ?? 1) <= 0.05, row.what);
      assert.ok((row.powerMape ?? 1) < (row.naivePower ?? 0));
      assert.ok((row.timeMape ?? 1) < (row.naiveTime ?? 0));
    }
  });

  it('meets every goal that it states', () => {
    for (const row of result.rows) assert.notEqual(meetsGoal(row, result.goal), false, row.what);
  });
});
