import assert from 'node:assert/strict';
import { importGavel } from '../../../calibration/datasets/gavel.ts';
import { addsUp, Files, refuses, said } from './support.ts';

const A = "('Net (batch size 16)', 1)";
const B = "('Talker', 1)";
const WIDE = "('Net (batch size 16)', 2)";

describe('a Gavel throughput file', () => {
  const files = new Files();
  after(() => {
    files.remove();
  });
  const readText = (text: string, options = {}) =>
    importGavel(files.write('throughputs.json', text), options);
  const read = (content: unknown, options = {}) =>
    readText(JSON.stringify(content, null, 1), options);

  it('gives jobs alone and both sides of pairs', () => {
    const table = read({
      v100: {
        [A]: { null: 8, [B]: [6, 1] },
        [B]: { null: 4, [A]: [1, 6] },
      },
    });
    assert.deepEqual(table.rows.map(said), [
      {
        gpuType: 'V100',
        workload: 'Net',
        batch: 16,
        sharing: 'alone',
        stepS: 0.125,
        throughput: 8,
        source: 'gavel',
        row: 'throughputs.json:4:12',
      },
      {
        gpuType: 'V100',
        workload: 'Net',
        batch: 16,
        sharing: 'co-located',
        coRunners: [{ workload: 'Talker', batch: null, share: null }],
        stepS: 1 / 6,
        throughput: 6,
        relativeSpeed: 0.75,
        source: 'gavel',
        row: 'throughputs.json:6:5',
      },
      {
        gpuType: 'V100',
        workload: 'Talker',
        sharing: 'alone',
        stepS: 0.25,
        throughput: 4,
        source: 'gavel',
        row: 'throughputs.json:11:12',
      },
      {
        gpuType: 'V100',
        workload: 'Talker',
        sharing: 'co-located',
        coRunners: [{ workload: 'Net', batch: 16, share: null }],
        stepS: 1,
        throughput: 1,
        relativeSpeed: 0.25,
        source: 'gavel',
        row: 'throughputs.json:13:5',
      },
    ]);
    assert.deepEqual(table.report.dropped, {});
  });

  it('may name jobs without a number of GPUs', () => {
    const { rows } = read({ p100: { 'Net (batch size 8)': { null: 2 } } });
    assert.deepEqual([rows[0]?.workload, rows[0]?.batch, rows[0]?.gpuType], ['Net', 8, 'P100']);
  });

  it('takes the other side from a pair that has one entry, and both of a job beside itself', () => {
    const table = read({
      k80: { [A]: { null: 8, [B]: [6, 1], [A]: [5, 4] }, [B]: { null: 4 } },
    });
    assert.deepEqual(
      table.rows.map(({ workload, relativeSpeed }) => [workload, relativeSpeed]),
      [
        ['Net', null],
        ['Net', 0.75],
        ['Talker', 0.25],
        ['Net', 5 / 8],
        ['Net', 0.5],
        ['Talker', null],
      ],
    );
  });

  it('counts pairs whose two entries disagree', () => {
    const table = read({
      v100: { [A]: { null: 8, [B]: [6, 1] }, [B]: { null: 4, [A]: [2, 7] } },
    });
    assert.deepEqual(table.report.flagged, {
      'the two entries of a pair disagree: each side of its own entry is taken': 2,
    });
    assert.deepEqual([table.rows[1]?.throughput, table.rows[3]?.throughput], [6, 2]);
  });

  const ODD = {
    v100: { [A]: { null: 8, [B]: [0, 0], [A]: [8, 8] }, [B]: { null: 0, [A]: [0, 0] } },
  };
  const DID_NOT_FIT = 'throughput zero: did not fit or did not run';
  const CLIPPED = 'throughput beside another job clipped at the one alone';

  it('leaves out zeros, which mean that the jobs did not fit, or keeps them', () => {
    const table = read(ODD);
    assert.equal(table.report.dropped[DID_NOT_FIT], 3);
    addsUp(table);
    const kept = read(ODD, { didNotFit: 'keep' });
    assert.equal(kept.report.flagged[DID_NOT_FIT], 3);
    assert.deepEqual([kept.rows[1]?.throughput, kept.rows[1]?.stepS], [0, null]);
  });

  it('counts throughputs clipped at the one alone, or leaves them out', () => {
    assert.equal(read(ODD).report.flagged[CLIPPED], 1);
    const left = read(ODD, { clipped: 'drop' });
    assert.equal(left.report.dropped[CLIPPED], 1);
    addsUp(left);
  });

  const GANGS = {
    v100: { [A]: { null: 8, [WIDE]: [1, 1] }, [WIDE]: { null: 15, [WIDE]: [7, 7], [A]: [1, 1] } },
    v100_unconsolidated: { [A]: { null: 8 }, [WIDE]: { null: 12 } },
  };

  it('leaves out jobs on several GPUs, or keeps them with their number', () => {
    const table = read(GANGS);
    assert.deepEqual(table.report.dropped, {
      'job on several GPUs': 5,
      'job on one GPU in a table of gangs over nodes: a copy': 1,
    });
    addsUp(table);
    const kept = read(GANGS, { gangs: 'keep' });
    assert.deepEqual(
      kept.rows.map(({ throughput, gpus, acrossNodes }) => [throughput, gpus, acrossNodes]),
      [
        [8, undefined, undefined],
        [15, 2, false],
        [7, 2, false],
        [12, 2, true],
      ],
    );
    assert.equal(kept.report.dropped['jobs on different numbers of GPUs'], 2);
    assert.equal(kept.rows[3]?.gpuType, 'V100');
    addsUp(kept);
  });

  it('takes the type of option gpu from several, or the option as the name of the only one', () => {
    const both = { v100: { [A]: { null: 8 } }, p100: { [A]: { null: 4 }, [B]: { null: 2 } } };
    const table = read(both, { gpu: 'v100' });
    assert.deepEqual(
      table.rows.map(({ gpuType, throughput }) => [gpuType, throughput]),
      [['V100', 8]],
    );
    assert.deepEqual(table.report.dropped, { 'another gpu type than option gpu': 2 });
    addsUp(table);
    assert.equal(read({ v100: both.v100 }, { gpu: 'A40' }).rows[0]?.gpuType, 'A40');
    refuses(
      () => read(both, { gpu: 'A40' }),
      /json:1:1 expected gpu type 'A40' of option gpu, found 'V100', 'P100'/,
    );
  });

  it('counts NaN, which Python writes', () => {
    const table = readText(
      `{"v100": {"${A}": {"null": 8, "${B}": [NaN, 1]}, "${B}": {"null": 3}}}`,
    );
    assert.deepEqual(table.report.dropped, { 'no value of throughput': 1 });
    const alone = readText(
      `{"v100": {"${A}": {"null": NaN, "${B}": [2, 1]}, "${B}": {"null": 3}}}`,
    );
    assert.deepEqual(alone.report.dropped, { 'no value of throughput': 2 });
    addsUp(alone);
  });

  it('is refused with the place of what is wrong', () => {
    const inA = (entries: string) => () => readText(`{"v100": {"${A}": ${entries}}}`);
    refuses(
      inA('{"x": [1, 2]}'),
      /json:1:\d+ .*expected the throughput alone as "null", found none/,
    );
    refuses(inA('{"null": -8}'), /throughput: expected at least 0 steps\/s, found '-8'/);
    refuses(inA('{"null": "8/s"}'), /throughput: expected a number, found '8\/s'/);
    refuses(inA(`{"null": 8, "${B}": [1]}`), /expected two throughputs/);
    refuses(inA(`{"null": 8, "${B}": 3}`), /expected a list, found 3/);
    refuses(inA(`{"null": 8, "null": 9}`), /expected 'null' once, found it twice/);
    refuses(inA('8'), /expected an object, found 8/);
    refuses(() => readText('{"v100": {"(\'Net\', 0)": {"null": 1}}}'), /expected a job like/);
    refuses(
      () => readText('{"v100": {"(\'Net\'": {"null": 1}}}'),
      /expected a job like .*found '\('Net''/,
    );
    refuses(() => readText('{}'), /expected gpu types, found none/);
    refuses(() => readText('[1]'), /throughputs: expected an object, found a list of 1/);
  });
});
