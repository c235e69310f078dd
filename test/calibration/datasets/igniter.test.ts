import assert from 'node:assert/strict';
import { importIgniterPairs, importIgniterSolo } from '../../../calibration/datasets/igniter.ts';
import { importIgniterProfile } from '../../../calibration/datasets/igniter-profile.ts';
import { addsUp, Files, refuses, said } from './support.ts';

const files = new Files();
after(() => {
  files.remove();
});

describe('an iGniter solo table', () => {
  it('gives a point for each batch and share', () => {
    const text =
      'model,batch,thread_pct,latency_ms,throughput_img_s,l2_pct,dram_pct\na,2,50,2.5,,,\na,2,100,2,1000,12,8\n';
    const { rows } = importIgniterSolo(files.write('solo.csv', text));
    assert.deepEqual(said(rows[0]), {
      gpuType: 'V100',
      workload: 'a',
      batch: 2,
      share: 0.5,
      sharing: 'mps',
      stepS: 0.0025,
      source: 'igniter-solo',
      row: 'solo.csv:2',
    });
    assert.deepEqual([rows[1]?.throughput, rows[1]?.l2, rows[1]?.bandwidth], [1000, 0.12, 0.08]);
  });

  it('is refused with a share beyond the GPU', () => {
    const file = files.write('s.csv', 'model,batch,thread_pct,latency_ms\na,1,120,2.5\n');
    refuses(
      () => importIgniterSolo(file),
      /s\.csv:2:5 thread_pct: expected above 0 and at most 100 %/,
    );
  });
});

describe('an iGniter pair table', () => {
  const HEADER =
    'model1,batch1,thread_pct1,latency1_ms,solo_latency1_ms,slowdown1,model2,batch2,thread_pct2,latency2_ms,solo_latency2_ms,slowdown2,l2_1_pct,dram_1_pct,l2_2_pct,dram_2_pct';

  it('is seen from both of its sides', () => {
    const file = files.write('pairs.csv', `${HEADER}\na,2,20,3,2,1.5,b,4,80,5,4,1.25,1,10,2,30\n`);
    const table = importIgniterPairs(file, { gpu: 'A30' });
    const a = { workload: 'a', batch: 2, share: 0.2 };
    const b = { workload: 'b', batch: 4, share: 0.8 };
    const common = { gpuType: 'A30', sharing: 'mps', source: 'igniter-pairs' };
    assert.deepEqual(table.rows.map(said), [
      {
        ...common,
        ...a,
        coRunners: [b],
        stepS: 0.003,
        relativeSpeed: 1 / 1.5,
        l2: 0.01,
        bandwidth: 0.1,
        row: 'pairs.csv:2/1',
      },
      {
        ...common,
        ...b,
        coRunners: [a],
        stepS: 0.005,
        relativeSpeed: 0.8,
        l2: 0.02,
        bandwidth: 0.3,
        row: 'pairs.csv:2/2',
      },
    ]);
  });

  it('does not take the two sides of a job beside itself for copies, but a repeated row', () => {
    const row = 'a,2,50,3,2,1.5,a,2,50,3,2,1.5,1,10,1,10\n';
    const table = importIgniterPairs(files.write('p.csv', `${HEADER}\n${row}${row}`));
    assert.equal(table.rows.length, 2);
    assert.deepEqual(table.report.dropped, { 'duplicated row': 2 });
    addsUp(table);
  });

  it('counts both sides of a row without a value', () => {
    const row = 'a,2,50,,2,1.5,b,2,50,3,2,1.5,1,10,1,10\n';
    const table = importIgniterPairs(
      files.write('p.csv', `${HEADER}\n${row}${row.replace(',,', ',3,')}`),
    );
    assert.deepEqual(table.report.dropped, { 'no value of latency1_ms': 2 });
    addsUp(table);
  });
});

