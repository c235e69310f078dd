import assert from 'node:assert/strict';
import { importHkbuGrid } from '../../../calibration/datasets/hkbu-grid.ts';
import { importHkbuProfile } from '../../../calibration/datasets/hkbu-profile.ts';
import { importV100Clocks } from '../../../calibration/datasets/v100-clocks.ts';
import { addsUp, Files, refuses, said } from './support.ts';

const files = new Files();
after(() => {
  files.remove();
});

describe('matrices of power and performance over clocks', () => {
  const write = (folder: string, power: string | null, performance: string | null) => {
    if (power !== null) files.write(`${folder}/dataset_power.csv`, power);
    if (performance !== null) files.write(`${folder}/dataset_performance.csv`, performance);
    return `${files.path}/${folder}`;
  };
  const POWER = 'frequency(MHz),500,1000\nA,60,100\nB,40,50\n';
  const SPEED = 'frequency(MHz),500,1000\nB,1.01,1\nA,0.5,1\n';

  it('turn into a point for each application and clock, with times relative to the highest', () => {
    const table = importV100Clocks(write('p100-both', POWER, SPEED));
    assert.equal(table.rows.length, 4);
    assert.deepEqual(said(table.rows[0]), {
      gpuType: 'P100',
      workload: 'A',
      coreMhz: 500,
      sharing: 'alone',
      stepS: 2,
      throughput: 0.5,
      normalised: true,
      powerW: 60,
      source: 'v100-clocks',
      row: 'dataset_power.csv:2/500',
    });
  });

  it('may be given as two files, under other names, and by option the gpu type', () => {
    const power = files.write('any/one.csv', POWER);
    const speed = files.write('any/two.csv', SPEED);
    const table = importV100Clocks([speed, power], { gpu: 'h100' });
    assert.deepEqual(
      [table.rows[3]?.gpuType, table.rows[3]?.powerW, table.rows[3]?.stepS],
      ['H100', 50, 1],
    );
    refuses(() => importV100Clocks([speed, power]), /expected a gpu type/);
  });

  it('leave the efficiency out, which follows from the others', () => {
    const folder = write('v100-three', POWER, SPEED);
    files.write('v100-three/dataset_efficiency.csv', SPEED);
    const { report } = importV100Clocks(folder);
    assert.ok(report.assumed.some((line) => line.startsWith('dataset_efficiency.csv left out')));
    refuses(
      () => importV100Clocks([`${folder}/dataset_efficiency.csv`]),
      /expected a power or a performance matrix, found the efficiency alone/,
    );
  });

  it('may come alone, which is counted', () => {
    const power = importV100Clocks([files.write('v100-p/dataset_power.csv', POWER)]);
    assert.deepEqual(power.report.flagged, { 'power without performance': 4 });
    const speed = importV100Clocks([files.write('v100-s/dataset_performance.csv', SPEED)]);
    assert.deepEqual(speed.report.flagged, { 'performance without power': 4 });
  });

  it('must hold the same applications and clocks, each once', () => {
    const one = 'frequency(MHz),500,1000\nA,1,1\n';
    refuses(
      () => importV100Clocks(write('v100-a', POWER, one)),
      /dataset_power\.csv:3:1 frequency\(MHz\): expected performance of 'B' in dataset_performance\.csv/,
    );
    refuses(
      () => importV100Clocks(write('v100-b', 'frequency(MHz),500,1000\nA,60,70\n', SPEED)),
      /dataset_performance\.csv:2:1 .*expected power of 'B'/,
    );
    refuses(
      () => importV100Clocks(write('v100-c', POWER, 'frequency(MHz),500,900\nA,1,1\nB,1,1\n')),
      /dataset_performance\.csv:1 expected a clock of 1000 MHz as in dataset_power\.csv/,
    );
    refuses(
      () => importV100Clocks(write('v100-d', `${POWER}A,60,100\n`, SPEED)),
      /:4:1 .*expected each application once, found 'A' also in line 2/,
    );
  });

  it('are refused with a clock or a cell that is no such number', () => {
    const bad = (power: string) => () => importV100Clocks(write('v100-e', power, SPEED));
    refuses(bad('frequency(MHz),500 MHz,1000\nA,1,1\n'), /:1 header: expected clocks; .*'500 MHz'/);
    refuses(bad('frequency(MHz)\nA\n'), /expected columns of clocks/);
    refuses(
      bad('frequency(MHz),500,1000\nA,60 W,100\nB,40,50\n'),
      /:2:3 500: .*no unit in the cell/,
    );
    refuses(bad('frequency(MHz),500,1000\nA,-60,100\nB,40,50\n'), /:2:3 500: expected above 0 W/);
    refuses(
      () => importV100Clocks(files.write('v100-f/x.txt', 'a').replace('/x.txt', '')),
      /found none/,
    );
  });

  it('count a cell without a value, and one clock only', () => {
    const folder = write('v100-g', 'frequency(MHz),500,1000\nA,60,nan\nB,40,50\n', SPEED);
    const table = importV100Clocks(folder);
    assert.deepEqual(table.report.dropped, { 'no value of 1000': 1 });
    assert.deepEqual(table.report.flagged, { 'workload at one clock only': 1 });
    addsUp(table);
  });
});