describe('an iGniter profile', () => {
  const TABLE = '[[11,12,13],[21,22,23],[31,32,33]]';
  const read = (lines: readonly string[], options = {}) =>
    importIgniterProfile(files.write('x_profile.jsonl', `${lines.join('\n')}\n`), options);

  it('gives latency, power and clock of each batch and share', () => {
    const table = read([
      `{"a": {"gpulatency": ${TABLE}}}`,
      '',
      `{"a": {"power": ${TABLE}}}`,
      `{"a": {"frequency": ${TABLE}}}`,
      '{"a": {"kernel": 29}}',
    ]);
    assert.equal(table.rows.length, 9);
    assert.deepEqual(said(table.rows[5]), {
      gpuType: 'V100',
      workload: 'a',
      batch: 16,
      share: 1,
      sharing: 'mps',
      stepS: 0.023,
      powerW: 23,
      achievedMhz: 23,
      source: 'igniter-profile',
      row: 'x_profile.jsonl:1/2,3',
    });
  });

  it('gives power and clock of 1 to n equal jobs, named by options', () => {
    const lines = [
      '{"hardware": {"power": [100, 150]}}',
      '{"hardware": {"frequency": [1500, 1400]}}',
    ];
    const table = read(lines);
    assert.deepEqual(said(table.rows[1]), {
      gpuType: 'V100',
      workload: 'vgg19',
      share: 0.2,
      sharing: 'mps',
      coRunners: [{ workload: 'vgg19', batch: null, share: 0.2 }],
      powerW: 150,
      achievedMhz: 1400,
      source: 'igniter-profile',
      row: 'x_profile.jsonl:1/2 x vgg19',
    });
    assert.deepEqual(table.report.options, { colocatedWorkload: 'vgg19', colocatedShare: 0.2 });
    const other = read(lines, { colocatedWorkload: 'gpt', colocatedShare: 0.5 });
    assert.deepEqual([other.rows[0]?.workload, other.rows[0]?.share], ['gpt', 0.5]);
  });

  it('gives power and clock of two of a kind', () => {
    const { rows } = read(['{"a": {"power_2": 289}}', '{"a": {"frequency_2": 1513}}']);
    assert.equal(rows.length, 1);
    assert.deepEqual(
      [rows[0]?.powerW, rows[0]?.achievedMhz, rows[0]?.share, rows[0]?.coRunners.length],
      [289, 1513, 0.5, 1],
    );
  });

  it('counts a cell without a value', () => {
    const table = read([`{"a": {"power": ${TABLE.replace('22', 'NaN')}}}`]);
    assert.deepEqual(table.report.dropped, { 'no value of power': 1 });
    addsUp(table);
  });

  it('is refused with the line of what is wrong', () => {
    refuses(
      () => read(['{"a": {"power": [[1]]}}']),
      /jsonl:1:17 power: expected 3 lists of 3 numbers/,
    );
    refuses(() => read(['', 'not json']), /jsonl:2:1 expected a JSON value/);
    refuses(() => read(['{"a": 3}']), /jsonl:1:7 a: expected an object, found 3/);
    refuses(() => read(['[1]']), /jsonl:1:1 line: expected an object, found a list of 1/);
    refuses(
      () => read([`{"a": {"power": ${TABLE.replace('22', '-22')}}}`]),
      /power: expected above 0 W/,
    );
    refuses(
      () => read([`{"a": {"power": ${TABLE.replace('22', '"22 W"')}}}`]),
      /power: expected a number, found '22 W'/,
    );
    refuses(
      () => read(['{"a": {"power_2": 1}}', '{"a": {"power_2": 2}}']),
      /jsonl:2:19 expected power_2 of a once, found it also in line 1/,
    );
    refuses(
      () => read(['{"hardware": {"power": [1, 2]}}', '{"hardware": {"frequency": [1]}}']),
      /jsonl:2:28 hardware frequency: expected 2 numbers, as many as of power/,
    );
    refuses(() => read([]), /expected JSON lines, found nothing/);
  });
});