describe('an HKBU grid of core and memory clocks', () => {
  const HEADER = ',appName,coreF,memF,argNo,kernel,time/ms,blocks';

  it('gives a point for each row', () => {
    const text = `${HEADER},power/W\n7,sum,1600,4000,i0,k,2.5,,120\n8,sum,1700,4000,i0,k,2.4,,128\n`;
    const table = importHkbuGrid(files.write('gtx1080ti-dvfs-real.csv', text));
    assert.deepEqual(said(table.rows[0]), {
      gpuType: 'GTX1080Ti',
      workload: 'sum',
      coreMhz: 1600,
      memoryMhz: 4000,
      sharing: 'alone',
      stepS: 0.0025,
      powerW: 120,
      source: 'hkbu-grid',
      row: 'gtx1080ti-dvfs-real.csv:2',
    });
  });

  it('may name the power column otherwise, the last such counts', () => {
    const text = `${HEADER},power_cap,avg_power\n7,sum,1600,4000,i0,k,2.5,,9,120\n8,sum,1700,4000,i0,k,2.5,,9,130\n`;
    const table = importHkbuGrid(files.write('gtx2070s-dvfs-real.csv', text));
    assert.deepEqual([table.rows[0]?.gpuType, table.rows[0]?.powerW], ['RTX2070S', 120]);
    refuses(
      () => importHkbuGrid(files.write('t4.csv', `${HEADER}\n7,sum,1600,4000,i0,k,2.5,\n`)),
      /expected a column 'power\/W'/,
    );
  });

  it('tells applications of one name apart by argument and kernel', () => {
    const rows = [
      '1,a,1600,4000,i0,k,1,,90',
      '2,a,1600,4000,i1,k,2,,90',
      '3,b,1600,4000,i0,k,1,,90',
      '4,b,1600,4000,i0,l,1,,90',
      '5,c,1600,4000,i0,k,1,,90',
    ];
    const table = importHkbuGrid(
      files.write('t4-g.csv', `${HEADER},power/W\n${rows.join('\n')}\n`),
    );
    assert.deepEqual(
      table.rows.map(({ workload }) => workload),
      ['a/i0', 'a/i1', 'b/k', 'b/l', 'c'],
    );
    assert.deepEqual(table.report.flagged, { 'workload at one clock only': 5 });
  });
});

describe('an HKBU profile over core clocks', () => {
  const HEADER =
    'DRAMA,SMACT,argNo,average_power,benchmark,core_frequency,kernel,memory_frequency,time';
  const rows = [
    '.5,.9,i0,50,sum,405,k,877,9',
    '.6,.95,i0,60,sum,705,k,877,6',
    ',,i0,99,sum,1380,k,877,4',
  ];
  const write = (name: string) => files.write(name, `${HEADER}\n${rows.join('\n')}\n`);

  it('gives a point for each row with the activity of the SMs and the memory', () => {
    const table = importHkbuProfile(write('rtx8000-dvfs-profile.csv'));
    assert.deepEqual(said(table.rows[0]), {
      gpuType: 'RTX8000',
      workload: 'sum',
      coreMhz: 405,
      memoryMhz: 877,
      sharing: 'alone',
      stepS: 0.009,
      powerW: 50,
      utilisation: 0.9,
      bandwidth: 0.5,
      source: 'hkbu-profile',
      row: 'rtx8000-dvfs-profile.csv:2',
    });
    assert.deepEqual(table.report.flagged, { 'no activity counters': 1 });
  });

  it('leaves clocks below 700 MHz out on a V100, or below what the option says', () => {
    const table = importHkbuProfile(write('v100-dvfs-profile.csv'));
    assert.deepEqual(table.report.dropped, { 'core clock below 700 MHz': 1 });
    assert.equal(table.report.options.minCoreMhz, '700 on a V100, else 0');
    addsUp(table);
    const all = importHkbuProfile(write('v100-dvfs-profile.csv'), { minCoreMhz: 0 });
    assert.equal(all.rows.length, 3);
    assert.equal(all.report.options.minCoreMhz, 0);
    assert.equal(importHkbuProfile(write('t4-profile.csv'), { minCoreMhz: 1000 }).rows.length, 1);
  });
});
